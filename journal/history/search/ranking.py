"""Rank sessions for a query: by words (BM25 of FTS5), by meaning, or by both.

Invariant: only sessions that pass the filter are ranked, but word frequencies are those of all
sessions. Of equal sessions, the one that was active last comes first.
"""

import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from journal.codec import text as sound
from journal.history.search.columns import COLUMNS, columns_of
from journal.history.search.digests import digest_of
from journal.history.search.embed import Embedder
from journal.history.search.query import Term, expression
from projections.terms import normal

DEPTH = 100
"""How many sessions each ranking contributes at least."""

_FUSION = 60  # reciprocal rank fusion: 1 / (60 + rank)
_WEIGHTS = ", ".join(map(str, COLUMNS.values()))


class Filter(NamedTuple):
    """Conditions for a session; "" in a member is not a condition.

    project: name of its journal. since: active then or later; until: started then or before (dates
    or times, ISO 8601, UTC). status: completed or open. text: part of the title or first prompt,
    ignoring case. own: did something itself, see `projections.digest.has_no_work`.
    """

    project: str = ""
    since: str = ""
    until: str = ""
    status: str = ""
    text: str = ""
    own: bool = False

    def sql(self) -> tuple[str, list[Any]]:
        """Return conditions on table sessions s, and their parameters."""
        rows = (
            ("s.project = ?", self.project),
            ("s.last >= ?", self.since),
            ("s.started < ? || '~'", self.until),  # all of a date or minute
            ("s.status = ?", self.status),
            ("instr(s.plain, ?) > 0", normal(sound(self.text)).casefold()),
        )
        conditions = [(sql, value) for sql, value in rows if value]
        wanted = ["true", *(sql for sql, _ in conditions), *(["not s.looked"] if self.own else [])]
        return " and ".join(wanted), [value for _, value in conditions]


def by_words(
    connection: sqlite3.Connection, terms: Sequence[Term], wanted: Filter, depth: int = DEPTH
) -> list[int]:
    """Return the sessions (doc) that contain a term, best first."""
    where, parameters = wanted.sql()
    sql = f"""select s.doc from words join sessions s on s.doc = words.rowid
        where words match ? and {where}
        order by bm25(words, {_WEIGHTS}), s.last desc, s.doc limit ?"""
    return [row[0] for row in connection.execute(sql, [expression(terms), *parameters, depth])]


def holds_all(connection: sqlite3.Connection, terms: Sequence[Term], wanted: Filter) -> bool:
    """Return whether one session contains every term."""
    where, parameters = wanted.sql()
    sql = f"""select 1 from words join sessions s on s.doc = words.rowid
        where words match ? and {where} limit 1"""
    return bool(connection.execute(sql, [expression(terms, " AND "), *parameters]).fetchall())


def by_scan(
    connection: sqlite3.Connection, terms: Sequence[Term], wanted: Filter, depth: int = DEPTH
) -> list[int]:
    """Return what `by_words` returns without a full-text index, by counting in every session."""
    where, parameters = wanted.sql()
    sql = f"select s.doc, s.live, s.imported from sessions s where {where} order by s.last desc, s.doc"  # noqa: E501
    scores: list[tuple[float, int, int]] = []
    for doc, live, imported in connection.execute(sql, parameters):
        score = 0.0
        for weight, column in zip(
            COLUMNS.values(), columns_of(digest_of(live, imported)), strict=True
        ):
            counts = Counter(column.split())
            for term in terms:
                score += weight * sum(
                    count / (count + 1)
                    for text, count in counts.items()
                    if text == term.text or (term.prefix and text.startswith(term.text))
                )
        if score:
            scores.append((-score, len(scores), doc))
    return [doc for _, _, doc in sorted(scores)[:depth]]


def by_meaning(
    connection: sqlite3.Connection, model: Embedder, query: str, wanted: Filter, depth: int = DEPTH
) -> list[int]:
    """Return the sessions whose text is similar in meaning to a query, most similar first."""
    where, parameters = wanted.sql()
    sql = f"""select s.doc, v.vector from vectors v join sessions s using (doc)
        where v.vector is not null and {where} order by s.last desc, s.doc"""
    rows = connection.execute(sql, parameters).fetchall()
    return [rows[at][0] for at in model.nearest(query, [row[1] for row in rows])[:depth]]


def merge_rankings(ways: Mapping[str, Sequence[int]]) -> list[tuple[int, float, dict[str, int]]]:
    """Merge rankings by reciprocal rank: (doc, score, way → its rank there), best first."""
    ranks: dict[int, dict[str, int]] = {}
    for way, docs in ways.items():
        for rank, doc in enumerate(docs, 1):
            ranks.setdefault(doc, {})[way] = rank
    found = [
        (doc, sum(1 / (_FUSION + rank) for rank in by_way.values()), by_way)
        for doc, by_way in ranks.items()
    ]
    return sorted(found, key=lambda item: -item[1])
