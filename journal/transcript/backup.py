"""Copy transcripts, compressed and redacted: `transcripts/DIGEST-TIME.jsonl.gz` in a journal.

Invariant: memory use does not grow with the transcript, a copy gets its name only when it is
complete, and only files with such a name are ever removed.
"""

import os
from collections.abc import Iterator
from typing import IO, Any

from journal.clock import DAY_MS, iso, millis
from journal.codec import digest, dumps, loads
from journal.files import open_readable
from journal.home import ensure_directory
from journal.redaction import redact, redact_value
from journal.redaction.outputs import redact_results
from journal.redaction.private import may_be_private, without_spread_private
from journal.replace_file import Replacement

FOLDER = "transcripts"
_LINE = 2 * 1024 * 1024  # maximum bytes of a copied line; of a longer line only its size is stored
_BLOCK = 1024 * 1024
_HEX = frozenset("0123456789abcdef")
_END = ".jsonl.gz"


def name_of(sid: str, now: str) -> str:
    """Return the file name of a session's copy that is made at `now` (ISO 8601, UTC)."""
    return f"{digest(sid)}-{_compact(millis(now) or 0)}{_END}"


def copy_transcript(transcript: str, directory: str, sid: str, now: str) -> str:
    """Copy a transcript as it is now; return the copy's path. Raise OSError, JournalOffError."""
    import gzip

    folder = os.path.join(directory, FOLDER)
    commands: dict[Any, object] = {}
    ensure_directory(folder)
    path = os.path.join(folder, name_of(sid, now))
    with os.fdopen(open_readable(transcript), "rb") as text:
        size = os.fstat(text.fileno()).st_size
        with (
            Replacement(path, sync=True) as file,
            gzip.GzipFile("", "wb", 6, file, mtime=0) as packed,
        ):
            for line in _lines(text, size):
                packed.write(_redacted(line, commands) + b"\n")
    return path


def remove_expired(directory: str, now: str, days: int) -> None:
    """Remove copies older than `days` by the time in their names."""
    folder = os.path.join(directory, FOLDER)
    try:
        names = os.listdir(folder)
    except OSError:
        return
    now_ms = millis(now) or 0
    for name in names:
        made_ms = _made_at(name)
        if made_ms is not None and now_ms - made_ms > days * DAY_MS:
            os.unlink(os.path.join(folder, name))


def _made_at(name: str) -> int | None:
    """Return the time in a copy's name in ms, or None if the name is not that of a copy."""
    lead, _, rest = name.partition("-")
    time = rest.removesuffix(_END)
    ms = millis(f"{time[:4]}-{time[4:6]}-{time[6:11]}:{time[11:13]}:{time[13:15]}.{time[15:]}")
    is_copy = len(lead) == 16 and _HEX.issuperset(lead)
    return ms if ms is not None and is_copy and rest == f"{_compact(ms)}{_END}" else None


def _compact(ms: int) -> str:
    """Return a time in ms as `20261121T203113123Z`."""
    return "".join(c for c in iso(ms) if c.isalnum())


def _lines(file: IO[bytes], size: int) -> Iterator[bytes]:
    """Yield the lines of the first `size` bytes; lines added meanwhile are for the next copy."""
    left = size
    while left > 0:
        line = file.readline(min(_LINE, left))
        if not line:
            return
        left -= len(line)
        if line.endswith(b"\n") or len(line) < _LINE:
            yield line.rstrip(b"\r\n")
            continue
        total = len(line)
        while left > 0 and not line.endswith(b"\n"):
            line = file.readline(min(_BLOCK, left))
            if not line:
                break
            left -= len(line)
            total += len(line)
        # Copy no piece of it: the cut could split a secret, which redaction would then miss.
        yield dumps({"type": "journal.omitted", "bytes": total})


def _redacted(line: bytes, commands: dict[Any, object]) -> bytes:
    """Redact one line: each text in its JSON, unescaped. commands: see `redact_results`."""
    text = line.decode("utf-8", "replace")
    try:
        value = loads(text)
        if may_be_private(line):
            value = without_spread_private(value)
        redact_results(value, commands)
        return dumps(redact_value(value))
    except (ValueError, TypeError, RecursionError):
        return redact(text).encode("utf-8", "replace")
