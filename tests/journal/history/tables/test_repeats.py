"""Repeated hook calls found in whole batches are the same as found one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from journal.history.tables.repeats import Repeats

Record = tuple[int, bytes]


def line(seq: int, kind: str, key: str) -> bytes:
    """Return a record, with the fields that matter here."""
    head = b'{"seq":%d,"ts":"2026-09-21T14:13:20.000Z","type":"%b",' % (seq, kind.encode())
    return head + (b'"key":"%b",' % key.encode() if key else b"") + b'"v":1,"crc":"00000000"}'


def slowly(records: list[tuple[int, str, str]]) -> list[int]:
    """Return the seqs that count, checking one record after another."""
    last: dict[tuple[str, str], int] = {}
    found = []
    for seq, kind, key in records:
        if key and seq - last.get((kind, key), -513) <= 512:
            continue
        last[kind, key] = seq
        found.append(seq)
    return found


STEPS = st.lists(
    st.tuples(
        st.sampled_from([1, 1, 1, 2, 200, 511, 512, 513]),
        st.sampled_from(["tool.finished", "tool.finished", "x"]),
        st.sampled_from(["", *"abcdefgh"]),
    ),
    max_size=60,
)


@given(STEPS, st.lists(st.integers(1, 9), min_size=1, max_size=20), st.integers(0, 60))
def test_together_as_one_by_one(
    steps: list[tuple[int, str, str]], sizes: list[int], cut: int
) -> None:
    """Any batches, continued with stored keys at any point, give the same as one by one."""
    seq, records = 0, []
    for step, kind, key in steps:
        seq += step
        records.append((seq, kind, key))
    repeats, found, at, number = Repeats(), [], 0, 0
    while at < len(records):
        size = sizes[number % len(sizes)]
        batch = [(seq, line(seq, kind, key)) for seq, kind, key in records[at : at + size]]
        found += [int(line[7 : line.index(b",")]) for line in repeats.drop(batch)]
        at, number = at + size, number + 1
        if at >= cut > at - size:
            repeats = Repeats(repeats.recent(batch[-1][0]), repeats.count)
    assert found == slowly(records)
    assert repeats.count == len(records) - len(found)
