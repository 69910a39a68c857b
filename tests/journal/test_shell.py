"""Shell text as commands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.shell import commands, given_to_shell
from tests.support.rows import each

TEXTS: dict[str, tuple[str, list[list[str]]]] = {
    "words": ("git  add a.py", [["git", "add", "a.py"]]),
    "several": ("cd x && make; ls | wc\npwd", [["cd", "x"], ["make"], ["ls"], ["wc"], ["pwd"]]),
    "quotes": ("""echo "a b" 'c "d"' e"f g"h""", [["echo", "a b", 'c "d"', "ef gh"]]),
    "escapes": ('echo a\\ b "c\\"d" x\\\ny', [["echo", "a b", 'c"d', "xy"]]),
    "a comment": ("make # all; of it\nls", [["make"], ["ls"]]),
    "a sign within a word": ("echo a#b", [["echo", "a#b"]]),
    "a here-document": ("cat <<EOF; x\nrm -rf a\nEOF\nls", [["cat", "<<EOF"], ["x"], ["ls"]]),
    "a quoted here-document": ("cat <<-'E F'\nrm a\nE F\nls", [["cat", "<<-E F"], ["ls"]]),
    "the end of a here-document apart": (
        "cat << EOF\nrm -rf a\nEOF\nls",
        [["cat", "<<", "EOF"], ["ls"]],
    ),
    "a here-string": ("cat <<< a\nls", [["cat", "<<<", "a"], ["ls"]]),
    "an open quote": ("echo 'a b", [["echo", "a b"]]),
    "an empty word": ("echo ''", [["echo", ""]]),
    "a group": ("{ ls; } && f() { pwd\n}", [["ls"], ["f"], ["pwd"]]),
    "a brace within a word": (
        "echo HEAD@{1} {a,b}.py ${x}; find -exec ls {} +",
        [["echo", "HEAD@{1}", "{a,b}.py", "${x}"], ["find", "-exec", "ls", "{}", "+"]],
    ),
    "nothing": (" ;\n", []),
}


@each("text, found", TEXTS.values(), ids=TEXTS.keys())
def test_only_what_runs_is_a_command(text: str, found: list[list[str]]) -> None:
    """Quoted text is one word; comments and here-documents are no commands."""
    assert commands(text) == found


@pytest.mark.parametrize(
    ("words", "text"),
    [(["bash", "-c", "ls; pwd"], "ls; pwd"), (["/bin/sh", "-ec", "ls"], "ls"),
     (["bash", "-x", "-lc", "ls"], "ls"), (["bash", "run.sh"], ""), (["bash", "-c"], ""),
     (["python", "-c", "x"], "")],
)  # fmt: skip
def test_what_is_given_to_a_shell(words: list[str], text: str) -> None:
    """The text behind `-c` of a shell is shell text; that of another program is not."""
    assert given_to_shell(words) == text


@given(st.text(st.sampled_from("ab \n'\"\\#<;&|{}"), max_size=40))
def test_any_text_is_split(text: str) -> None:
    """Any text gives commands without blanks between words, and ends."""
    assert all(words for words in commands(text))
