"""Translate errors of object stores and of delta-rs into JournalErrors with a remedy."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

from journal.errors import JournalError

BUSY = "others committed at the same time"
_DENIED = "access is denied"
# Words in an error's text → what is wrong, and what to do. The first row with a match counts.
_FAULTS = (
    (("RequestTimeTooSkewed", "time skew"), "refuses the request: this machine's clock is wrong",
     "set the clock, then export again"),
    (("NoSuchBucket", "bucket does not exist"), "there is no such bucket",
     "create it, or correct the URL"),
    (("AccessDenied", "Forbidden", "403", "InvalidAccessKeyId", "SignatureDoesNotMatch",
      "Unauthorized", "401", "PermissionDenied", "Permission denied", "CredentialsNotLoaded",
      "NoCredentials", "credential"), _DENIED,
     "check AWS_PROFILE or AWS_ACCESS_KEY_ID, and what they may do: docs/team.md"),
    (("error sending request", "connect", "timed out", "timeout", "dns"), "cannot be reached",
     "check the network and AWS_ENDPOINT_URL; what was committed is complete; export again"),
    (("conflict", "Commit failed", "CommitFailed", "already exists", "Metadata changed"),
     BUSY, "export again: nothing is added twice"),
)  # fmt: skip


@contextmanager
def faults_at(where: str) -> Iterator[None]:
    """Turn an error of the store at a place into a JournalError with a remedy."""
    try:
        yield
    except JournalError:
        raise
    except BaseException as error:
        # While rows are read, delta-rs raises plain exceptions; a panic of Rust is a BaseException.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        text = str(error)
        for words, what, remedy in _FAULTS:
            if any(word.lower() in text.lower() for word in words):
                local = "://" not in where or where.startswith("file://")
                way = "check who may write there" if what == _DENIED and local else remedy
                raise JournalError(where, what, way, _shown(text)) from error
        what = "cannot be read or written"
        raise JournalError(where, what, "see docs/team.md", _shown(text)) from error


def _shown(text: str) -> str:
    """Return an error text of the library, a coloured tree, as one plain line."""
    plain = re.sub(r"\x1b\[[0-9;]*m|[│├└─↳]", " ", text)
    return " ".join(plain.split())[:300]
