"""How many ordinary lines redaction changes, of 500,000 and more, by kind.

JOURNAL_ORDINARY_SHOW=1 prints each changed line.
"""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from journal.redaction.batch import redact_texts
from tests.bench.ordinary import KINDS, commits, prompts, texts

if TYPE_CHECKING:
    from collections.abc import Iterable

pytestmark = pytest.mark.bench

LINES = 250_000  # of each kind of file
LIMIT = 5 / 10_000
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))  # a public repository


def changed(blocks: Iterable[list[str]], seen: set[int]) -> tuple[int, list[str]]:
    """Return how many lines are new to `seen`, and those of them that redaction changes."""
    count, found = 0, []
    pending = []
    for block in blocks:
        new = [line for line in dict.fromkeys(block) if hash(line) not in seen]
        seen.update(map(hash, new))
        count += len(new)
        pending.append("\n".join(new))
    for text, clean in redact_texts(pending).items():
        found += (Counter(text.split("\n")) - Counter(clean.split("\n"))).elements()
    return count, found


def test_ordinary_lines(capsys: pytest.CaptureFixture) -> None:
    """At most 5 of 10,000 different ordinary lines change."""
    seen: set[int] = set()
    kinds = {kind: texts(kind, LINES) for kind in KINDS}
    kinds["commit messages"] = iter([*commits(), *commits(PYENV)])
    kinds["prompts"] = iter([[line] for line in prompts()])
    total = bad = 0
    for kind, blocks in kinds.items():
        count, found = changed(blocks, seen)
        total, bad = total + count, bad + len(found)
        with capsys.disabled():
            print(f"{kind}: {len(found)} of {count:,} lines changed "
                  f"({10_000 * len(found) / max(count, 1):.1f} per 10,000)")  # fmt: skip
            if os.environ.get("JOURNAL_ORDINARY_SHOW"):
                print(*(f"  {line[:300]}" for line in found), sep="\n")
    with capsys.disabled():
        print(f"in all: {bad} of {total:,} ({10_000 * bad / total:.1f} per 10,000)")
    assert bad <= LIMIT * total
