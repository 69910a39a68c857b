"""Help, and the man page."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from cli.manual import OTHER_WORDS
from tests.support.command import all_commands


@pytest.mark.parametrize("words", [["status"], ["learning", "add"], ["usage"]], ids=" ".join)
def test_help_is_the_help(words, workspace):
    """`journal help CMD` prints what `journal CMD --help` prints."""
    assert workspace.journal("help", *words).out == workspace.journal(*words, "--help").out


def test_help_alone_lists_all(workspace):
    """Without a command, help lists every command."""
    out = workspace.journal("help").out
    assert all(f"  {name.partition(' ')[0]} " in out for _, name, _ in all_commands())


def test_help_of_a_slip(workspace):
    """A misspelled command is refused with the command that was meant."""
    result = workspace.journal("help", "usgae")
    assert (result.code, "did you mean usage?" in result.err) == (2, True)


@pytest.mark.parametrize(
    ("typed", "meant"), [("ls", "sessions"), ("find", "search"), ("cost", "usage")]
)
@pytest.mark.parametrize("before", [(), ("help",)], ids=["command", "help"])
def test_another_word_for_a_command(before, typed, meant, workspace):
    """A word that people try instead of a command is answered with that command."""
    result = workspace.journal(*before, typed)
    assert (result.code, result.out) == (2, "")
    assert f"try: journal {meant}" in result.err
    assert "Did you mean" not in result.err


def test_each_other_word_is_no_command():
    """No command is hidden by such a word, and each names a command that exists."""
    names = {name.partition(" ")[0] for _, name, _ in all_commands()}
    assert names.isdisjoint(OTHER_WORDS)
    assert names.issuperset(OTHER_WORDS.values())


def test_the_man_page(workspace):
    """It has every command and option, and `man` reads it without a warning."""
    page = workspace.journal("help", "--man").out
    plain = page.replace("\\-", "-")
    for _, name, found in all_commands():
        assert f".SS journal {name}" in plain
        assert all(param.opts[0] in plain for param in found.params if param.opts[0][0] == "-")
    if program := shutil.which("groff"):
        words = [program, "-man", "-Tutf8", "-ww"]
        done = subprocess.run(words, input=page, capture_output=True, text=True, check=True)
        assert done.stderr == ""
