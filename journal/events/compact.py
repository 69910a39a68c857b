"""Events of a compaction: started, summarized, (session.started), finished, in this order."""

from journal.events.base import Event
from journal.events.facts import Flow, Stock


class CompactStarted(Event, frozen=True, kw_only=True, tag="compact.started"):
    """PreCompact: Claude Code begins a compaction, which may still fail.

    trigger: auto or manual. tokens: the last reading before it (None unknown); headings: the 3 most
    recent, before trimming. unpromoted, promoted and items come from the views: logs of version
    0.1.0 have them here, later ones in the `checkpoint.saved` that follows.
    """

    trigger: str = ""
    instructions: str = ""
    tokens: int | None = None
    point: int = 0
    unpromoted: int | None = None
    promoted: bool | None = None
    headings: list[str] = []
    items: list[str] = []
    flow: Flow | None = None
    stock: Stock | None = None


class CompactGathered(Event, frozen=True, kw_only=True, tag="compact.gathered"):
    """What PreCompact found only in the transcript, since the last compaction; newest last.

    reasons: sentences in which Claude or a subagent gave a reason or a detail; refused: what the
    user wrote when refusing a call or correcting Claude; calls: the refused calls, as tool and
    command or path; said: instructions from the middle of long prompts; ids: commits, tickets and
    links, the most frequent last; numbers: clauses with a count or a measurement; withdrawn:
    beginnings of prompts and answers that a rewind removed from the conversation, and of prompts
    that a hook blocked.
    """

    reasons: list[str] = []
    refused: list[str] = []
    calls: list[str] = []
    said: list[str] = []
    ids: list[str] = []
    numbers: list[str] = []
    withdrawn: list[str] = []


class CompactSummarized(Event, frozen=True, kw_only=True, tag="compact.summarized"):
    """SubagentStop of the compaction's own subagent: the summary, which PostCompact repeats."""

    summary: str = ""
    size: int = 0
    part: int = 1
    parts: int = 1


class CompactFinished(Event, frozen=True, kw_only=True, tag="compact.finished"):
    """PostCompact: the summary, in parts of at most 12,000 characters; size of the whole.

    tokens: context tokens afterwards, if the client reports them (None unknown).
    """

    trigger: str = ""
    tokens: int | None = None
    summary: str = ""
    size: int = 0
    part: int = 1
    parts: int = 1


class FlowTrimmed(Event, frozen=True, kw_only=True, tag="flow.trimmed"):
    """A complete entry that a compaction removed from the work log; long ones come in parts."""

    heading: str = ""
    date: str = ""
    digest: str = ""
    text: str = ""
    part: int = 1
    parts: int = 1
