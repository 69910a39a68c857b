"""Words for `/journal:get` that a shell would take for something else are refused."""

from __future__ import annotations

import pytest

from journal.config.schema import DEFAULTS
from journal.events.turn import CommandExpanded
from projections.fold import Fold
from projections.messages import answer
from projections.views import HOOK_PROJECTIONS, Views

TS = "2026-11-21T09:00:00.000Z"


def block(name: str, words: str) -> str:
    """Return the reason for which a typed command does not run; "" where it does."""
    fold = Fold(HOOK_PROJECTIONS)
    event = CommandExpanded(seq=1, ts=TS, sid="s", name=name, args=words)
    fold.apply(event, "command.expanded")
    found = answer(Views(**fold.states), event, DEFAULTS)
    return found.block if found is not None else ""


@pytest.mark.parametrize(
    "words", ["`id`", "the `cart` module", "$(id)", "in $HOME", "${A}", "$5", "a\\"]
)
def test_signs_of_the_shell_are_refused(words: str) -> None:
    """A backtick, a backslash and what a variable or command begins with."""
    assert "/journal:get" in block("journal:get", words)


@pytest.mark.parametrize(
    "words", ["last", "1-3", 'the "quoted" word', "it's", r"a\d+", "a | b > 2", "100 $", "(a; b)"]
)
def test_words_are_words(words: str) -> None:
    """Signs that mean nothing within quotes are searched for."""
    assert block("journal:get", words) == ""


def test_other_commands_take_any_words() -> None:
    """A command that hands no words to a shell is not refused."""
    assert block("journal:export", "`id`") == ""
    assert block("widget:get", "`id`") == ""
