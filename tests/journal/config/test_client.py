"""The values read from Claude Code's own settings files."""

from __future__ import annotations

import os

import pytest

from journal.config import client_files
from journal.config.client import client_values


class Folders:
    """Claude Code's directory and a project's, with their three optional settings files."""

    def __init__(self, root):
        self.client = os.path.join(root, "client")
        self.project = os.path.join(root, "project")
        os.makedirs(self.client)
        os.makedirs(os.path.join(self.project, ".claude"))

    def write(self, which, text):
        """Write one of the files: user, shared or local."""
        files = dict(zip(("user", "shared", "local"), self.files(), strict=True))
        with open(files[which], "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def files(self):
        """Return the three paths."""
        return client_files(self.client, self.project)

    def values(self):
        """Return the values read from the files that exist."""
        return client_values(self.files())


@pytest.fixture
def folders(tmp_path):
    """Return the directories, without files."""
    return Folders(str(tmp_path))


def test_without_files_there_is_nothing(folders):
    """Without files there are no values, and without directories no paths."""
    assert folders.values() == {}
    assert client_files("", None) == []


def test_later_client_files_override(folders):
    """The order is user, project, local: a later file overrides only the keys it has."""
    folders.write("user", '{"autoCompactWindow": 1, "cleanupPeriodDays": 99, "env": '
                '{"DISABLE_COMPACT": "a", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50"}}')  # fmt: skip
    folders.write("shared", '{"autoCompactWindow": 2, "env": {"DISABLE_COMPACT": "b"}}')
    folders.write("local", '{"autoCompactWindow": 3, "autoCompactWindow ": 4}')
    assert folders.values() == {
        "client.autoCompactWindow": 3,
        "client.cleanupPeriodDays": 99,
        "client.env.DISABLE_COMPACT": "b",
        "client.env.CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "50",
    }


@pytest.mark.parametrize("name", ["CLAUDE_CODE_AUTO_COMPACT_WINDOW",
    "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "DISABLE_AUTO_COMPACT",
    "DISABLE_COMPACT", "CLAUDE_CODE_MAX_CONTEXT_TOKENS", "CLAUDE_CODE_DISABLE_1M_CONTEXT"])  # fmt: skip
@pytest.mark.parametrize(
    "value, expected", [('"1"', "1"), ("1", "1"), ("true", "true"), ('""', "")]
)
def test_environment_entries(folders, name, value, expected):
    """Each variable that moves the compaction point is read, as the text Claude Code makes of it."""
    folders.write("user", f'{{"env": {{"{name}": {value}, "SECRET": "x"}}}}')
    assert folders.values() == {f"client.env.{name}": expected}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not json",
        "[]",
        "null",
        "[" * 9000,
        b"\xff\xfe",
        '{"autoCompactWindow": "100000"}',
        '{"autoCompactWindow": true}',
        '{"autoCompactWindow": -1}',
        '{"autoCompactWindow": 1e5}',
        '{"autoCompactWindow": 99999999999}',
        '{"autoCompactEnabled": "no"}',
        '{"autoCompactEnabled": 0}',
        '{"env": []}',
        '{"env": "DISABLE_COMPACT"}',
        '{"env": {"DISABLE_COMPACT": null}}',
        '{"env": {"DISABLE_COMPACT": "a\\nb"}}',
        '{"env": {"DISABLE_COMPACT": "\\ud800"}}',
        '{"env": {"DISABLE_COMPACT": "' + "1" * 65 + '"}}',
        '{"hooks": {}, "model": "x"}',
        '{"autoCompactWindow": 5}' + " " * 256 * 1024,
    ],
)
def test_unusable_client_settings_are_passed_over(folders, text):
    """A value of another kind, or a file that is too large or not JSON, is ignored."""
    folders.write("user", '{"autoCompactWindow": 7}')
    folders.write("shared", text)
    assert folders.values() == {"client.autoCompactWindow": 7}


def test_client_settings_may_start_with_a_mark(folders):
    """A byte order mark does not hide the settings."""
    folders.write("user", b'\xef\xbb\xbf{"autoCompactWindow": 7}')
    assert folders.values()["client.autoCompactWindow"] == 7
