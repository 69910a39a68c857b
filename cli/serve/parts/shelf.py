"""The index of past sessions, as a server needs it: with a count, and its settings found.

Invariant: a count is of the very sessions a list would hold.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.past.index import Index
from cli.past.lookup.rank import Filter
from cli.past.lookup.tokens import normal
from cli.serve.place import JournalScope
from journal.home import UNFILED

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Shelf", "opened"]


class Shelf(Index):
    """An index that can count."""

    def count(self, *, project: str = "", since: str = "", until: str = "", status: str = "",
              text: str = "") -> int:  # fmt: skip
        """How many sessions `sessions` would give with the same filters and no limit."""
        where, given = Filter(project, since, until, status, normal(text).casefold()).sql()
        sql = f"select count(*) from sessions s where {where}"  # noqa: S608 (words of our own)
        rows = self._ask(lambda made: made.execute(sql, given).fetchall())
        return int(rows[0][0]) if rows else 0


def opened(home: str, env: Mapping[str, str]) -> Shelf:
    """Open the index of a home, under the settings of the person."""
    return Shelf(home, settings=JournalScope(env, home, UNFILED).settings, env=env)
