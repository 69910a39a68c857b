"""What a compaction caused is the same in Python, for replies that are not imported, and in SQL."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from journal.history.usage.compactions import (
    COMPACTION,
    FILE,
    REPLY,
    caused,
    caused_after,
    caused_by_request,
)
from journal.history.usage.prices import Tokens
from tests.journal.history.usage.test_report import T, compacted, read, reply, report
from tests.support.journals import Journals

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("seed", range(8))
def test_as_in_sql(tmp_path: Path, seed: int) -> None:
    """For random sessions both give the same tokens, and as many compactions."""
    journals = Journals.of(str(tmp_path))
    random_ = random.Random(seed)
    records: list[dict[str, Any]] = []
    events: list[tuple[int, Any]] = []
    for minute in range(60):
        kind = random_.choice((REPLY, REPLY, COMPACTION, FILE, FILE, FILE))
        if kind == REPLY:
            tokens = [random_.randrange(most) for most in (50, 900, 3000, 9000)]
            hour = random_.randrange(tokens[2] + 1)
            record = reply(minute, *tokens, cache_creation_1h_input_tokens=hour)
            events.append((REPLY, (*tokens[:3], hour, tokens[3], False)))
        elif kind == COMPACTION:
            record = compacted(minute)
            events.append((COMPACTION, None))
        else:
            tool, target = random_.choice(("Read", "Read", "Edit")), random_.choice("abcd")
            size = random_.randrange(9000)
            record = read(minute, target, size, tool)
            events.append((FILE, (tool, target, size)))
        records.append(record)
    journals.write(records, side="imported")
    total = report(journals).total
    shares = [
        caused_after(figures, is_first=is_first, again=again)
        for figures, is_first, again in caused(events)
    ]
    assert (
        Tokens(*map(sum, zip(*(share.tokens for share in shares), strict=True))) == total.compacted
    )
    assert sum(share.is_first for share in shares) == total.compactions > 0
    assert T


def test_the_request_for_the_summary() -> None:
    """All of a summary's tokens were caused by its compaction."""
    share = caused_by_request((1, 2, 3, 1, 4, False))
    assert share == (Tokens(1, 2, 3, 1, 4), False, True)
