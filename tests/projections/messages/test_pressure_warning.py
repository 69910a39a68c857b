"""The pressure warning tells the person what can still be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.config.schema import DEFAULTS
from journal.events.turn import PromptSubmitted
from projections.compound import Compound
from projections.messages import explain
from projections.pressure import Gauge, Pressure
from projections.views import Views

if TYPE_CHECKING:
    from projections.messages.message import Answer

AT = "2026-11-21T09:00:00.000Z"
STEP = {"en": "after this step", "ja": "この作業の後", "ko": "이 단계가 끝난 뒤"}
NOW = {"en": "run /compact now", "ja": "今すぐ /compact", "ko": "지금 /compact"}
REFUSED = {
    "en": "The next prompt would be refused",
    "ja": "次のプロンプトは拒否",
    "ko": "다음 프롬프트는 거부",
}


def warned(language: str, tokens: int, *, compacts: bool, unsaved: int = 0) -> str:
    """Return what the person reads at a prompt with so many of 100,000 tokens in use."""
    off = [] if compacts else [["auto-compaction", "off", "env DISABLE_AUTO_COMPACT"]]
    return warning(language, tokens, off, unsaved=unsaved).message


def warning(language: str, tokens: int, off: list[list[str]], *, unsaved: int = 0) -> Answer:
    """Return the warning at a prompt. off: the term that says what is switched off, if any."""
    gauge = Gauge(tokens=tokens, window=100_000, point=100_000, enabled=not off, at=AT, terms=off)
    views = Views(
        pressure=Pressure({"a": gauge}),
        compound=Compound(noted=unsaved),
    )
    event = PromptSubmitted(seq=9, ts=AT, sid="a", origin="human", text="x")
    settings = {**DEFAULTS, "messages.language": language}
    (item,) = [i for i in explain(views, event, settings) if i.message == "pressure_warning"]
    assert item.answer is not None
    return item.answer


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_without_room_the_next_prompt_is_refused(language: str) -> None:
    """Where nothing compacts by itself, no step is left at 0 %: not even for learnings."""
    assert STEP[language] in warned(language, 95_000, compacts=False)
    for unsaved in (0, 3):
        text = warned(language, 100_000, compacts=False, unsaved=unsaved)
        assert NOW[language] in text
        assert REFUSED[language] in text
        assert STEP[language] not in text
        assert "compound" not in text


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
def test_at_the_threshold_no_step_is_left(language: str) -> None:
    """Where Claude Code compacts by itself, nothing is asked for that comes too late."""
    text = warned(language, 100_000, compacts=True, unsaved=3)
    assert STEP[language] not in text
    assert "compound" not in text
    assert NOW[language] not in text


@pytest.mark.parametrize("language", ["en", "ja", "ko"])
@pytest.mark.parametrize("tokens", [75_000, 95_000, 100_000])
def test_no_command_is_named_that_is_switched_off(language: str, tokens: int) -> None:
    """Without /compact the way out is /clear, and Claude is promised nothing of a compaction."""
    found = warning(language, tokens, [["compaction", "off", "env DISABLE_COMPACT"]])
    assert "/clear" in found.message
    assert "/journal:get a" in found.message
    assert "/compact" not in found.message + found.context
    assert "journal view recovery --session a" in found.context
    other = warning(language, tokens, [["auto-compaction", "off", "env DISABLE_AUTO_COMPACT"]])
    assert "/compact" in other.message
    assert "/clear" not in other.message + other.context
