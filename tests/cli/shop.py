"""A person's machine on which both the hooks and the `journal` command run, in this process.

Invariant: nothing outside its folder is read or written, and the clock is the tests' own.
"""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import redirect_stderr, redirect_stdout
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

from cli.app import run as run_line
from tests.cases.world import World

if TYPE_CHECKING:
    from pathlib import Path

    from freezegun.api import FrozenDateTimeFactory

__all__ = ["Said", "Shop"]


class Said(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Stdout as JSON, all of it."""
        return json.loads(self.out)


class _Stdin(io.StringIO):
    """What is typed or piped in."""

    def __init__(self, text: str, *, terminal: bool) -> None:
        super().__init__(text)
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


class Shop(World):
    """World with the command line beside the hooks."""

    def __init__(self, base: Path, *, clock: FrozenDateTimeFactory | None = None) -> None:
        super().__init__(base, inline=True, clock=clock)

    def run(self, *words: str, sid: str | None = "", stdin: str = "", terminal: bool = False,
                cwd: Path | None = None) -> Said:  # fmt: skip
        """Run a command a second later. sid: of the session it runs in ("" this one, None none)."""
        self.now += timedelta(seconds=1)
        own = self.sid if sid == "" else sid
        env = self.env(
            {"CLAUDE_PROJECT_DIR": None, "CLAUDE_CODE_SESSION_ID": own, "COLUMNS": "200"}
        )
        out, err = io.StringIO(), io.StringIO()
        before = os.getcwd()
        os.chdir(cwd or self.project)
        try:
            with (
                patch.dict(os.environ, env, clear=True),
                patch.object(sys, "stdin", _Stdin(stdin, terminal=terminal)),
                redirect_stdout(out), redirect_stderr(err),
            ):  # fmt: skip
                code = run_line(list(words))
        finally:
            os.chdir(before)
        return Said(code, out.getvalue(), err.getvalue())

    def journal_exists(self) -> bool:
        """Whether anything was written into the journal home for a project."""
        home = self.home / ".claude" / "journal"
        return home.exists() and any(path.is_dir() for path in home.iterdir())

    def view(self, name: str, *words: str, sid: str | None = "") -> Any:
        """A view as JSON."""
        said = self.run("view", name, "--json", *words, sid=sid)
        assert said.code == 0, said.err
        return said.data

    def read(self, percent: float, *, sid: str | None = None) -> None:
        """Let the context be this full, and a hook see it."""
        self.reading(percent, sid=sid)
        self.after(seconds=1).tool("Bash", **({"sid": sid} if sid else {}), command="true")
