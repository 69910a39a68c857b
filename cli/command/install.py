"""Commands that install, examine, show off, and the client's own entries."""

from __future__ import annotations

from cli.table import JSON, PROJECT, Command, Param

__all__ = ["ROWS"]

_CLIENT = Param(
    "client", "text", "Path of the client, instead of claude on PATH.", ("--client",), "PATH"
)
_LEVEL = Param(
    "level",
    "word",
    "Whose settings: the person's own (user) or the project's.",
    ("--scope",),
    words=("user", "project"),
)
_DRY = Param("dry_run", "flag", "Say what would be done, and do nothing.", ("--dry-run",))

ROWS = (
    Command(
        "demo",
        "Explain",
        "cli.demo:demo",
        "A recorded session through the real hooks, told as it happens.\n\n"
        "In a home and a project of its own that are gone afterwards.",
    ),
    Command(
        "setup",
        "Install",
        "cli.installed:setup",
        "Install the journal as a plugin of Claude Code.",
        (
            Param(
                "statusline",
                "flag",
                "Set the status line too; one there is kept and shown above it.",
                ("--statusline",),
            ),
            _LEVEL,
            _CLIENT,
            _DRY,
            PROJECT,
            JSON,
        ),
    ),
    Command(
        "uninstall",
        "Install",
        "cli.installed:uninstall",
        "Take away what setup put there; the journal stays.",
        (_LEVEL, _CLIENT, _DRY, PROJECT, JSON),
    ),
    Command(
        "doctor",
        "Install",
        "cli.installed:doctor",
        "Examine the installation and the journal.",
        (_CLIENT, PROJECT, JSON),
    ),
    Command(
        "hook",
        "Install",
        "cli.client:hook",
        "The hook entry: its input on stdin (also python3 -I -S hooks/run.py).",
    ),
    Command(
        "statusline",
        "Install",
        "cli.client:statusline",
        "The status line entry: its input on stdin, one line on stdout.",
    ),
)
