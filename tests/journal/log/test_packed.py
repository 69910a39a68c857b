"""Compressing a segment, and reading one up to its first damaged byte."""

from __future__ import annotations

import gzip
import io
import zlib

import pytest

from journal.log.packed import pack, unpacked

DATA = b"".join(b"%08d record\n" % number for number in range(30_000))


def _packed(*blocks: bytes) -> bytes:
    target = io.BytesIO()
    pack(blocks, target)
    return target.getvalue()


class _File(io.BytesIO):
    """Bytes with the number that a reader asks of a file."""

    def fileno(self) -> int:
        """Return a number that no test uses."""
        return -1


def _read(data: bytes, offset: int = 0) -> tuple[bytes, Exception | None]:
    """Return what can be read from an offset, and the error that ended it."""
    read = b""
    with unpacked(_File(data)) as file:
        file.seek(offset)
        try:
            while block := file.read(10_000):
                assert len(block) <= 10_000
                read += block
        except (zlib.error, EOFError) as error:
            return read, error
    return read, None


def test_packed_bytes_are_the_same_each_time() -> None:
    """The form is gzip without a name or time, so blocks give the same bytes however they are cut."""
    assert gzip.decompress(_packed(DATA)) == DATA
    assert _packed(DATA) == _packed(DATA)
    assert _packed(b"ab")[:10] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"


@pytest.mark.parametrize("offset", [0, 1, 123_456, len(DATA)])
def test_reading_from_an_offset(offset: int) -> None:
    """A reader goes to an offset of the uncompressed bytes, also backwards."""
    assert _read(_packed(DATA), offset) == (DATA[offset:], None)


def test_a_cut_file_is_read_to_the_cut() -> None:
    """All that can be unpacked comes first, then EOFError."""
    read, error = _read(_packed(DATA)[:-4000])
    assert isinstance(error, EOFError)
    assert DATA.startswith(read)
    assert len(read) > len(DATA) // 2


def test_a_flipped_byte_costs_only_what_follows() -> None:
    """All before the damage is read, nothing that differs, then zlib.error."""
    data = bytearray(_packed(DATA))
    data[len(data) // 2] ^= 0xFF
    read, error = _read(bytes(data))
    assert isinstance(error, zlib.error)
    assert len(DATA) // 3 < len(read) < len(DATA)
    assert read[: len(DATA) // 3] == DATA[: len(DATA) // 3]
