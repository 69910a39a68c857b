"""A journal to break: the real writer writes it, and the expected content is kept beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from journal.log.append import Writer
from journal.log.read import Reader
from journal.log.record import ACTIVE, unframe

if TYPE_CHECKING:
    from journal.checkpoint import Position

NOW = "2026-11-21T20:31:13.123Z"


class Book:
    """A journal directory; `told` maps each acknowledged seq to the text of its record."""

    def __init__(self, directory: Path) -> None:
        self.directory = str(directory)
        self.acknowledged: dict[int, str] = {}

    @property
    def active(self) -> Path:
        """Path of the active segment."""
        return Path(self.directory, ACTIVE)

    def write(self, *texts: str, kind: str = "note", sync: str = "none") -> list[int]:
        """Append one record per text, through one writer; return their seqs."""
        given = []
        with Writer(self.directory, NOW, sync=sync) as writer:
            for text in texts:
                (seq,) = writer.append({"type": kind, "v": 1, "sid": "s", "text": text})
                self.acknowledged[seq] = text
                given.append(seq)
        return given

    def fill(self, count: int, size: int = 40) -> None:
        """Append `count` records of about 110 + `size` bytes each."""
        self.write(*(f"{number:04d}" + "x" * size for number in range(count)))

    def read(self) -> tuple[dict[int, str], Reader]:
        """Return the reader, and the texts it finds by seq; the journal's own records have none."""
        reader = Reader(self.directory)
        records = [(seq, unframe(line)) for seq, line in reader]
        assert [seq for seq, _ in records] == sorted({seq for seq, _ in records})
        return {seq: item["text"] for seq, item in records if "text" in item}, reader

    def whole_position(self) -> Position:
        """Return the position after a reader that has checked every byte."""
        reader = Reader(self.directory, whole=True)
        for _ in reader:
            pass
        position = reader.position()
        assert position is not None
        return position

    def lines(self) -> list[bytes]:
        """Return the lines of the active segment, without newlines."""
        return self.active.read_bytes().split(b"\n")[:-1]

    def set_lines(self, lines: list[bytes]) -> None:
        """Replace the lines of the active segment."""
        self.active.write_bytes(b"".join(line + b"\n" for line in lines))
