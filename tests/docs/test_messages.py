"""docs/messages.md, the three languages, and messages with nothing to say."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from string import Formatter

import pytest

from journal.log.record import type_of
from projections.messages import MESSAGES, explain
from tests.tools.messages_page import ROWS, STORY, examples

ROOT = Path(__file__).parents[2]
MODULES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for folder in ("projections", "hooks")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "\nTEXTS" in path.read_text()
]


def test_the_page_has_an_example_of_every_message() -> None:
    """Each message has a row in docs/messages.md, and a text of the sample story."""
    assert set(ROWS) == set(MESSAGES)
    assert set(examples()) == set(MESSAGES) - {"cycle_start"}  # that one has no text


@pytest.mark.parametrize("name", MODULES)
def test_three_languages(name: str) -> None:
    """Each text exists in English, Japanese and Korean, with the same fields."""
    texts = importlib.import_module(name).TEXTS
    for key, (english, japanese, korean) in texts.items():
        fields = [
            {field for _, field, _, _ in Formatter().parse(text) if field}
            for text in (english, japanese, korean)
        ]
        assert fields[0] == fields[1] == fields[2], key
        prose = re.sub(r"`[^`]*`|\{[^}]*\}|\W", "", english)
        if prose:
            assert re.search("[぀-ヿ一-鿿]", japanese), key
            assert re.search("[가-힣]", korean), key


def test_nothing_to_say_costs_nothing() -> None:
    """A session without work, pressure or past gets no text; the sessions of STORY do."""
    from journal.config.schema import DEFAULTS
    from journal.events.registry import decode
    from projections.fold import Fold
    from projections.views import HOOK_PROJECTIONS, Views
    from tests.projections.timeline import timeline

    fold = Fold(HOOK_PROJECTIONS)
    lines = "a 09:00 start startup\na 09:01 prompt hello\na 09:02 tool Bash ls\na 09:03 stop\na 09:04 end"
    for seq, line in timeline(lines):
        fold.feed([(seq, line)])
        event = decode(line, type_of(line))
        said = [item for item in explain(Views(**fold.states), event, DEFAULTS) if item.answer]
        assert said == []
    assert STORY
