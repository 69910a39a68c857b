"""The project, settings and clock of one hook call, and the events it appended."""

from __future__ import annotations

import os

from journal.clock import iso, now_ms
from journal.config import CACHE_FILE
from journal.config import settings as read_settings
from journal.home import client_dir, journal_home, project_of, project_start, working_directory
from journal.log.append import DEADLINE, Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

BASH = b'"tool":"Bash"'  # in the record of a shell command


class Context:
    """Environment, clock, paths and settings of one call.

    Attributes:
        env: the environment.
        now: the time in milliseconds since the epoch; iso: the same as ISO 8601.
        fixed: JOURNAL_NOW sets the time, as in a test or a replay.
        home: the journal home.
        project: the project of the working directory; directory: that of its journal.
        settings: name -> value, from journal.config.
        measured: tokens, window and threshold as Claude Code reports them; {} if it does not.
        answers: whether anyone waits for an answer; without, the call only updates the checkpoint.

    """

    def __init__(
        self,
        env: Mapping[str, str],
        cwd: str,
        measured: Mapping[str, int] | None = None,
        *,
        answers: bool = True,
    ) -> None:
        self.measured = measured or {}
        self.answers = answers
        self.env = env
        self.now = now_ms(env)
        self.iso = iso(self.now)
        self.fixed = "JOURNAL_NOW" in env
        self.home = journal_home(env)
        self.project = project_of(project_start(env, cwd or working_directory()), env)
        self.directory = os.path.join(self.home, self.project.name)
        self.settings: dict[str, Any] = read_settings(
            os.path.join(self.directory, CACHE_FILE),
            self.home,
            self.project.root or None,
            client_dir(env),
        )

    def writer(self, deadline: float = DEADLINE) -> Writer:
        """Open the project's log for a `with` block. deadline: seconds to wait for its lock."""
        sync = self.settings["append.sync"]
        return Writer(self.directory, self.iso, sync=sync, deadline=deadline, checked=False)

    def note(self, hook: str, error: BaseException) -> None:
        """Write an error to the error log, see `hooks.errors`."""
        from hooks.errors import note

        note(self.env, hook, error)

    @property
    def records(self) -> bool:
        """Return whether the settings allow recording in this project."""
        return bool(self.settings["capture.level"] != "off")

    @property
    def headless(self) -> bool:
        """Return whether no user sees messages at a session's start (`claude -p`, an SDK)."""
        return self.env.get("CLAUDE_CODE_SESSION_ATTENDED") == "0" or self.env.get(
            "CLAUDE_CODE_ENTRYPOINT", ""
        ).startswith("sdk")

    @property
    def visible_hook(self) -> str:
        """Return the first hook of a session whose message the user sees."""
        return "UserPromptSubmit" if self.headless else "SessionStart"


class Appended:
    """The events that one call appended.

    fact: its first event, before redaction; seq, line: its record without the checksum. recent: the
    log's bytes since the hints were written, None if there are too many to search. tail: the end of
    the log. overlapped: another writer wrote at the same time, so the lock does not work.
    """

    def __init__(
        self,
        fact: dict[str, Any],
        line: bytes,
        seq: int,
        recent: bytes | None,
        tail: bytes,
        *,
        overlapped: bool = False,
    ) -> None:
        self.overlapped = overlapped
        self.fact = fact
        self.line = line
        self.seq = seq
        self.recent = recent
        self.tail = tail


def is_switched_off(env: Mapping[str, str]) -> bool:
    """Return whether JOURNAL_OFF switches the hooks off.

    `journal summarize` sets it for the Claude Code it starts: those calls are not the user's work.
    """
    return env.get("JOURNAL_OFF", "") not in ("", "0")
