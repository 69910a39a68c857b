"""Where the errors of hooks are recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hooks.errors import describe, note

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2026-11-21T09:00:00.000Z"
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def env_of(home: Path) -> dict[str, str]:
    """Return the environment of a hook."""
    return {"JOURNAL_HOME": str(home), "JOURNAL_NOW": NOW}


def test_an_error_is_one_line(tmp_path: Path) -> None:
    """A line has time, hook and error, without newlines, secrets or an unbounded text."""
    error = ValueError(f"could not\nparse {TOKEN} " + "x" * 900)
    note(env_of(tmp_path), "Stop", error)
    note(env_of(tmp_path), "", KeyError("k"))
    log = tmp_path / "hook-errors.log"
    first, second = log.read_text().splitlines()
    assert first.startswith(f"{NOW} Stop ValueError: could not parse [redacted:")
    assert len(first) < 400
    assert second == f"{NOW} - KeyError: 'k'"
    assert log.stat().st_mode & 0o777 == 0o600


def test_the_place_is_named(tmp_path: Path) -> None:
    """An error that was raised names the file and line."""
    with pytest.raises(FileNotFoundError) as caught:
        (tmp_path / "absent").read_text()
    note(env_of(tmp_path), "Stop", caught.value)
    assert " at " in (tmp_path / "hook-errors.log").read_text()


def test_the_file_starts_again_at_its_limit(tmp_path: Path) -> None:
    """More than 1 MiB of errors is not kept."""
    log = tmp_path / "hook-errors.log"
    log.touch(0o600)
    log.write_bytes(b"x" * (1024 * 1024 + 1))
    note(env_of(tmp_path), "Stop", ValueError("new"))
    assert log.stat().st_size < 200


def test_it_never_raises(tmp_path: Path) -> None:
    """With a file in the place of the home, or a folder in that of the log, the line is lost."""
    (tmp_path / "file").write_text("")
    note(env_of(tmp_path / "file"), "Stop", ValueError("x"))
    (tmp_path / "hook-errors.log").mkdir()
    note(env_of(tmp_path), "Stop", ValueError("x"))
    assert (tmp_path / "file").read_text() == ""


def test_a_description_is_bounded() -> None:
    """The event of a failed hook gets type and text in one line of 300 characters."""
    assert describe(ValueError("a\n b")) == "ValueError: a b"
    assert len(describe(ValueError("x" * 1000))) == 300
