"""The commands that the journal's own texts name run as they are written."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import typer

from cli.app import command

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PRODUCT = ("journal", "projections", "hooks", "cli")
NAMED = re.compile(r"`(?:\$ )?journal ([^`]+)`")
SHELL = re.compile(r" *(?:\||2>&1).*")  # what follows a command, or its alternatives
_BLOCK = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_FROM_CODE = ("cli.md", "errors.md", "messages.md")  # their texts are in the product's code
NUMBERS = {"SEQ": "1", "N": "1"}
USAGE_ERROR: Any = typer.BadParameter.__base__


def texts() -> Iterator[str]:
    """Yield each string of the product's code, with X for what is filled in, each skill and page."""
    for folder in PRODUCT:
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if "journal " not in text:  # parsing takes most of the time
                continue
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.JoinedStr):
                    yield "".join(
                        str(part.value) if isinstance(part, ast.Constant) else "X"
                        for part in node.values
                    )
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value
    for path in sorted(
        path for folder in ("skills", "docs") for path in (ROOT / folder).rglob("*.md")
    ):
        if path.name not in _FROM_CODE:
            yield _BLOCK.sub("", path.read_text(encoding="utf-8"))


def problem(line: str) -> str:
    """Return what is wrong with a command line, "" for one that lacks no more than values."""
    words = [NUMBERS.get(word, word) for word in shlex.split(line) if word != "…"]
    found: Any = command()
    context = typer.Context(found, info_name="journal")
    if words[0].startswith("-"):
        return (
            ""
            if any(words[0] in item.opts for item in found.get_params(context))
            else "no such option"
        )
    try:
        while words and hasattr(found, "commands"):
            name, found, words = found.resolve_command(context, words)
            context = typer.Context(found, info_name=name, parent=context)
        if not hasattr(found, "commands"):
            found.make_context(context.info_name, list(words), parent=context.parent)
    except USAGE_ERROR as error:
        missing = type(error).__name__ == "MissingParameter"
        return "" if missing else str(error.format_message())
    return ""


def test_named_commands():
    """Every command in backticks in a message, a help text, a remedy, a skill or a page can be run."""
    lines = {" ".join(found.split()) for text in texts() for found in NAMED.findall(text)}
    found = {line: problem(SHELL.sub("", line)) for line in lines}
    assert len(found) > 100
    assert {line: text for line, text in found.items() if text} == {}


@pytest.mark.parametrize("line", ["nothing", "decide --no-such-option x", "doctor TEXT"])
def test_problem(line):
    """A command line that names a wrong command, option or argument is found."""
    assert problem(line)
