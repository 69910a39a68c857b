"""The check of one row of the table of secrets."""

from __future__ import annotations

from journal.redaction import found, redact
from journal.redaction.markers import EXACT, FOLDED, WORDS
from journal.redaction.rules import RULES

MARKERS = {
    name: [m for group, _, ms in (*WORDS, *EXACT, *FOLDED) if group == name for m in ms]
    for name in RULES
}


def check_row(name: str) -> None:
    """Check that a row redacts its example with its own tag, and keeps its counter-example."""
    source, secret, counter = RULES[name]
    any_case = source.startswith("(?i)")
    assert f"[redacted:{name}]" in redact(secret)
    assert redact(counter) is counter
    assert name in found(secret)
    folded = [marker for group, _, markers in FOLDED if group == name for marker in markers]
    assert all(marker == marker.lower() for marker in folded)
    assert name in {group for group, *_ in (FOLDED if any_case else (*WORDS, *EXACT))}
