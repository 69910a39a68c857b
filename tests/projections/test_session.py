"""What is known of one session."""

from __future__ import annotations

import pytest

from projections.session import Compaction, Session, title_of


@pytest.mark.parametrize(
    ("session", "title"),
    [(Session(), ""), (Session(prompt="fix\n  the   cart"), "fix the cart"),
     (Session(prompt="x" * 100), "x" * 80), (Session(title="Totals", prompt="fix it"), "Totals")],
)  # fmt: skip
def test_the_title_of_a_session(session: Session, title: str) -> None:
    """Without a title its first prompt stands for it, in one line of 80 characters."""
    assert title_of(session) == title


def test_only_finished_compactions_count() -> None:
    """An attempt that nothing proved is no compaction."""
    session = Session(compacted=[Compaction(seq=2, done_seq=4), Compaction(seq=7)])
    assert (session.attempts, session.compactions) == (2, 1)
