"""What can be wrong with a journal, as values and exceptions. A leaf: it imports none of ours."""

from __future__ import annotations

__all__ = [
    "ANOMALY",
    "CORRUPT",
    "TORN",
    "UNKNOWN",
    "VALID",
    "Finding",
    "JournalError",
    "JournalOffError",
    "UsageError",
]

VALID = "valid"
UNKNOWN = "unknown"
TORN = "torn"
CORRUPT = "corrupt"
ANOMALY = "anomaly"


class Finding:
    """One thing a reader noticed.

    verdict: TORN, CORRUPT, ANOMALY or UNKNOWN.
    path, line, offset: where (line from 1; offset in bytes of the uncompressed segment).
    what: one sentence. excerpt: the first bytes concerned, at most 120.
    """

    __slots__ = ("excerpt", "line", "offset", "path", "verdict", "what")

    def __init__(
        self, verdict: str, path: str, line: int, offset: int, what: str, excerpt: bytes = b""
    ) -> None:
        self.verdict = verdict
        self.path = path
        self.line = line
        self.offset = offset
        self.what = what
        self.excerpt = excerpt[:120]

    def __repr__(self) -> str:
        return f"{self.path}:{self.line}: {self.verdict}: {self.what}"


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
