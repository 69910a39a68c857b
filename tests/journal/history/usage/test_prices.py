"""The price list: the price of a reply, and that the stored file equals its source."""

from __future__ import annotations

import json

import pytest

from journal.errors import JournalError
from journal.history.usage.prices import Tokens, load_prices

ONE_EACH = Tokens(1_000_000, 1_000_000, 2_000_000, 1_000_000, 1_000_000)


@pytest.mark.parametrize("model,cost", [
    ("claude-opus-4-5-20251101", 5 + 25 + 6.25 + 10 + 0.5),
    ("us.anthropic.claude-opus-4-5-20251101-v1:0", 5 + 25 + 6.25 + 10 + 0.5),
    ("claude-3-5-haiku-20241022", 0.8 + 4 + 1 + 1.6 + 0.08),
    ("claude-sonnet-4-20250514", 3 + 15 + 3.75 + 6 + 0.3),
    ("claude-v1", 8 + 24 + 8 + 8 + 8),
    ("claude-9-unheard", None),
    ("gpt-5", None),
    ("", None),
])  # fmt: skip
def test_each_kind_of_token_has_its_price(model, cost, tmp_path):
    """Input, output, both cache writes and cache reads have a price; an unlisted model has none."""
    found = load_prices(str(tmp_path)).cost(model, ONE_EACH, day="2026-11-21")
    assert found == (None if cost is None else pytest.approx(cost))


@pytest.mark.parametrize("day,prompt,fast,cost", [
    ("2026-03-12", 0, False, 5),
    ("2026-03-12", 200_000, False, 5),
    ("2026-03-12", 200_001, False, 10),
    ("2026-03-13", 200_001, False, 5),
    ("2026-11-21", 900_000, True, 5),
])  # fmt: skip
def test_dates_and_long_prompts(day, prompt, fast, cost, tmp_path):
    """Opus 4.6 cost twice as much above 200,000 tokens until March 13; it has no fast mode price."""
    prices = load_prices(str(tmp_path))
    million = Tokens(input=1_000_000)
    assert prices.cost("claude-opus-4-6", million, day=day, prompt=prompt, fast=fast) == cost


def test_fast_mode_has_its_own_prices(tmp_path):
    """Opus 5.5 costs double in fast mode."""
    prices, million = load_prices(str(tmp_path)), Tokens(output=1_000_000)
    assert prices.cost("claude-opus-5-5", million, day="2026-11-21") == 20
    assert prices.cost("claude-opus-5-5", million, day="2026-11-21", fast=True) == 40


def test_own_prices_come_first(tmp_path):
    """prices.json of the journal home adds a model by name or family, and is named as a source."""
    own = {"mine": {"input": 1, "output": 2}, "opus-4-5": {"input": 7, "output": 8}}
    (tmp_path / "prices.json").write_text(json.dumps({"models": own}))
    prices = load_prices(str(tmp_path))
    assert prices.cost("mine", ONE_EACH, day="2026-11-21") == 1 + 2 + 2 + 1
    assert prices.cost("claude-opus-4-5-20251101", Tokens(1_000_000), day="2026-11-21") == 7
    assert prices.source.startswith("prices.json and genai-prices ")


@pytest.mark.parametrize("text", ["", "[]", '{"models": {"m": {"input": 1}}}', '{"models": 3}',
                                  '{"models": {"m": {"input": -1, "output": 1}}}',
                                  '{"models": {"m": {"input": "x", "output": 1}}}'])  # fmt: skip
def test_a_wrong_list_is_refused(text, tmp_path):
    """An invalid list stops the command instead of giving wrong costs."""
    (tmp_path / "prices.json").write_text(text)
    with pytest.raises(JournalError, match=r"prices\.json: cannot be read as a price list"):
        load_prices(str(tmp_path))


def test_the_kept_list_is_its_source():
    """The stored list equals that of the package genai-prices, if it is installed."""
    pytest.importorskip("genai_prices", reason="genai-prices is not installed: journal-dev parts")
    from tests.tools.price_list import FILE, collected

    assert json.loads(FILE.read_text())["models"] == collected()["models"]
