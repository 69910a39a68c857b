"""Compute the cost of replies from a bundled price list in USD per million tokens.

`prices.json` holds Anthropic's prices; `bin/journal-dev prices` writes it from `genai-prices`.
Invariant: nothing is fetched, and a model that is not in the list has no price, never the price 0.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_left
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from journal.codec import loads
from journal.errors import JournalError
from journal.files import read_regular
from journal.history.tables.columns import kinds_of
from journal.transcript.threshold import family

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from journal.history.tables.engine import Engine

OWN_PRICES = "prices.json"

_FILE = os.path.join(os.path.dirname(__file__), "prices.json")
_MOST = 4 * 1024 * 1024  # maximum bytes of a price list
_KINDS = ("input", "output", "cache_write", "cache_write_1h", "cache_read")
_KEY = kinds_of("price_model VARCHAR, price_day VARCHAR, price_prompt BIGINT, price_fast BOOLEAN")


class Tokens(NamedTuple):
    """Tokens by price category. cache_write_1h: the one-hour part of cache_write."""

    input: int = 0
    output: int = 0
    cache_write: int = 0
    cache_write_1h: int = 0
    cache_read: int = 0

    @property
    def total(self) -> int:
        """Return all tokens, each counted once."""
        return self.input + self.output + self.cache_write + self.cache_read

    @classmethod
    def sum(cls, tokens: Iterable[Sequence[int]]) -> Tokens:
        """Return the sum of some tokens."""
        return cls(*map(sum, zip(*tokens, strict=True)))


class Prices:
    """A price list. source: its origin, as text.

    models: family or name of a model → {"prices": [{"from": date, "input": …}], "fast": {…}}.
    """

    def __init__(self, source: str, models: dict[str, Any]) -> None:
        self.source = source
        self._models = models
        self._costs: dict[tuple[str, str, int, bool], tuple[float, ...] | None] = {}
        periods = [period for model in models.values() for period in model["prices"]]
        found: set[int] = {period["above"]["tokens"] for period in periods if "above" in period}
        self._sizes = sorted(found)  # of prompts, above which prices rise

    @property
    def key_sql(self) -> str:
        """SQL of the columns of `_KEY`, on which a reply's price depends.

        price_prompt: 0, or just above the highest size that the prompt exceeds.
        """
        prompt = "input_tokens + cache_creation_input_tokens + cache_read_input_tokens"
        above = [f"if({prompt} > {size}, {size + 1}, 0)" for size in self._sizes]
        return (
            "coalesce(model, '') as price_model, "
            "coalesce(strftime(ts, '%Y-%m-%d'), '') as price_day, "
            f"greatest({', '.join(['0', *above])})::bigint as price_prompt, "
            "coalesce(speed, '') = 'fast' as price_fast"
        )

    def prompt_class(self, prompt: int) -> int:
        """Return `price_prompt` of a reply that read so many tokens."""
        at = bisect_left(self._sizes, prompt)
        return self._sizes[at - 1] + 1 if at else 0

    def cost(
        self, model: str, tokens: Tokens, *, day: str, prompt: int = 0, fast: bool = False
    ) -> float | None:
        """Return the cost in USD of replies that share one price; None if the price is unknown.

        day: their date, as 2026-11-21; prompt: tokens that one reply read; fast: in fast mode.
        """
        rates = self.rates(model, day, prompt, fast=fast)
        if rates is None:
            return None
        each = (*tokens[:2], tokens.cache_write - tokens.cache_write_1h, *tokens[3:])
        return sum(count * rate for count, rate in zip(each, rates, strict=True)) / 1_000_000

    def rates(
        self, model: str, day: str, prompt: int, *, fast: bool = False
    ) -> tuple[float, ...] | None:
        """Return the prices per kind of `Tokens`, with `cache_write` for five-minute writes."""
        key = (model, day, prompt, fast)
        if key not in self._costs:
            self._costs[key] = self._rates(*key)
        return self._costs[key]

    def _rates(self, model: str, day: str, prompt: int, fast: bool) -> tuple[float, ...] | None:
        entry = self._models.get(model) or self._models.get(family(model))
        if entry is None:
            return None
        if fast and "fast" in entry:
            found = entry["fast"]
        else:
            begun = [item for item in entry["prices"] if item.get("from", "") <= day]
            found = begun[-1] if begun else entry["prices"][0]
            above = found.get("above")
            if above and prompt > above["tokens"]:
                found = {**found, **above}
        plain = found["input"]
        write = found.get("cache_write", plain)  # without its own price, it costs as much as input
        return (
            plain,
            found["output"],
            write,
            found.get("cache_write_1h", write),
            found.get("cache_read", plain),
        )


def load_prices(home: str) -> Prices:
    """Return the bundled list, overridden by the models of `prices.json` in the journal home.

    Raises:
        JournalError: that file is not a valid price list.

    """
    listed = _price_list()
    source = f"{listed['source']}, {listed['date']}"
    path = os.path.join(home, OWN_PRICES)
    if not os.path.exists(path):
        return Prices(source, listed["models"])
    return Prices(f"{OWN_PRICES} and {source}", {**listed["models"], **_own(path)})


def fill_rates(engine: Engine, home: str) -> None:
    """Create `_priced`, replies with what their price depends on, and `_rates`, their prices.

    `usage.cost_usd` is computed from them: NULL for a reply whose model is not in the list, because
    it has no row in `_rates`.
    """
    prices = load_prices(home)
    engine.run(f"create or replace view _priced as select *, {prices.key_sql} from _billed")
    rows = []
    for *key, fast in engine.run(f"select distinct {','.join(_KEY)} from _priced").all():
        if (rates := prices.rates(*key, fast=fast)) is not None:
            rows.append((*key, fast, *rates))
    engine.make_table("_rates", {**_KEY, **dict.fromkeys(_KINDS, "DOUBLE")}, rows)


@cache
def _price_list() -> dict[str, Any]:
    with open(_FILE, "rb") as file:
        found: dict[str, Any] = json.load(file)
    return found


def _own(path: str) -> dict[str, Any]:
    """Read a user's list: {"models": {NAME: {"input": USD per million, "output": …}}}."""
    try:
        found: Any = loads(read_regular(path, _MOST, follow=True))
        return {name: _entry(entry) for name, entry in found["models"].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise JournalError(
            path,
            f"cannot be read as a price list ({type(error).__name__}: {error})",
            'it has USD per million tokens: {"models": {"NAME": {"input": 3, "output": 15, '
            '"cache_write": 3.75, "cache_write_1h": 6, "cache_read": 0.3}}}',
        ) from error


def _entry(listed: dict[str, Any]) -> dict[str, Any]:
    """Return the prices of a model; raise ValueError without `input` and `output`, or below 0."""
    found = {name: float(listed[name]) for name in _KINDS if name in listed}
    if not {"input", "output"} <= found.keys() or min(found.values()) < 0:
        raise ValueError("a model needs the prices input and output, 0 or more")
    return {"prices": [found]}
