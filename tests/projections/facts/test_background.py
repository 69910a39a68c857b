"""Background commands whose end Claude Code reports."""

from __future__ import annotations

from projections.facts.background import with_notice
from projections.facts.session import Gathered


def notice(summary: str) -> str:
    """Return a notice as Claude Code writes it in the user's place."""
    return f"<task-notification>\n<status>x</status>\n<summary>{summary}</summary>\n</task-notification>"


def test_a_background_command_fails_and_passes() -> None:
    """A failure is one of that command; its later success repairs it, that of another does not."""
    gathered = with_notice(
        Gathered(), 3, notice('Background command "load "test"" failed with exit code 3')
    )
    (failed,) = gathered.failures
    assert failed.target == 'load "test"'
    assert failed.error == "background command failed with exit code 3"
    assert with_notice(gathered, 4, notice('Agent "load" finished')) is gathered
    other = with_notice(gathered, 5, notice('Background command "x" completed (exit code 0)'))
    assert other is gathered
    done = notice('Background command "load "test"" completed (exit code 0)')
    assert with_notice(gathered, 6, done).failures[0].repaired == 6
