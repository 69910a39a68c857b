"""A journal home with every kind of file that the product writes there."""

from __future__ import annotations

import ast
import json
import os
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from cli.install import record, statusline
from cli.serve.token import Token
from hooks.background import run_background
from hooks.errors import note
from hooks.status_line.line import show
from journal.checkpoint import Position
from journal.history.locks import export_lock
from journal.history.logs import CUT
from journal.history.replay import run
from journal.history.team.positions import store_mark
from journal.log import spool
from journal.transcript.backup import copy_transcript
from tests.cli.conftest import AFTER, SID
from tests.journal.history.importer.lines import prompt, reply
from tests.laws.damaged import build

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace

ROOT = Path(__file__).parents[2]
_WRITING = {"write_atomic", "Replacement", "save_in_place", "write_private", "O_CREAT", "mkfifo"}
OPEN_SID = "77777777-2222-4333-8444-555555555555"

LOGS = (
    "PROJECT/0*.jsonl",
    "PROJECT/0*.jsonl.gz",
    "PROJECT/active.jsonl",
    "PROJECT/imported/active.jsonl",
)
"""The segments; `test_damage.py` damages them."""

MADE_AGAIN = (
    "cache/sessions.sqlite", "cache/serve-*.token", "cache/serve-*.token.html", "cache/export/*/*",
    "cache/PROJECT/*/reached", "cache/PROJECT/live/reconciled", "cache/PROJECT/*/folds/*",
    "cache/PROJECT/*/tables/*.checkpoint", "cache/PROJECT/*/tables/*.parquet",
    "PROJECT/snapshot", "PROJECT/settings.cache", "import.state", "statusline.cost", "capture-off",
    "PROJECT/imported/import.cut",
)  # fmt: skip
"""Derived files: no answer depends on them."""

STORED = (
    "PROJECT/conversations/*", "PROJECT/quarantine/*", "PROJECT/transcripts/*",
    "PROJECT/spool/*.jsonl", "PROJECT/spool/*.bad", "PROJECT/missed", "PROJECT/overlaps",
    "PROJECT/overlaps.said", "PROJECT/repo", "identity.json", "config.toml", "prices.json",
    "sql_history", "hook-errors.log", "install.json", "install/*", "statusline.json", "app/*/.complete",
)  # fmt: skip
"""What nothing can make again."""

LOCKS = (
    "PROJECT/lock", "PROJECT/imported/lock", "cache/PROJECT/*/tables/*lock", "import.lock",
    "export.lock", "statusline.cost.lock", "app/.lock",
)  # fmt: skip

WRITERS = {
    # in the home
    "cli/install/code_copy.py", "cli/install/record.py", "cli/install/settings.py", "cli/install/statusline.py",
    "cli/serve/token.py", "cli/sql/prompt.py", "hooks/errors.py", "hooks/status_line/cost.py",
    "hooks/unavailable.py", "journal/checkpoint.py", "journal/config/__init__.py",
    "journal/config/edit.py", "journal/history/archive/files.py", "journal/history/locks.py",
    "journal/history/forget/stored.py", "journal/history/importer/run.py",
    "journal/history/importer/state.py",
    "journal/history/search/database.py", "journal/history/tables/extract.py",
    "journal/history/tables/logs.py", "journal/history/export/run.py", "journal/identity.py",
    "journal/log/append.py", "journal/log/counter.py", "journal/log/reached.py",
    "journal/log/repair.py", "journal/log/rewrite.py", "journal/log/seal.py", "journal/log/spool.py",
    "journal/history/current.py", "journal/transcript/backup.py", "journal/replace_file.py",
    # elsewhere: work files, exports, what a command was told to write, the warm child's directory
    "cli/doctor/selftest.py", "cli/render/html.py", "cli/sql/command.py", "cli/work/project_files.py",
    "hooks/env_file.py", "hooks/warm/call.py", "hooks/warm/folder.py",
    "journal/history/export/target.py", "journal/workfiles/files.py",
}  # fmt: skip
"""Modules that create files. A new one adds its kind of file to the home built here."""


