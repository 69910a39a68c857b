"""Which sessions answer a query: by words (BM25), by meaning (cosine), and both together.

Invariant: only sessions that pass the filter are ranked, and how rare a word is does not depend
on the filter. Ties go to the session that was active last.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from journal.history.tables.columns import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb

    from journal.history.search.tokens import Asked

__all__ = ["DEPTH", "Filter", "by_meaning", "by_words", "fused"]

DEPTH = 100
"""Places of each ranking that count, where no more are asked for."""

_K1 = 8.0  # of weighted counts: a word in a title counts six times
_B = 0.4
_BEGUN = 0.4  # of a word that begins with what was asked, against the very word
_LEAST = 0.3  # cosine below which two texts have nothing to do with each other
_FUSION = 60  # reciprocal rank fusion: 1 / (60 + rank)


class Filter(NamedTuple):
    """What a session must be. since: active then or later; until: begun then or before."""

    project: str = ""
    since: str = ""
    until: str = ""
    status: str = ""
    text: str = ""

    def sql(self) -> tuple[str, list[Any]]:
        """Conditions on table sessions s, and their parameters."""
        rows = (
            ("s.project = ?", self.project),
            ("s.last >= ?", self.since),
            ("s.started < ? || '~'", self.until),  # a date or minute too: all of it
            ("s.status = ?", self.status),
            ("contains(s.plain, ?)", self.text),
        )
        given = [(sql, value) for sql, value in rows if value]
        return " and ".join(["true", *(sql for sql, _ in given)]), [value for _, value in given]


def by_words(
    connection: duckdb.DuckDBPyConnection,
    asked: Sequence[Asked],
    wanted: Filter,
    depth: int = DEPTH,
) -> list[int]:
    """Sessions (doc) that hold words of a query, best first."""
    if not asked:
        return []
    values = ",".join(
        f"({quoted(item.term)},{n}::utinyint,{item.weight}::float)" for n, item in enumerate(asked)
    )
    listed = ",".join(quoted(item.term) for item in asked)
    hit = f"""select q, w, doc, tf::float as tf from (select * from postings
      where term in ({listed})) join (values {values}) asked(term, q, w) using (term)"""  # noqa: S608
    begun = "".join(_begun(n, item) for n, item in enumerate(asked) if item.prefix)
    if begun:
        hit = f"select q, first(w) as w, doc, sum(tf) as tf from ({hit} {begun}) group by q, doc"  # noqa: S608
    where, given = wanted.sql()
    # 32-bit numbers: sums of larger ones take as long as all the rest.
    sql = f"""
with hit as materialized ({hit}),
total as materialized (select count(*)::float as n, avg(size)::float as size from sessions),
rare as materialized (
  select q, (first(w) * ln(1 + ((select n from total) - count(*) + 0.5) / (count(*) + 0.5)))::float
    as idf from hit group by q),
summed as (
  select doc, sum(idf) as cover, sum(idf * tf * {_K1 + 1} / (tf
    + {_K1} * (1 - {_B} + {_B} * size / (select size from total)))) as score
  from hit join rare using (q) join (select doc, size::float as size from sessions) using (doc)
  group by doc)
select s.doc, score * sqrt(cover) as score from summed join sessions s using (doc)
where {where} order by score desc, s.last desc, s.doc limit {depth}"""  # noqa: S608
    return [row[0] for row in connection.execute(sql, given).fetchall()]


def by_meaning(
    connection: duckdb.DuckDBPyConnection,
    vector: Sequence[float],
    wanted: Filter,
    depth: int = DEPTH,
) -> list[int]:
    """Sessions whose text is near in meaning, best first; an exact scan."""
    where, given = wanted.sql()
    # The distances first, by themselves: a join would carry the vectors along.
    sql = f"""
with near as materialized (
  select doc, array_cosine_distance(vector, ?::float[{len(vector)}]) as far from vectors)
select s.doc from near join sessions s using (doc)
where far <= {1 - _LEAST} and {where} order by far, s.last desc, s.doc limit {depth}"""  # noqa: S608
    return [row[0] for row in connection.execute(sql, [list(vector), *given]).fetchall()]


def fused(
    ways: Mapping[str, Sequence[int]], weights: Mapping[str, float]
) -> list[tuple[int, float, dict[str, int]]]:
    """Put rankings together by reciprocal rank: (doc, score, way → its rank there), best first."""
    ranks: dict[int, dict[str, int]] = {}
    for way, docs in ways.items():
        for rank, doc in enumerate(docs, 1):
            ranks.setdefault(doc, {})[way] = rank
    found = [
        (doc, sum(weights.get(way, 1.0) / (_FUSION + rank) for way, rank in places.items()), places)
        for doc, places in ranks.items()
    ]
    return sorted(found, key=lambda item: -item[1])


def _begun(number: int, item: Asked) -> str:
    end = quoted(item.term + "\U0010ffff")
    return (
        f" union all select {number}::utinyint, {item.weight}::float, doc, "  # noqa: S608
        f"(tf * {_BEGUN})::float from postings "
        f"where term > {quoted(item.term)} and term < {end} "
    )
