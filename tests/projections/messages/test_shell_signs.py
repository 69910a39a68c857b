"""`/journal:get` refuses arguments that a shell would interpret."""

from __future__ import annotations

import pytest

from journal.config.schema import DEFAULTS
from journal.events.turn import CommandExpanded
from projections.fold import Fold
from projections.messages import answer
from projections.views import HOOK_PROJECTIONS, Views

TS = "2026-11-21T09:00:00.000Z"


def block(name: str, words: str) -> str:
    """Return the reason why a typed command is refused, "" if it runs."""
    fold = Fold(HOOK_PROJECTIONS)
    event = CommandExpanded(seq=1, ts=TS, sid="s", name=name, args=words)
    fold.apply(event, "command.expanded")
    found = answer(Views(**fold.states), event, DEFAULTS)
    return found.block if found is not None else ""


@pytest.mark.parametrize(
    "words", ["`id`", "the `cart` module", "$(id)", "in $HOME", "${A}", "$5", "a\\"]
)
def test_signs_of_the_shell_are_refused(words: str) -> None:
    """A backtick, a backslash and the start of a variable or command substitution are refused."""
    assert "/journal:get" in block("journal:get", words)


@pytest.mark.parametrize(
    "words", ["last", "1-3", 'the "quoted" word', "it's", r"a\d+", "a | b > 2", "100 $", "(a; b)"]
)
def test_words_are_words(words: str) -> None:
    """Characters without meaning inside quotes are part of the search."""
    assert block("journal:get", words) == ""


def test_other_commands_take_any_words() -> None:
    """A command that passes no arguments to a shell is not refused."""
    assert block("journal:export", "`id`") == ""
    assert block("widget:get", "`id`") == ""
