"""Sum tokens and cost of replies by the requested dimensions.

A reply counts once, in the local period of its last line. Invariant: sums are exact; a reply whose
model has no price is counted in `unpriced` and in no cost.
"""

from __future__ import annotations

from itertools import chain, starmap
from math import fsum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from journal.blocks import BLOCK
from journal.clock import iso, millis
from journal.history.importer.figures import lacks_output
from journal.history.usage import PERIODS, TOKENS
from journal.history.usage.parts import (
    Selection,
    UsagePart,
    reply_hours,
    stored_parts,
    unread_parts,
)
from journal.history.usage.periods import between, block_at, blocks, period_bounds, period_of
from journal.history.usage.prices import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from journal.history.tables.database import History
    from journal.history.team.read import TeamHistory
    from journal.history.usage.periods import ReplyBlock
    from journal.history.usage.prices import Prices
    from journal.history.usage.unread import Unread

    _Priced = tuple[UsagePart, float | None, float | None]


_ALL = Selection()


class UsageRow(NamedTuple):
    """Sums over some replies. names: of their groups, in the order of `by`.

    cost: USD, None if no price is known; unpriced: model → replies not in the cost. compacted,
    compact_cost: the part of tokens and cost that compactions caused; compactions: their number;
    requests: recorded replies that were made for them. first, last: ms of the replies. begun:
    replies whose output was counted only at their beginning.
    """

    names: tuple[str, ...]
    replies: int = 0
    tokens: Tokens = Tokens()
    cost: float | None = None
    compacted: Tokens = Tokens()
    compact_cost: float | None = None
    compactions: int = 0
    requests: int = 0
    unpriced: Mapping[str, int] = MappingProxyType({})
    first: int = 0
    last: int = 0
    begun: int = 0

    @property
    def is_too_low(self) -> bool:
        """Return whether output and cost are too low: the output of many replies is unknown."""
        return lacks_output(self.begun, self.replies)


class UsageReport(NamedTuple):
    """Rows by group, and their total. by: the dimensions they are grouped by."""

    by: tuple[str, ...]
    rows: list[UsageRow]
    total: UsageRow
    prices: str


def usage_report(
    history: History | TeamHistory | None,
    prices: Prices,
    by: Sequence[str],
    wanted: Selection = _ALL,
    unread: Unread | None = None,
) -> UsageReport:
    """Return the replies of a history, grouped by the dimensions `by`, each one of BY.

    wanted: the replies that count; blocks still begin where replies of any project in `history`
    begin them. unread: replies that are in no log yet.
    """
    wanted = wanted._replace(grown=unread.grown if unread is not None else ())
    parts: list[Iterable[UsagePart]] = []
    if history is not None:
        history.make(["_replies"])
        parts.append(stored_parts(history, prices, by, wanted))
    if unread is not None:
        parts.append(unread_parts(unread, prices, by, wanted))
    found = blocks(reply_hours(history, unread, wanted)) if "block" in by else []
    groups: dict[tuple[str, ...], list[_Priced]] = {}
    for part in chain.from_iterable(parts):
        names = tuple(_name(kind, part, found) for kind in by)
        cost, compact_cost = (
            prices.cost(part.model, tokens, day=part.day, prompt=part.prompt, fast=part.fast)
            for tokens in (part.tokens, part.compacted)
        )
        groups.setdefault(names, []).append((part, cost, compact_cost))
    rows = _sorted(starmap(_row, groups.items()), by)
    total = _row((), list(chain.from_iterable(groups.values())))
    return UsageReport(tuple(by), rows, total, prices.source)


def session_titles(history: History | TeamHistory) -> dict[str, str]:
    """Return session → title, without the sessions whose title is not known."""
    history.make(["sessions"])
    query = "select session, any_value(title) from sessions where title is not null group by 1"
    return dict(history.engine.run(query).all())


def row_data(by: Sequence[str], row: UsageRow) -> dict[str, Any]:
    """Return a row as --json prints it: times in UTC, unknown costs as null."""
    data: dict[str, Any] = dict(zip(by, row.names, strict=False))
    for kind, name in zip(by, row.names, strict=False):
        if kind in PERIODS:
            start, end = period_bounds(kind, name)
            data |= {"start": iso(start), "end": iso(end)}
        elif kind == "block":
            data |= {"start": name, "end": iso((millis(name) or 0) + BLOCK)}
    return {
        **data,
        "first": iso(row.first) if row.replies else None,
        "last": iso(row.last) if row.replies else None,
        "replies": row.replies,
        **dict(zip(TOKENS, row.tokens, strict=True)),
        "total_tokens": row.tokens.total,
        "cost_usd": _rounded(row.cost),
        "compactions": row.compactions,
        "compaction_requests": row.requests,
        "compaction_tokens": row.compacted.total,
        "compaction_cost_usd": _rounded(row.compact_cost),
        "unpriced": dict(row.unpriced),
    }


def empty_between(kind: str, rows: Sequence[UsageRow]) -> list[UsageRow]:
    """Return the rows of a report by period, with empty rows for the periods between them."""
    found = {row.names[0]: row for row in rows}
    return [found.get(name) or UsageRow((name,)) for name in between(kind, found)]


def _row(names: tuple[str, ...], priced: Sequence[_Priced]) -> UsageRow:
    """Add up parts, each with its cost and with the cost that compactions caused."""
    parts = [part for part, _, _ in priced]
    unpriced: dict[str, int] = {}
    for part, cost, _ in priced:
        if cost is None:
            unpriced[part.model] = unpriced.get(part.model, 0) + part.replies
    return UsageRow(
        names,
        sum(part.replies for part in parts),
        Tokens.sum(part.tokens for part in parts),
        _sum(cost for _, cost, _ in priced),
        Tokens.sum(part.compacted for part in parts),
        _sum(cost for _, _, cost in priced),
        sum(part.compactions for part in parts),
        sum(part.requests for part in parts),
        unpriced,
        min((part.first for part in parts if part.first), default=0),
        max((part.last for part in parts), default=0),
        sum(part.begun for part in parts),
    )


def _sum(costs: Iterable[float | None]) -> float | None:
    """Return a sum that depends neither on the order of the costs nor on how they are divided."""
    found = [cost for cost in costs if cost is not None]
    return round(fsum(found), 9) if found else None


def _rounded(cost: float | None) -> float | None:
    return None if cost is None else round(cost, 6)


def _name(kind: str, part: UsagePart, found: Sequence[ReplyBlock]) -> str:
    if kind in PERIODS:
        return period_of(kind, part.at)
    if kind == "block":
        return iso(block_at(found, part.first).start)
    return part.model if kind == "model" else part.columns[kind]


def _sorted(rows: Iterable[UsageRow], by: Sequence[str]) -> list[UsageRow]:
    """Sort by time, then by cost, highest first."""
    timed = [at for at, kind in enumerate(by) if kind in (*PERIODS, "block")]
    return sorted(
        rows,
        key=lambda row: (
            [row.names[at] for at in timed],
            -(row.cost or 0.0),
            -row.tokens.total,
            row.names,
        ),
    )
