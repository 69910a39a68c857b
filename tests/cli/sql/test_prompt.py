"""The prompt of `journal sql`."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

from cli.scope import Scope
from cli.sql.prompt import run_prompt
from journal.history.tables.database import History
from tests.cases.world import ROOT


def lines(*given: str):
    """Type lines at a prompt, then end the input."""
    rest = iter(given)

    def read(_prompt: str) -> str:
        line = next(rest, None)
        if line is None:
            raise EOFError
        return line

    return read


def test_prompt(filled, capsys):
    """Statements end in `;`, over lines too; an error ends a statement, not the prompt."""
    scope = Scope({**filled.workspace.env, "COLUMNS": "80"}, cwd=str(filled.workspace.project))
    history = History(str(filled.home))
    read = lines("select nope;", "select 40", " + 2 as n;", ".tables", ".schema usage",
                 ".schema nix", ".what", "copy (select 1) to 'x';", ".quit", "select 9;")  # fmt: skip
    run_prompt(scope, history, {}, "table", read)
    history.close()
    out = capsys.readouterr().out
    assert " n\n42\n" in out
    assert "events, sessions, turns" in out
    assert "cache_read_input_tokens" in out
    assert "unknown table nix" in out
    assert "copy statements are not run here" in out
    assert "9" not in out.splitlines()[-1]
    kept = filled.home / "sql_history"
    assert oct(kept.stat().st_mode & 0o777) == "0o600"


def test_prompt_on_a_terminal(filled):
    """On a terminal without a query there is a prompt, with its history in a 0600 file."""
    leader, follower = pty.openpty()
    ran = subprocess.Popen(
        [sys.executable, "-m", "cli", "sql"], stdin=follower, stdout=follower, stderr=follower,
        cwd=ROOT, env={**os.environ, **filled.workspace.env, "TERM": "dumb"},
    )  # fmt: skip
    os.close(follower)
    os.write(leader, b"select 6*7 as answer;\n.quit\n")
    seen = b""
    try:
        while part := os.read(leader, 4096):
            seen += part
    except OSError:
        pass
    assert ran.wait(30) == 0
    assert b"42" in seen
    kept = filled.home / "sql_history"
    assert "select 6*7" in kept.read_text()
    assert oct(kept.stat().st_mode & 0o777) == "0o600"
