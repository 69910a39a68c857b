"""Commands that bring past sessions in, weigh them, and say why something was said."""

from __future__ import annotations

from cli.table import JSON, READING, SESSION, Command, Param

__all__ = ["ROWS"]

ROWS = (
    Command(
        "explain",
        "Explain",
        "cli.explain.command:explain",
        "Why a hook said what it said at an event, or why it kept silent.\n\n"
        "SEQ is the event, or the advice itself. Each line is one look the hook takes: + let it "
        "speak, - did not; #N is the event it rests on. Exit code 1 where the log says otherwise.",
        (Param("seq", "count", "Sequence number.", metavar="SEQ", required=True), *READING),
    ),
    Command(
        "tune",
        "Explain",
        "cli.tune.command:tune",
        "What other thresholds would have done in past sessions.\n\n"
        "Warnings per session, automatic compactions nobody was warned of, warnings nothing came "
        "of, and how long before a compaction the first one came. Prints the lines to change, and "
        "changes nothing.",
        (
            Param("all_projects", "flag", "All projects together.", ("--all",)),
            Param("since", "text", "Only sessions from then on.", ("--since",), "TIME"),
            Param(
                "lead",
                "count",
                "Seconds a first warning should come before an automatic compaction (120).",
                ("--lead",),
                "SECONDS",
            ),
            *READING,
        ),
    ),
    Command(
        "stats",
        "Look",
        "cli.stats.command:stats",
        "Reports: compactions, pressure, advice, stages, hooks, sessions.\n\n"
        "NAME is one of them; without it, all. pressure draws one session: --session, else the "
        "latest. What the log does not tell is shown as unknown.",
        (
            Param("name", "text", "Which report.", metavar="[NAME]"),
            Param("all_projects", "flag", "All projects together.", ("--all",)),
            Param("since", "text", "Only what happened from then on.", ("--since",), "TIME"),
            Param("html", "text", "Write one self-contained page to FILE.", ("--html",), "FILE"),
            SESSION,
            *READING,
        ),
    ),
    Command(
        "import",
        "Keep",
        "cli.import_.command:import_",
        "Take over what the client's transcripts tell of past sessions.\n\n"
        "Sessions, prompts, cost, tool calls, compactions and titles go into a log of their own "
        "beside each project's journal; hooks never read it. A fact is there once, however often "
        "this runs. PATH is a transcript or a folder of them.",
        (
            Param(
                "path", "text", "Instead of projects/ in the client's directory.", metavar="[PATH]"
            ),
            Param("since", "text", "Only what happened from then on.", ("--since",), "TIME"),
            Param("dry_run", "flag", "Say what would be added, and add nothing.", ("--dry-run",)),
            JSON,
        ),
    ),
)
