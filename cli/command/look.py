"""Commands that look at the journal and change nothing."""

from __future__ import annotations

from cli.table import READING, SESSION, Command, Param
from cli.view import NAMES

__all__ = ["ROWS", "UNTIL"]

UNTIL = Param(
    "until",
    "text",
    "What had happened by then: a sequence number, a time, or an age (2h, 3d).",
    ("--until",),
    "SEQ|TIME",
)
_SINCE = Param("since", "text", "Only from then on.", ("--since",), "SEQ|TIME")

ROWS = (
    Command(
        "replay",
        "Explain",
        "cli.replay:replay",
        "Step through history: each event, what it changed, what was said.\n\n"
        "With --answers each event is put to the hooks' own function again, and what it says is "
        "compared with what was recorded then; exit code 1 where they differ.",
        (
            UNTIL._replace(
                help=UNTIL.help + " Of a long history the last 1,000 events are shown; "
                "--last N for more or fewer."
            ),
            Param(
                "view", "text", "Only events that changed this view, and how.", ("--view",), "NAME"
            ),
            Param("diff", "flag", "Show every change.", ("--diff",)),
            Param("answers", "flag", "Show what the hooks said.", ("--answers",)),
            Param(
                "last",
                "count",
                "Only the last N events; those before are folded, not shown.",
                ("--last",),
            ),
            Param(
                "follow",
                "flag",
                "Go on as events are appended, until interrupted.",
                ("--follow", "-f"),
            ),
            SESSION,
            *READING,
        ),
    ),
    Command(
        "status",
        "Look",
        "cli.status:status",
        "All views at a glance.",
        (*READING, SESSION),
    ),
    Command(
        "view",
        "Look",
        "cli.view.show:view",
        "One view as a JSON object.\n\n"
        "`complete` is false where a line of the journal could not be read; `seq` is the last "
        "event the view was made from.",
        (
            Param("name", "text", f"One of {', '.join(NAMES)}.", metavar="NAME", required=True),
            *READING,
            SESSION,
            UNTIL,
            Param(
                "write",
                "flag",
                "Write the stage view as the files some scripts read: "
                ".claude/dev-cycle.state.json and .claude/.context-budget.json.",
                ("--write",),
            ),
        ),
    ),
    Command(
        "events",
        "Look",
        "cli.events:events",
        "The events, oldest first.",
        (
            Param(
                "type",
                "texts",
                "Only this type, or a beginning of it that ends in a dot; may be given again.",
                ("--type",),
                "T",
            ),
            _SINCE,
            UNTIL,
            SESSION,
            Param("limit", "count", "Only the last N of them.", ("--limit",)),
            Param(
                "follow",
                "flag",
                "Go on as events are appended, until interrupted.",
                ("--follow", "-f"),
            ),
            *READING,
        ),
    ),
)
