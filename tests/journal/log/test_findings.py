"""What counts as damage, and what a repair has dealt with."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from journal.log.findings import ANOMALY, CORRUPT, TORN, UNKNOWN, Findings, span_of


def found(*verdicts: str) -> Findings:
    """Return findings of these verdicts."""
    findings = Findings("active.jsonl")
    for line, verdict in enumerate(verdicts, 1):
        findings.note(verdict, verdict, line)
    return findings


def repaired(*missing: Any, segment: str = "active.jsonl") -> dict[str, Any]:
    """Build the event of a repair that names seqs as missing."""
    return {"type": "journal.repaired", "segment": segment, "missing": [*missing]}


@pytest.mark.parametrize(
    ("verdicts", "complete", "damaged"),
    [([], True, False), ([TORN], True, False), ([UNKNOWN], True, False), ([CORRUPT], False, True),
     ([ANOMALY], False, True)],
)  # fmt: skip
def test_what_is_damage(verdicts: list[str], complete: bool, damaged: bool) -> None:
    """A torn end and an unknown event are no loss; a corrupt line and a wrong order are."""
    findings = found(*verdicts)
    assert (findings.complete, findings.is_damaged) == (complete, damaged)
    assert [item.verdict for item in findings.unrepaired] == (verdicts if damaged else [])


@pytest.mark.parametrize(
    ("pair", "known"),
    [([3, 4], True), ([1, 9], True), ([3, 3], False), ([4, 5], False), (["3", "4"], False),
     ([3, 4.0], False), ([True, 4], False), ("34", False), (None, False)],
)  # fmt: skip
def test_a_gap_that_a_repair_named_is_known(pair: Any, known: bool) -> None:
    """A named range covers the gap whole or not at all; what is no range is ignored."""
    findings = found()
    findings.miss(3, 4, 7, 100)
    assert findings.is_damaged
    findings.read_own(repaired(pair))
    assert findings.is_damaged is not known
    assert findings.known == ([(3, 4)] if known else [])
    assert not findings.complete


def test_a_repair_resolves_the_chain_of_its_segment() -> None:
    """A segment that does not fit is damage until any of the segments concerned is repaired."""
    findings = found()
    findings.suspect(["a.jsonl", "b.jsonl"], "b does not follow a")
    assert findings.is_damaged
    findings.read_own(repaired(segment="c.jsonl"))
    assert findings.is_damaged
    findings.read_own(repaired(segment="b.jsonl"))
    assert not findings.is_damaged


def test_a_hostile_repair_names_a_bounded_number_of_gaps() -> None:
    """One event cannot make a reader hold more ranges than a repair writes."""
    findings = found()
    findings.read_own(repaired(*([seq, seq] for seq in range(1000))))
    findings.miss(100, 100, 1, 0)
    findings.miss(101, 101, 1, 0)
    assert findings.known == [(100, 100)]


def test_lost_events_and_removed_texts_are_counted() -> None:
    """Gaps of the journal's own events add up; removed classes keep their last time."""
    findings = found()
    for event in (
        {"type": "journal.gap", "missed": 2},
        {"type": "journal.gap", "missed": "many"},
        {"type": "journal.gap", "missed": 3},
        {"type": "journal.collected", "before": {"prompts": "2026-01-01"}},
        {"type": "journal.collected", "before": ["prompts"]},
        {"type": "prompt.submitted"},
    ):
        findings.read_own(event)
    assert (findings.missed, findings.collected) == (5, {"prompts": "2026-01-01"})
    assert not findings.is_damaged


def test_a_checkpoint_keeps_all_but_the_end() -> None:
    """Findings read back from JSON are the same, without those that each reader makes again."""
    findings = found(CORRUPT, TORN)
    findings.miss(3, 4, 7, 100)
    findings.suspect(["a.jsonl"], "does not fit")
    findings.read_own(repaired([3, 4], segment="x"))
    whole = msgspec.json.encode(findings.lasting())
    findings.miss(9, 12, where="at the end")
    assert msgspec.json.encode(findings.lasting()) == whole
    again = msgspec.json.decode(whole, type=Findings)
    findings.forget_end()
    assert again == findings.lasting()
    assert again.unrepaired == findings.unrepaired


def test_the_list_is_bounded_and_the_counts_are_not() -> None:
    """The first thousand findings are listed, all are counted."""
    findings = found(*[CORRUPT] * 1200)
    assert (len(findings.listed), findings.counts[CORRUPT]) == (1000, 1200)


@pytest.mark.parametrize(("first", "last", "text"), [(3, 3, "3"), (3, 5, "3 to 5")])
def test_a_run_of_seqs_as_text(first: int, last: int, text: str) -> None:
    """One seq stands alone."""
    assert span_of(first, last) == text
