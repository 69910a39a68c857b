"""Parts of reports of usage as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.render.text import dollars, short_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from journal.history.usage.report import UsageRow


def session_label(sid: str, titles: Mapping[str, str]) -> str:
    """Return the short ID of a session with its title."""
    return f"{short_id(sid)} {titles.get(sid, '')}".strip()


def compaction_cost(row: UsageRow) -> str:
    """Return the part of a row's cost that compactions caused; "-" where there was none."""
    compacted = row.compactions or row.requests or row.compacted.total
    return dollars(row.compact_cost, row.unpriced) if compacted else "-"
