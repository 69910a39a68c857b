"""How a problem of a file is shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from journal.config.problem import Problem, render_problem
from journal.text import width


def test_rendered_problem(folders):
    """A rendered problem has path, line and fault, then the line, then the remedy."""
    (problem,) = folders.write(home='[capture]\nlevel = "ful"\n').problems
    assert render_problem(problem) == (
        f"journal: error: {folders.home_file}:2: capture.level takes "
        '"off" or "minimal" or "full", not "ful"\n'
        '     2 | level = "ful"\n'
        '  did you mean "full"?'
    )


def test_rendered_problem_without_a_line():
    """A problem of a whole file has no line number and no excerpt."""
    problem = Problem("a/config.toml", 0, 0, "is not a regular file", "remove it")
    assert render_problem(problem) == (
        "journal: error: a/config.toml: is not a regular file\n  remove it"
    )


def test_long_lines_show_the_place():
    """Of a long line the part around the fault is shown."""
    line = "x" * 500 + " = off" + "y" * 500
    shown = render_problem(Problem("f", 7, 504, "w", "r", line)).split("\n")[1]
    assert " = off" in shown
    assert len(shown) <= 120


@given(
    text=st.text(), path=st.text(min_size=1), column=st.integers(0, 400), line=st.integers(1, 9999)
)
def test_rendering_is_safe(text, path, column, line):
    """Any problem renders as three printable lines, the excerpt within 120 columns."""
    rendered = render_problem(Problem(path, line, column, text, text, "x" + text)).split("\n")
    assert len(rendered) == 3
    assert all(part.isprintable() for part in rendered)
    assert width(rendered[1]) <= 120


def test_terminal_codes_in_a_key_are_shown(folders):
    """Escape sequences and bidirectional marks in a file are printed as visible text."""
    loaded = folders.write(project='"\\u001b[31m\\u202ered" = 1')
    assert loaded.problems[0].what == 'unknown key "\\x1b[31m\\u202ered"'
