"""Run a `journal` command line in this process, as if it were a process of its own."""

from __future__ import annotations

import io
import json
import os
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

from cli.app import command, run
from cli.manual import commands
from tests.support.doctor import no_hook_run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Result(NamedTuple):
    """The result of a command."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """Return stdout, parsed as JSON."""
        return json.loads(self.out)


class _Stdin(io.TextIOWrapper):
    """Standard input: typed (a terminal) or piped."""

    def __init__(self, text: str, *, terminal: bool) -> None:
        super().__init__(io.BytesIO(text.encode("utf-8", "surrogateescape")), "utf-8")
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def all_commands() -> list[tuple[str, str, Any]]:
    """Return (heading, name as typed, click command) of every command."""
    return list(commands(command()))


def run_command(
    words: list[str],
    env: Mapping[str, str],
    cwd: Path,
    *,
    stdin: str = "",
    terminal: bool = False,
) -> Result:
    """Run a command line with only this environment and directory."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in "oe")
    with (
        chdir(cwd),
        patch.dict(os.environ, env, clear=True),
        patch.object(sys, "stdin", _Stdin(stdin, terminal=terminal)),
        redirect_stdout(out),
        redirect_stderr(err),
        no_hook_run(),
    ):
        code = run(words)
    return Result(code, *(_text(stream) for stream in (out, err)))


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()
