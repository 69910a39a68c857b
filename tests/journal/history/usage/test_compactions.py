"""What compactions caused of replies in a log; test_report.py has the rule's cases."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

from journal.history.usage.compactions import COMPACTION, FILE, REPLY, REQUEST, Caused, caused
from journal.history.usage.prices import Tokens
from tests.journal.history.usage.test_report import compacted, read, reply, report
from tests.support.examples import third
from tests.support.journals import Journals

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("seed", third(range(8)))
def test_events_in_a_log(tmp_path: Path, seed: int) -> None:
    """What a log does not return of a session, and the order of its records, change nothing."""
    random_ = random.Random(seed)
    records: list[dict[str, Any]] = []
    events: list[tuple[Any, ...]] = []
    for minute in range(60):
        kind = random_.choice((REPLY, REPLY, COMPACTION, FILE, FILE, FILE))
        if kind == REPLY:
            tokens = [random_.randrange(most) for most in (50, 900, 3000, 9000)]
            hour = random_.randrange(tokens[2] + 1)
            records.append(reply(minute, *tokens, cache_creation_1h_input_tokens=hour))
            events.append(("", kind, minute, "", *tokens[:3], hour, tokens[3]))
        elif kind == COMPACTION:
            records.append(compacted(minute))
            events.append(("", kind, None, ""))
        else:
            tool, path = random_.choice(("Read", "Read", "Edit")), random_.choice("abcd")
            size = random_.randrange(9000)
            records.append(read(minute, path, size, tool))
            events.append(("", kind, None, path, size if tool == "Read" else None))
    random_.shuffle(records)
    journals = Journals.of(str(tmp_path))
    journals.write(records, side="imported")
    total = report(journals).total
    shares = [share for _, share in caused(events)]
    assert (
        Tokens(*map(sum, zip(*(share.tokens for share in shares), strict=True))) == total.compacted
    )
    assert sum(share.is_first for share in shares) == total.compactions > 0


def test_two_replies_of_one_time(tmp_path: Path) -> None:
    """Of two, the live one wrote the context: an import changes nothing that was exported."""
    journals = Journals.of(str(tmp_path))
    journals.write([compacted(1), reply(2, 10)])
    journals.write([reply(2, 20)], side="imported")
    assert report(journals).total.compacted.input == 10


def test_the_request_for_the_summary() -> None:
    """All of a summary's tokens were caused by its compaction."""
    found = dict(caused([("", REQUEST, "summary", "", 1, 2, 3, 1, 4)]))
    assert found == {"summary": Caused(Tokens(1, 2, 3, 1, 4), is_request=True)}
