"""The options of setup, and the result that it prints."""

from __future__ import annotations

import shutil

import pytest

from cli.install.model import SetupOptions, SetupResult
from journal.errors import JournalError

ENV = {"HOME": "/home/ann"}


@pytest.mark.parametrize(
    ("options", "path", "scope"),
    [(SetupOptions(env=ENV), "/home/ann/.claude/settings.json", "user"),
     (SetupOptions(env={**ENV, "CLAUDE_CONFIG_DIR": "/c"}), "/c/settings.json", "user"),
     (SetupOptions(env=ENV, scope="project", project="/work/shop"),
      "/work/shop/.claude/settings.local.json", "local")],
)  # fmt: skip
def test_where_settings_are_written(options: SetupOptions, path: str, scope: str) -> None:
    """A project's settings go to the file that is not shared, in the scope of Claude Code for it."""
    assert (options.settings_path, options.client_scope) == (path, scope)


def test_a_part_that_fails_is_a_step() -> None:
    """An error becomes a failed step with its place and remedy, and the next parts still run."""
    result = SetupResult()
    result.add("copied the code", "done", "/home")
    assert result.ok

    def refuse() -> None:
        raise JournalError("/home/x", "is not ours", "move it")

    def full() -> None:
        raise OSError(28, "No space left on device", "/home/y")

    def full_while_copying() -> None:
        why = "[Errno 28] No space left on device: '/a/b' -> '/c/b'"
        raise shutil.Error([("/a/b", "/c/b", why)] * 400)

    result.attempt(refuse)
    result.attempt(full)
    result.attempt(full_while_copying)
    result.attempt(lambda: result.add("registered", "unchanged"))
    assert [(step.what, step.status, step.where, step.remedy) for step in result.steps[1:]] == [
        ("is not ours", "failed", "/home/x", "move it"),
        ("No space left on device", "failed", "/home/y", ""),
        ("No space left on device", "failed", "", ""),
        ("registered", "unchanged", "", ""),
    ]
    assert not result.ok
    assert result.as_data()["ok"] is False
    assert result.as_data()["steps"][0] == {
        "what": "copied the code", "status": "done", "where": "/home", "remedy": "",
    }  # fmt: skip
