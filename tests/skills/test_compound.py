"""The skill that saves work-log entries as learnings: it asks before it writes."""

from __future__ import annotations

from tests.skills.skill import read


def test_compound_asks_before_it_writes() -> None:
    """The question comes before every command that writes; the command that records comes last."""
    body = read("compound").body
    asks = body.index("## 3. Ask")
    writes = [
        body.index(command) for command in ("journal learning add", "journal learning confirm")
    ]
    record = body.index("journal compound --promoted")
    assert all(asks < write < record for write in writes)
