"""Tokens and cost of sessions, as `journal usage` counts them.

Invariant: unknown figures are left out, never shown as zero; figures are at most a minute old.
"""

import threading
import time
from contextlib import closing
from typing import NamedTuple

from cli.render.text import dollars
from journal.history.tables.database import History
from journal.history.usage.prices import load_prices
from journal.history.usage.report import usage_report
from journal.text import short_count

_FRESH = 60.0  # seconds


class Spent(NamedTuple):
    """Tokens and cost of a session. cost, compact_cost: USD, None if a price is unknown."""

    tokens: int
    cost: float | None
    compact_cost: float | None

    @property
    def short(self) -> str:
        """Return tokens and cost for a list."""
        cost = "" if self.cost is None else f" · {dollars(self.cost)}"
        return f"{short_count(self.tokens)} tokens{cost}"

    @property
    def sentence(self) -> str:
        """Return the cost, and the part of it that compactions caused."""
        if self.cost is None:
            return "Cost unknown: the price list lacks a model."
        more = f", {dollars(self.compact_cost)} of it for compactions" if self.compact_cost else ""
        return f"About {dollars(self.cost)} at list prices{more}"


class Spending:
    """The figures of all sessions of a home, by "project/id"."""

    def __init__(self, home: str) -> None:
        self.home = home
        self._lock = threading.Lock()
        self._found: dict[str, Spent] = {}
        self._at = float("-inf")

    def by_session(self) -> dict[str, Spent]:
        """Return the figures; read them again if they are older than a minute."""
        with self._lock:
            if time.monotonic() - self._at >= _FRESH:
                with closing(History(self.home, "")) as history:
                    prices = load_prices(self.home)
                    rows = usage_report(history, prices, ("project", "session")).rows
                self._found = {
                    "/".join(row.names): Spent(row.tokens.total, row.cost, row.compact_cost)
                    for row in rows
                }
                self._at = time.monotonic()
            return self._found
