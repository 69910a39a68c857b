"""The models of the API: sessions are made of a digest, observations are what may be recorded."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("pydantic", reason="the extra `ui` is not installed")

from pydantic import ValidationError

from cli.serve.schemas import NewObservation, Observation, SessionDetail, SessionRow
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


def made(**members: Any) -> NewObservation:
    """Return the model of a body with these members, session and title given."""
    return NewObservation.model_validate({"session": "s", "title": "t"} | members)


@pytest.mark.parametrize(("given", "ms"), [(7, 7), (7.0, 7), (0, 0), (None, None)])
def test_a_whole_number_is_an_integer(given: float | None, ms: int | None) -> None:
    """JSON calls 7.0 an integer, too."""
    assert made(ms=given).ms == ms


@pytest.mark.parametrize(
    "wrong",
    [{"ms": 7.5}, {"ms": -1}, {"ms": 10**12}, {"ms": "7"}, {"title": ""}, {"tool": ""},
     {"session": ""}, {"project": "p" * 1000}, {"unknown": 1}],
)  # fmt: skip
def test_what_cannot_be_recorded_is_refused(wrong: dict[str, Any]) -> None:
    """Each of these members alone makes a body invalid."""
    with pytest.raises(ValidationError):
        made(**wrong)


def test_what_is_left_out() -> None:
    """A body without them records a successful call of the API."""
    found = made()
    assert (found.tool, found.text, found.ok, found.error, found.changed) == (
        "api", "", True, "", False,
    )  # fmt: skip


def test_members_are_named_for_readers() -> None:
    """Names of the projection are given as the API calls them."""
    call = SimpleNamespace(
        seq=1, ts="at", tool="Bash", target="a", subject="b", ok=True, error="", ms=None,
        changed=False, tests="", output_size=9, agent="",
    )  # fmt: skip
    found = Observation.model_validate(call).model_dump()
    assert (found["at"], found["title"], found["text"], found["size"]) == ("at", "a", "b", 9)
