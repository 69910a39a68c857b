"""Events of the journal itself."""

from journal.events.base import Event


class SegmentOpened(Event, frozen=True, kw_only=True, tag="segment.opened"):
    """First record of a segment: format number, journal id, and its predecessor."""

    format: int = 1
    journal: str = ""
    previous: str = ""
    last_seq: int = 0
    digest: str = ""


class HookFailed(Event, frozen=True, kw_only=True, tag="hook.failed"):
    """A hook call could not be understood or went wrong; size of its input in bytes."""

    hook: str = ""
    error: str = ""
    size: int = 0
    head: str = ""


class HookReceived(Event, frozen=True, kw_only=True, tag="hook.received"):
    """A hook event that this version does not know. input: its members as JSON, bounded."""

    hook: str = ""
    size: int = 0
    input: str = ""


class JournalGap(Event, frozen=True, kw_only=True, tag="journal.gap"):
    """That many events were lost before this one: nothing could be written."""

    missed: int = 0


class JournalRepaired(Event, frozen=True, kw_only=True, tag="journal.repaired"):
    """A segment was rewritten without its bad lines, which are in quarantine.

    missing: [first, last] of each run of seqs that is known to be lost.
    """

    segment: str = ""
    kept: int = 0
    removed: int = 0
    missing: list[list[int]] = []
    quarantined: str = ""


class JournalRedacted(Event, frozen=True, kw_only=True, tag="journal.redacted"):
    """`journal redact` replaced a secret in records written before.

    by: secret, pattern or rules. records, segments: how many changed; files: others that did.
    Nothing here tells what was replaced.
    """

    by: str = ""
    records: int = 0
    segments: int = 0
    files: int = 0


class JournalCollected(Event, frozen=True, kw_only=True, tag="journal.collected"):
    """`journal gc` removed texts of old records, and old files.

    before: class → time; what is older is gone. removed: class → records or files. saved: bytes.
    """

    before: dict[str, str] = {}
    removed: dict[str, int] = {}
    saved: int = 0
