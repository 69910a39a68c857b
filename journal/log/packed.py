"""Compress a segment with gzip, and read one up to its first damaged byte."""

from __future__ import annotations

import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import IO, Any

_BLOCK = 1024 * 1024


def pack(blocks: Iterable[bytes], target: IO[bytes]) -> None:
    """Compress blocks into an open file; the same blocks give the same bytes."""
    import gzip

    with gzip.GzipFile(filename="", mode="wb", fileobj=target, mtime=0, compresslevel=6) as file:
        for block in blocks:
            file.write(block)


def unpacked(raw: IO[bytes]) -> IO[bytes]:
    """Return a reader of a gzip file that has the methods used here: read, seek, close, fileno."""
    reader: Any = _Unpacked(raw)
    return reader  # type: ignore[no-any-return]


class _Unpacked:
    """A gzip file that can be read up to the first damaged byte.

    gzip.GzipFile loses up to a buffer before it. Raises zlib.error or EOFError there.
    """

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self.fileno = raw.fileno
        self._machine = zlib.decompressobj(31)
        self._error: Exception | None = None

    def __enter__(self) -> _Unpacked:  # noqa: PYI034 (Self would cost the import of typing)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._raw.close()

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes; b"" at the end."""
        while self._error is None and not self._machine.eof:
            packed = self._machine.unconsumed_tail or self._raw.read(64 * 1024)
            previous = self._machine.copy()
            try:
                data = self._machine.decompress(packed, size)
            except zlib.error as error:
                self._error = error
                return _unpack_undamaged(previous, packed) or self.read(size)
            if data:
                return data
            if not packed:
                self._error = EOFError("the compressed file ends too early")
        if self._error:
            raise self._error
        return b""

    def seek(self, offset: int) -> None:
        """Go to an offset of the uncompressed bytes, from the beginning."""
        self._raw.seek(0)
        self._machine = zlib.decompressobj(31)
        self._error = None
        while offset > 0 and (skipped := self.read(min(offset, _BLOCK))):
            offset -= len(skipped)


def _unpack_undamaged(machine: Any, packed: bytes) -> bytes:
    """Unpack up to the damage, in steps so small that little is lost."""
    parts = []
    try:
        while part := machine.decompress(packed, 64):
            parts.append(part)
            packed = machine.unconsumed_tail
    except zlib.error:
        pass
    return b"".join(parts)
