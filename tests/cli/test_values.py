"""The command line's plain values: converted like typer does, without loading its converters."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from cli.app import _application
from cli.values import use_plain_values

ROOT = Path(__file__).parents[2]
VALUES = {
    "query": ["", "a", "一二", "-", "a=b"],
    "limit": ["7", "0", "-1", "x", "٣", "1.0", " 5", "9" * 30, "1000", "1001"],
    "status": ["completed", "open", "", "OPEN", "over"],
    "all_projects": [True, False],
    "since": ["", "2h"],
}  # fmt: skip


def converted(param: Any, value: Any, context: Any) -> Any:
    """Return the value a parameter makes of a text, or the error's text."""
    try:
        return param.get_runtime_param().coerce(value, param=param, ctx=context)
    except typer.BadParameter as error:
        return error.format_message()


@pytest.mark.skipif(not hasattr(typer.core, "_TyperParameter"), reason="an older typer converts")
@pytest.mark.parametrize("name", ["search", "sessions"])
def test_it_converts_as_typer_does(name):
    """Each value, valid, invalid or absent, becomes what typer makes of it."""
    plain, own = (typer.main.get_command(_application("")) for _ in "po")
    context = typer.Context(own)
    params = {param.name: param for param in own.commands[name].params}
    for param in plain.commands[name].params:
        several = param.multiple or param.nargs == -1
        for value in [None, *VALUES.get(param.name, [])]:
            given = (value,) if several and value is not None else value
            use_plain_values(plain)  # again: a value that is refused has typer convert the next
            expected = converted(params[param.name], given, context)
            assert converted(param, given, context) == expected, (param.name, value)


def test_a_plain_command_loads_no_converter(tmp_path):
    """Options, numbers, choices and lists do not load pydantic."""
    lines = ["schema sessions --json", "events --limit 5 --type note",
             "sessions --status open --all", "status"]  # fmt: skip
    code = (
        "import sys; from cli.app import run\n"
        "for line in sys.argv[1:]:\n"
        "    run(line.split())\n"
        "    print('loaded', *{'pydantic', 'rich', 'duckdb'} & {*sys.modules}, file=sys.stderr)"
    )
    env = {**os.environ, "JOURNAL_HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code, *lines], cwd=ROOT, env=env,
                          capture_output=True, text=True, check=True)  # fmt: skip
    loaded = [line for line in done.stderr.splitlines() if line.startswith("loaded")]
    assert dict(zip(lines, loaded, strict=True)) == dict.fromkeys(lines, "loaded")
