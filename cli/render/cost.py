"""What compactions cost, as people read it."""

from cli.render.text import dollars
from journal.history.usage.report import UsageRow


def compaction_cost(row: UsageRow) -> str:
    """Return the part of a row's cost that compactions caused; "-" where there was none."""
    compacted = row.compactions or row.requests or row.compacted.total
    return dollars(row.compact_cost, row.unpriced) if compacted else "-"