def build_busy(workspace: Workspace) -> None:
    """Put a file of every kind into a home, by the code that writes it where that is possible."""
    build(workspace)
    _reconcile(workspace)
    with workspace.segment.open("ab") as file:
        file.write(b"rubbish\n")
    assert workspace.journal("repair").code == 0
    workspace.hook("UserPromptSubmit", prompt="a discount after the repair")
    _install(workspace)
    home, directory = workspace.home, workspace.directory
    (home / "config.toml").write_text('[search]\nmodel = "none"\n[statusline]\ncost = true\n')
    (home / "prices.json").write_text('{"models": {}}')
    (home / "sql_history").write_text("from sessions\n")
    note(workspace.env, "Stop", ValueError("x"))
    reading = {"session_id": SID, "cwd": str(workspace.project), "model": {"id": "m"},
               "cost": {"total_cost_usd": 1.5, "total_duration_ms": 60_000}}  # fmt: skip
    show(json.dumps(reading).encode(), workspace.env)
    _switch_off(workspace)
    token = Token("t" * 40)
    token.write_file(str(home), 3048)
    token.write_page("http://127.0.0.1:3048")
    copy_transcript(str(workspace.top / "transcript.jsonl"), str(directory), SID, AFTER)
    with export_lock(str(home)), patch.object(run, "SAVE_AFTER", 1):
        assert workspace.journal("status").code == 0
    exported = str(home / "cache" / "export" / "0123456789abcdef")
    store_mark(exported, "0" * 24, Position(1, 1, 1, "00000000"), "a table")


def put_aside(workspace: Workspace) -> None:
    """Put into the home what the next writer takes out of it."""
    directory = workspace.directory
    decided = {"type": "decision.recorded", "v": 1, "sid": SID, "text": "take the second discount"}
    for _ in "ab":
        spool.put(str(directory), AFTER, (decided, {**decided, "text": "and round it up"}))
    (directory / "spool" / "0-1.jsonl.bad").write_text("{half a")
    (directory / "missed").write_bytes(b"..")
    (directory / "overlaps").write_bytes(b".")
    (directory / "overlaps.said").write_bytes(b"")
    (directory / "imported" / CUT).write_bytes(b"")


def kind_of(workspace: Workspace, path: Path) -> str:
    """Return the name of a file in the home, with PROJECT for that of its project."""
    return str(path.relative_to(workspace.home)).replace(workspace.directory.name, "PROJECT")


def files_of(workspace: Workspace, kind: str) -> list[Path]:
    """Return the files of a kind that a home has."""
    found = sorted(path for path in workspace.home.rglob("*") if path.is_file())
    return [path for path in found if fnmatch(kind_of(workspace, path), kind)]


def modules_that_write() -> set[str]:
    """Return the modules that create files."""
    found = set()
    for folder in ("journal", "hooks", "cli", "projections"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if not any(name in text for name in _WRITING):
                continue
            names = {
                getattr(node, "id", getattr(node, "attr", "")) for node in ast.walk(ast.parse(text))
            }
            if not names.isdisjoint(_WRITING):
                found.add(str(path.relative_to(ROOT)))
    return found


def _reconcile(workspace: Workspace) -> None:
    """Record a session with a transcript, and compare the two in the background."""
    path = workspace.top / "claude" / "projects" / "-shop" / f"{OPEN_SID}.jsonl"
    where = {"cwd": str(workspace.project), "sessionId": OPEN_SID}
    workspace.hook("SessionStart", OPEN_SID, source="startup", transcript_path=str(path))
    workspace.hook("UserPromptSubmit", OPEN_SID, prompt="an open discount", prompt_id="p1")
    lines = [prompt("an open discount"), reply("m1")]
    path.write_text("".join(json.dumps({**line, **where}) + "\n" for line in lines))
    data = {
        "hook_event_name": "SessionStart",
        "session_id": OPEN_SID,
        "cwd": str(workspace.project),
    }
    run_background(json.dumps(data).encode(), workspace.env)


def _install(workspace: Workspace) -> None:
    """Leave what setup leaves, without the environment that takes seconds to make."""
    home = str(workspace.home)
    settings = workspace.top / "claude" / "settings.json"
    settings.write_text("{}")
    copy = record.store_copy(home, str(settings), b'{"theme": "dark"}')
    record.save(
        home, record.Record({str(settings): record.Baseline(copy, "0" * 64)}, [["user", ""]])
    )
    line = {"type": "command", "command": "true"}
    statusline.save(home, statusline.PreviousStatusLine(line, None, line, str(settings)))
    plugin = workspace.home / "app" / "0.2.0-000000000000" / "plugin"
    plugin.mkdir(parents=True)
    (plugin.parent / ".complete").write_bytes(b"")
    (workspace.home / "app" / ".lock").write_bytes(b"")
    (workspace.home / "plugin").symlink_to(os.path.relpath(plugin, workspace.home))


def _switch_off(workspace: Workspace) -> None:
    """Start a session in a clone whose own settings switch recording off."""
    clone: Path = workspace.top / "clone"
    (clone / ".git").mkdir(parents=True)
    (clone / ".claude").mkdir()
    (clone / ".claude" / "journal.toml").write_text('[capture]\nlevel = "off"\n')
    workspace.hook("SessionStart", source="startup", cwd=str(clone))
