"""The part of `Writer` that its helpers use, as a type: they cannot import `Writer` itself."""

from typing import Any, Protocol

from journal.log.record import Prepared


class OpenLog(Protocol):
    """A log that is locked and open for appending, as `Writer` is.

    last_seq: of the last record; size: bytes of the active segment; torn: it ends within a line;
    overlapped: another writer was at work.
    """

    directory: str
    last_seq: int
    size: int
    torn: bool
    overlapped: bool

    @property
    def tail(self) -> bytes:
        """Return the last bytes of the active segment."""

    def read(self, offset: int, length: int) -> bytes:
        """Read bytes of the active segment."""

    def append(self, *events: dict[str, Any] | Prepared) -> list[int]:
        """Append events; return their seqs."""

    def end(self) -> int:
        """Return where the active segment ends now."""

    def skip_to(self, seq: int) -> None:
        """Skip the seqs up to this one."""

    def reopen(self) -> None:
        """Open the active segment again."""

    def end_line(self) -> None:
        """End the line that a killed writer left incomplete."""

    def wait_for_disk(self) -> None:
        """Wait for the disk."""
