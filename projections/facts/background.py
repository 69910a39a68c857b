"""Background commands, whose end Claude Code reports as a notice in the user's place. Pure."""

from __future__ import annotations

from msgspec.structs import replace

from projections.facts.gathering import FAILURES
from projections.facts.session import Failure, Gathered

_COMMAND = 'Background command "'  # before the command's name


def with_notice(gathered: Gathered, seq: int, text: str) -> Gathered:
    """Add a background command that failed by Claude Code's notice, or mark it as repaired."""
    summary = text.partition("<summary>")[2].partition("</summary>")[0]
    name, _, how = summary.partition(_COMMAND)[2].rpartition('" ')
    failures = gathered.failures
    if how.startswith("failed"):
        error = f"background command {how}"
        failures = [*failures, Failure(seq=seq, tool="Bash", target=name, error=error)][-FAILURES:]
    elif how.startswith("completed"):
        failures = [
            replace(old, repaired=seq) if not old.repaired and old.target == name else old
            for old in failures
        ]
    return gathered if failures == gathered.failures else replace(gathered, failures=failures)
