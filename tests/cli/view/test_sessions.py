"""The views of sessions and of their lineage."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cli.view.sessions import facts_of, state_word
from projections.session import Session
from tests.cases.world import OTHER, SID

if TYPE_CHECKING:
    from tests.cases.world import World


@pytest.mark.parametrize(
    ("session", "word"),
    [(Session(), "open"), (Session(ended="t"), "ended"),
     (Session(ended="t", inferred=True), "ended (inferred)")],
)  # fmt: skip
def test_the_state_of_a_session(session: Session, word: str) -> None:
    """An end that no hook reported is named as inferred."""
    assert state_word(session) == word
    assert facts_of("s", session)["state"] == word


def test_unknown_values_are_null() -> None:
    """Times, names and titles that are not known are null; counts are 0."""
    facts = facts_of("s", Session())
    for name in ("started", "ended", "reason", "parent", "title", "model", "branch", "transcript"):
        assert facts[name] is None, name
    assert (facts["prompts"], facts["compactions"], facts["files"]) == (0, 0, [])


def test_a_chain_of_sessions(inline: World) -> None:
    """A session that /clear began belongs to the chain of the one before it."""
    inline.start()
    inline.end(reason="clear")
    inline.after(seconds=1).start("clear", sid=OTHER)
    view = inline.view("lineage", sid=OTHER)
    assert (view["root"], view["parent"], view["chain"]) == (SID, SID, [SID, OTHER])
    (chain,) = view["lineages"]
    assert [(row["session"], row["state"]) for row in chain["sessions"]] == [
        (SID, "ended"), (OTHER, "open"),
    ]  # fmt: skip
    listed = inline.view("sessions")
    assert (listed["open"], len(listed["sessions"])) == (1, 2)
