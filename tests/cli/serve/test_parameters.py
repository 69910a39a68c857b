"""Parameters of the API's routes."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi", reason="the extra `ui` is not installed")

from pydantic import TypeAdapter, ValidationError

from cli.serve.parameters import SeqOrTime, Since


def accepts(kind: object, text: str) -> bool:
    """Return whether a parameter accepts a text."""
    try:
        TypeAdapter(kind).validate_python(text)
    except ValidationError:
        return False
    return True


@pytest.mark.parametrize(
    ("text", "accepted"),
    [("", True), ("3d", True), ("90m", True), ("3y", False), ("2026-02-28", True),
     ("2026-13-01", False), ("2026-02-32", False), ("2026-02-28T09:30", True),
     ("2026-02-28T09:30:15.25Z", True), ("2026-02-28T09:30+09:00", True),
     ("2026-02-28T24:00", False), ("2026-02-28T09:60", False), ("yesterday", False),
     ("3d\n", False)],
)  # fmt: skip
def test_a_time(text: str, *, accepted: bool) -> None:
    """A time is a date with or without a clock, or an age."""
    assert accepts(Since, text) is accepted
    assert accepts(SeqOrTime, text) is accepted


def test_a_position() -> None:
    """It may be a seq, too, of up to 15 digits; a time may not."""
    assert accepts(SeqOrTime, "9" * 15)
    assert not accepts(SeqOrTime, "9" * 16)
    assert not accepts(Since, "17")
