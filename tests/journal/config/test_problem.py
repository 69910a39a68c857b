"""How a problem of a file is shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cli.error import lines_of
from journal.config.problem import Problem
from journal.text import width


def shown(problem):
    """Return the lines that commands print of a problem."""
    return lines_of(problem.error, {"JOURNAL_HOME": "/nowhere"})


def test_shown_problem(folders):
    """A problem is shown with path, line and fault, then the line, then the remedy."""
    (problem,) = folders.write(home='[capture]\nlevel = "ful"\n').problems
    assert problem.what == 'capture.level takes "off" or "minimal" or "full", not "ful"'
    assert shown(problem) == [
        f"journal: error: {folders.home_file}:2: {problem.what}",
        '  | level = "ful"',
        '  did you mean "full"?',
    ]


def test_shown_problem_without_a_line():
    """A problem of a whole file has no line number and no excerpt."""
    problem = Problem("a/config.toml", 0, 0, "is not a regular file", "remove it")
    assert shown(problem) == ["journal: error: a/config.toml: is not a regular file", "  remove it"]


def test_long_lines_show_the_place():
    """Of a long line the part around the fault is shown, of a shorter one all of it."""
    line = "x" * 500 + " = off" + "y" * 500
    excerpt = shown(Problem("f", 7, 504, "w", "r", line))[1]
    assert " = off" in excerpt
    assert len(excerpt) <= 120
    assert shown(Problem("f", 7, 80, "w", "r", line[440:540]))[1] == f"  | {line[440:540]}"


@given(
    text=st.text(), path=st.text(min_size=1), column=st.integers(0, 400), line=st.integers(1, 9999)
)
def test_showing_is_safe(text, path, column, line):
    """Any problem is shown as printable lines, the excerpt within 120 columns."""
    lines = shown(Problem(path, line, column, text, "r", "x" * column + text))
    assert all(part.isprintable() for part in lines)
    assert width(lines[1]) <= 120 or not (column or text.strip())


def test_terminal_codes_in_a_key_are_shown(folders):
    """Escape sequences and bidirectional marks in a file are printed as visible text."""
    loaded = folders.write(project='"\\u001b[31m\\u202ered" = 1')
    assert loaded.problems[0].what == 'unknown key "\\x1b[31m\\u202ered"'
