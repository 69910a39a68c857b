"""Which hook calls came twice: looked at together, found as if looked at one by one."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from journal.history.tables.scan import REPEAT_SPAN, _Keys

Record = tuple[int, bytes]


def line(seq: int, key: str) -> bytes:
    """Give a record as far as it matters here."""
    head = b'{"seq":%d,"ts":"2026-09-21T14:13:20.000Z","type":"x",' % seq
    return head + (b'"key":"%b",' % key.encode() if key else b"") + b'"v":1,"crc":"00000000"}'


def slowly(records: list[Record], keys: list[str]) -> list[int]:
    """Give the repeats, one record after another."""
    held: dict[str, int] = {}
    found = []
    for (seq, _line), key in zip(records, keys, strict=True):
        if not key:
            continue
        if key in held and seq - held[key] <= REPEAT_SPAN:
            found.append(seq)
        else:
            held[key] = seq
    return found


STEPS = st.lists(
    st.tuples(
        st.sampled_from([1, 1, 1, 2, 200, 511, 512, 513]), st.sampled_from(["", *"abcdefgh"])
    ),
    max_size=60,
)


@given(STEPS, st.lists(st.integers(1, 9), min_size=1, max_size=20), st.integers(0, 60))
def test_together_as_one_by_one(steps: list[tuple[int, str]], sizes: list[int], cut: int) -> None:
    """However the records are batched, and also where another run goes on with the keys held."""
    seq, records, keys = 0, [], []
    for step, key in steps:
        seq += step
        records.append((seq, line(seq, key)))
        keys.append(key)
    looker, found = _Keys({}), []
    at = 0
    for number in range(len(records) + 1):
        if at >= len(records):
            break
        size = sizes[number % len(sizes)]
        batch = records[at : at + size]
        found += looker.repeats(batch, b"\n".join(data for _seq, data in batch))
        at += size
        if at >= cut > at - size:
            looker = _Keys({key.decode(): held for key, held in looker.recent().items()})
    assert found == slowly(records, keys)
