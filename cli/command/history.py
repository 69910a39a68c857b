"""Commands that bring past sessions in, weigh them, and say why something was said."""

from __future__ import annotations

from cli.table import JSON, Command, Param

__all__ = ["ROWS"]

ROWS = (
    Command(
        "import", "Keep", "cli.backfill.command:import_",
        "Take over what the client's transcripts tell of past sessions.\n\n"
        "Sessions, prompts, cost, tool calls, compactions and titles go into a log of their own "
        "beside each project's journal; hooks never read it. A fact is there once, however often "
        "this runs. PATH is a transcript or a folder of them.",
        (
            Param("path", "text", "Instead of projects/ in the client's directory.",
                  metavar="[PATH]"),
            Param("since", "text", "Only what happened from then on.", ("--since",), "TIME"),
            Param("dry_run", "flag", "Say what would be added, and add nothing.", ("--dry-run",)),
            JSON,
        ),
    ),
)  # fmt: skip
