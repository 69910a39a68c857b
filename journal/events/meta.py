"""Events of the journal itself."""

from journal.events.base import Event


class SegmentOpened(Event, frozen=True, kw_only=True, tag="segment.opened"):
    """First record of a segment.

    format: number of the log format; journal: ID of the journal; previous: name of the segment
    before; last_seq: its last sequence number; digest: of its bytes.
    """

    format: int = 1
    journal: str = ""
    previous: str = ""
    last_seq: int = 0
    digest: str = ""


class HookFailed(Event, frozen=True, kw_only=True, tag="hook.failed"):
    """A hook call had invalid input or failed.

    hook: its event; error: what went wrong; size: bytes of the input; head: beginning of the
    input.
    """

    hook: str = ""
    error: str = ""
    size: int = 0
    head: str = ""


class HookReceived(Event, frozen=True, kw_only=True, tag="hook.received"):
    """A hook event that this version does not know.

    hook: its name; size: bytes of the input; input: its members as JSON, clipped.
    """

    hook: str = ""
    size: int = 0
    input: str = ""


class JournalGap(Event, frozen=True, kw_only=True, tag="journal.gap"):
    """Events before this one were lost: neither log nor spool could be written.

    missed: how many.
    """

    missed: int = 0


class JournalRepaired(Event, frozen=True, kw_only=True, tag="journal.repaired"):
    """`journal repair` rewrote a segment and moved its damaged lines to the quarantine.

    segment: its name; kept, removed: number of lines; missing: [first, last] of each range of
    lost sequence numbers; quarantined: path of the original.
    """

    segment: str = ""
    kept: int = 0
    removed: int = 0
    missing: list[list[int]] = []
    quarantined: str = ""


class JournalRedacted(Event, frozen=True, kw_only=True, tag="journal.redacted"):
    """`journal redact` replaced a secret in earlier records. The event does not contain it.

    by: secret, pattern or rules; records, segments: how many changed; files: how many other
    files changed.
    """

    by: str = ""
    records: int = 0
    segments: int = 0
    files: int = 0


class JournalCollected(Event, frozen=True, kw_only=True, tag="journal.collected"):
    """`journal gc` removed texts of old records, and old files.

    before: class → time before which it removed them; removed: class → count; saved: bytes.
    """

    before: dict[str, str] = {}
    removed: dict[str, int] = {}
    saved: int = 0
