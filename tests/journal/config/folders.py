"""A journal home, a project and Claude Code's directory, with their optional files of settings."""

from __future__ import annotations

import os

import pytest

import journal.config as compiled
from journal.config.schema import DEFAULTS

NOTHING = {**DEFAULTS, "config.problems": 0}


class Folders:
    """A journal home, a project, Claude Code's directory, and their five optional files."""

    def __init__(self, root):
        self.home = os.path.join(root, "home")
        self.project = os.path.join(root, "project")
        self.client = os.path.join(root, "client")
        for path in (self.home, os.path.join(self.project, ".claude"), self.client):
            os.makedirs(path, exist_ok=True)
        self.cache = os.path.join(self.home, "settings.cache")
        self.files = {
            "home": os.path.join(self.home, "config.toml"),
            "user": os.path.join(self.client, "settings.json"),
            "project": os.path.join(self.project, ".claude", "journal.toml"),
            "shared": os.path.join(self.project, ".claude", "settings.json"),
            "local": os.path.join(self.project, ".claude", "settings.local.json"),
        }
        self.age = 10**9

    def write(self, which, text):
        """Write a file, with an mtime long past and different each time."""
        with open(self.files[which], "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        self.age += 10
        os.utime(self.files[which], (self.age, self.age))

    def settings(self):
        """Return the settings as a hook gets them."""
        return compiled.settings(self.cache, self.home, self.project, self.client)


@pytest.fixture
def folders(tmp_path):
    """Return the directories, without files."""
    return Folders(str(tmp_path))
