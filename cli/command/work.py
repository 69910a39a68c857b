"""Commands about work under way: dev cycle, skill progress, units, checkpoints, guards."""

from __future__ import annotations

from cli.table import READING, SESSION, WRITING, Command, Param

__all__ = ["ROWS"]

_METRIC = Param(
    "metric",
    "texts",
    "A figure to keep with the cycle; may be given again.",
    ("--metric",),
    "NAME=NUMBER",
)
_STAGE = Param("stage", "text", "sprint, audit, ship or retrospective.", metavar="[STAGE]")
_CYCLE = Param(
    "cycle", "text", "Cycle, by its id or the session it was stopped in.", metavar="[CYCLE]"
)
_UNIT = Param(
    "unit", "text", "Unit; without it, the newest that is not finished.", ("--unit",), "ID"
)
_YES = Param("yes", "flag", "Do not ask.", ("--yes",))

_STAGES = (
    Command(
        "stage start",
        "Work",
        "cli.work.stage:start",
        "Begin a cycle at sprint (or at STAGE), or the next stage of the open one.\n\n"
        "The cycle belongs to this session. A stage that is open must be finished first; one that "
        "is left out is named. Beginning what is begun already does nothing.",
        (_STAGE, _METRIC, *WRITING),
    ),
    Command(
        "stage finish",
        "Work",
        "cli.work.stage:finish",
        "Record that the open stage is done, and say whether there is room for the next.",
        (_STAGE, _METRIC, *WRITING),
    ),
    Command(
        "stage stop",
        "Work",
        "cli.work.stage:stop",
        "Stop the cycle where it is; what it leaves out can be resumed.\n\n"
        "A stage that is still open is the first of what is left out.",
        (
            Param("reason", "word", "Why.", ("--reason",), words=("asked", "context_budget")),
            _METRIC,
            *WRITING,
        ),
    ),
    Command(
        "stage resume",
        "Work",
        "cli.work.stage:resume",
        "Take up a stopped cycle in this session, at the first stage it left out.\n\n"
        "Where it was stopped it ends: a cycle has one live end.",
        (_CYCLE, *WRITING),
    ),
    Command(
        "stage abandon",
        "Work",
        "cli.work.stage:abandon",
        "Give up this session's cycle, or a stopped one that is named. Its history stays.",
        (_CYCLE, *WRITING),
    ),
    Command(
        "stage status",
        "Work",
        "cli.work.stage:status",
        "Show where the cycle stands and which could be resumed.",
        (*READING, SESSION),
    ),
)

_PROGRESS = (
    Command(
        "progress save",
        "Work",
        "cli.work.progress:save",
        "Save that a phase of a skill is done.\n\n"
        "Also written to docs/plans/.cpm-progress-SESSION.md, which git does not see. Saved again, "
        "a phase is corrected in its place.",
        (
            Param("skill", "text", "Skill it is about; needed the first time.", ("--skill",), "S"),
            Param("phase", "text", "Number of the phase.", ("--phase",), "N", required=True),
            Param("name", "text", "Its name.", ("--name",), "TEXT"),
            Param(
                "summary",
                "text",
                "What it found, for whoever goes on; - reads stdin.",
                ("--summary",),
                "TEXT",
            ),
            Param("output", "text", "File the skill is to write.", ("--output",), "PATH"),
            Param("next", "text", "What comes next.", ("--next",), "TEXT"),
            *WRITING,
        ),
    ),
    Command(
        "progress close",
        "Work",
        "cli.work.progress:close",
        "Record that the skill is done. Refused until its output exists.",
        (
            Param(
                "output",
                "text",
                "File it wrote, where not the one that was saved.",
                ("--output",),
                "PATH",
            ),
            *WRITING,
        ),
    ),
    Command(
        "progress show",
        "Work",
        "cli.work.progress:show",
        "Show this session's progress, and what it could take over.",
        (*READING, SESSION),
    ),
    Command(
        "progress list",
        "Work",
        "cli.work.progress:listing",
        "List unfinished skills: CURRENT is this session's, STALE is 3 days or older.",
        (*READING, SESSION),
    ),
    Command(
        "progress adopt",
        "Work",
        "cli.work.progress:adopt",
        "Take over the progress of another session; there it ends.",
        (
            Param(
                "sid",
                "text",
                "Session, by its id or the beginning of it.",
                metavar="SID",
                required=True,
            ),
            *WRITING,
        ),
    ),
    Command(
        "progress discard",
        "Work",
        "cli.work.progress:discard",
        "Give progress up: this session's, or the one that is named.",
        (
            Param("sid", "text", "Session, by its id or the beginning of it.", metavar="[SID]"),
            _YES,
            *WRITING,
        ),
    ),
)

_UNITS = (
    Command(
        "unit start",
        "Work",
        "cli.work.unit:start",
        "Begin a unit of work with its checklist.\n\n"
        "Items of a file are its Markdown task list; edits of that file check them off.",
        (
            Param("unit", "text", "A short name for it.", metavar="ID", required=True),
            Param("title", "text", "What it is about.", ("--title",), "TEXT"),
            Param("items", "text", "Markdown file with a task list.", ("--items",), "FILE"),
            Param("item", "texts", "One item; may be given again.", ("--item",), "TEXT"),
            *WRITING,
        ),
    ),
    Command(
        "unit check",
        "Work",
        "cli.work.unit:check",
        "Check an item off, in the unit and in its file.",
        (
            Param(
                "item",
                "text",
                "Its text, the beginning of it, or its number.",
                metavar="ITEM",
                required=True,
            ),
            Param("undo", "flag", "Open it again.", ("--undo",)),
            _UNIT,
            *WRITING,
        ),
    ),
    Command(
        "unit finish",
        "Work",
        "cli.work.unit:finish",
        "Record that a unit is done.",
        (
            Param(
                "unit", "text", "Unit; without it, the newest that is not finished.", metavar="[ID]"
            ),
            *WRITING,
        ),
    ),
    Command(
        "unit list",
        "Work",
        "cli.work.unit:listing",
        "List units with what is done of them.",
        (*READING, SESSION),
    ),
)

ROWS = (
    *_STAGES,
    *_PROGRESS,
    *_UNITS,
    Command(
        "checkpoint",
        "Work",
        "cli.work.checkpoint:checkpoint",
        "Save a point to recover from.",
        (
            Param(
                "summary", "text", "Where the work stands; - reads stdin.", ("--summary",), "TEXT"
            ),
            *WRITING,
        ),
    ),
    Command(
        "guard",
        "Work",
        "cli.work.guard:guard",
        "Whether something that is said once a session is due: RUN, SKIP or SUPPRESS.\n\n"
        "RUN the first time in a session, and where there is none; SKIP after that; SUPPRESS "
        "while another plugin's loop is active here.",
        (Param("name", "text", "What is guarded.", metavar="NAME", required=True), *WRITING),
    ),
)
