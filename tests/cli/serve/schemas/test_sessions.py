"""The models of sessions are made of a digest, whatever it lacks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("pydantic", reason="the extra `ui` is not installed")

from cli.serve.schemas.sessions import SessionDetail, SessionRow
from journal.history.search.index import PastSession
from projections.digest import Digest
from projections.facts.session import Failure, Gathered
from projections.session import Session


def detail(digest: Digest) -> SessionDetail:
    """Return the whole session of a digest."""
    members: dict[str, Any] = {"source": "shop#3", "block": "a block", "damage": [], "losses": []}
    return SessionDetail.model_validate(SimpleNamespace(project="shop", digest=digest, **members))


def test_a_session_of_which_nothing_is_known() -> None:
    """Each member is found in an empty digest, too."""
    row = SessionRow.model_validate(PastSession("shop", Digest(sid="s")))
    assert (row.id, row.project, row.status, row.tokens) == ("s", "shop", "open", None)
    whole = detail(Digest(sid="s"))
    assert (whole.errors, whole.messages, whole.marks, whole.block_tokens) == ([], [], [], 2)


@pytest.mark.parametrize(
    ("more", "kind"), [({}, "live"), ({"imported": True}, "imported"), ({"of": "x"}, "exported")]
)
def test_where_a_session_comes_from(more: dict[str, Any], kind: str) -> None:
    """A part of another session, an imported one, or one that hooks recorded."""
    row = SessionRow.model_validate(PastSession("shop", Digest(sid="s", **more)))
    assert row.kind == kind


def test_failed_calls_are_listed() -> None:
    """A call that nothing repaired says null, not 0."""
    failures = [Failure(3, "Bash", "make", "exit 2"), Failure(4, "Bash", "test", "no", repaired=9)]
    session = Session(failures=2, prompts=1, ended="2026-11-21T10:00:00.000Z")
    whole = detail(Digest(sid="s", session=session, gathered=Gathered(failures=failures)))
    assert [(each.seq, each.repaired) for each in whole.errors] == [(3, None), (4, 9)]
    assert (whole.failures, whole.prompts, whole.status) == (2, 1, "completed")
