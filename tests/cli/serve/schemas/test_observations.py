"""The models of observations: what one to record must be, and the names the API gives."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("pydantic", reason="the extra `ui` is not installed")

from pydantic import ValidationError

from cli.serve.schemas.observations import NewObservation, Observation


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
