"""Events of the journal itself."""

from journal.events.base import Event


class SegmentOpened(Event, frozen=True, kw_only=True, tag="segment.opened"):
    """First record of a segment: format number, journal id, previous segment."""

    format: int = 1
    journal: str = ""
    previous: str = ""
    last_seq: int = 0
    digest: str = ""


class HookFailed(Event, frozen=True, kw_only=True, tag="hook.failed"):
    """A hook call had invalid input or failed. size: bytes of the input."""

    hook: str = ""
    error: str = ""
    size: int = 0
    head: str = ""


class HookReceived(Event, frozen=True, kw_only=True, tag="hook.received"):
    """A hook event that this version does not know. input: its members as JSON, clipped."""

    hook: str = ""
    size: int = 0
    input: str = ""


class JournalGap(Event, frozen=True, kw_only=True, tag="journal.gap"):
    """`missed` events before this one were lost: neither log nor spool could be written."""

    missed: int = 0


class JournalRepaired(Event, frozen=True, kw_only=True, tag="journal.repaired"):
    """`journal repair` rewrote a segment and moved its damaged lines to the quarantine.

    missing: [first, last] of each range of seqs that is lost.
    """

    segment: str = ""
    kept: int = 0
    removed: int = 0
    missing: list[list[int]] = []
    quarantined: str = ""


class JournalRedacted(Event, frozen=True, kw_only=True, tag="journal.redacted"):
    """`journal redact` replaced a secret in earlier records.

    by: secret, pattern or rules. records, segments: how many changed; files: how many other files.
    It does not contain the replaced text.
    """

    by: str = ""
    records: int = 0
    segments: int = 0
    files: int = 0


class JournalCollected(Event, frozen=True, kw_only=True, tag="journal.collected"):
    """`journal gc` removed texts of old records, and old files.

    before: class → time before which it removed them. removed: class → count. saved: bytes.
    """

    before: dict[str, str] = {}
    removed: dict[str, int] = {}
    saved: int = 0
