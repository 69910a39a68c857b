"""The exceptions of the journal."""

from __future__ import annotations


class JournalError(Exception):
    """An error that the user can fix.

    path: the file or object concerned, with `:LINE` if known, or "". what: one sentence. remedy:
    what to do next. excerpt: the bytes concerned. code: exit code of a command that it ends.
    """

    code = 3

    def __init__(self, path: str, what: str, remedy: str = "", excerpt: str | bytes = b"") -> None:
        super().__init__(f"{path}: {what}" if path else what)
        self.path = path
        self.what = what
        self.remedy = remedy
        self.excerpt = excerpt


class UsageError(JournalError):
    """The command line is invalid."""

    code = 2

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__("", what, remedy)


class JournalOffError(JournalError):
    """The journal cannot be written (directory read-only, full, of another user, or shared).

    recorded: the events are in the log all the same, so they must not be appended again; only the
    disk did not confirm them, and a power loss may lose them.
    """

    recorded = False


def off_error(path: str, error: OSError) -> JournalOffError:
    """Return the error that a writer raises for an OSError: what failed, and what to do."""
    import errno  # imported only for errors

    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        remedy = "free some space on that disk"
    elif error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        remedy = "make it writable, or set JOURNAL_HOME to a directory that is"
    elif error.errno == errno.ELOOP:
        remedy = "it is a symbolic link: put a real file or directory in its place"
    else:
        remedy = "run: journal doctor"
    return JournalOffError(path, f"cannot be written: {error.strerror or error}", remedy)


class LinkedError(JournalOffError):
    """The file has a second hard link, as in a backup by links: writing would change both."""


def raised_at(error: BaseException) -> str:
    """Return FILE:LINE of the innermost frame, "" for an error that was not raised."""
    trace = error.__traceback__
    if trace is None:
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename.rpartition('/')[2]}:{trace.tb_lineno}"
