"""The exceptions of the journal. A leaf: it imports none of ours."""

from __future__ import annotations

__all__ = ["JournalError", "JournalOffError", "LinkedError", "UsageError"]


class JournalError(Exception):
    """Something a person can mend.

    path: what it is about, with `:LINE` where there is one, or "". what: one sentence. remedy:
    what to do next. excerpt: the bytes concerned. code: exit code of a command it ends.
    """

    code = 3

    def __init__(self, path: str, what: str, remedy: str = "", excerpt: str | bytes = b"") -> None:
        super().__init__(f"{path}: {what}" if path else what)
        self.path = path
        self.what = what
        self.remedy = remedy
        self.excerpt = excerpt


class UsageError(JournalError):
    """A command was called in a way it does not understand."""

    code = 2

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__("", what, remedy)


class JournalOffError(JournalError):
    """Nothing can be appended here (read-only, full, foreign or shared directory)."""


class LinkedError(JournalOffError):
    """The file has a second name, as a backup by links gives it: what is written shows there."""
