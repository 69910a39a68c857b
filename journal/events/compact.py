"""Events of a compaction: started, summarized, (session.started), finished, in this order."""

from journal.events.base import Event, Flow, Stock


class CompactStarted(Event, frozen=True, kw_only=True, tag="compact.started"):
    """Claude Code begins a compaction, which may still fail (hook PreCompact).

    trigger: auto or manual; instructions: those of a `/compact` by hand; tokens: the last
    reading before it, null if unknown; point: the compaction threshold, 0 if unknown; headings:
    the 3 newest of the work log, before trimming; flow, stock: the work files at that time;
    unpromoted, promoted, items: only in logs of version 0.1.0, later versions record them in
    the `checkpoint.saved` that follows.
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
    """What PreCompact found only in the transcript since the last compaction, newest last.

    reasons: sentences in which Claude or a subagent gave a reason or a detail; refused: what
    the user wrote when refusing a call or correcting Claude; calls: the refused calls, as tool
    and command or path, with a short reason in a second line; said: requests before the newest
    four, and instructions in long prompts; ids: commits, tickets and links, the most frequent last;
    numbers: clauses with a count or a measurement; errors: the most relevant line of each log in
    long prompts; choices: short answers to questions that Claude wrote, as [question, answer];
    withdrawn: beginnings of prompts and answers that a rewind removed, and of prompts that a hook
    blocked.
    """

    reasons: list[str] = []
    refused: list[str] = []
    calls: list[str] = []
    said: list[str] = []
    ids: list[str] = []
    numbers: list[str] = []
    errors: list[str] = []
    choices: list[list[str]] = []
    withdrawn: list[str] = []


class CompactSummarized(Event, frozen=True, kw_only=True, tag="compact.summarized"):
    """A compaction's own subagent wrote the summary, which PostCompact repeats.

    summary: part of the text; size: characters of the whole; part, parts: number of this part,
    number of all.
    """

    summary: str = ""
    size: int = 0
    part: int = 1
    parts: int = 1


class CompactFinished(Event, frozen=True, kw_only=True, tag="compact.finished"):
    """A compaction ended (hook PostCompact). Summaries over 12,000 characters have parts.

    trigger: auto or manual; tokens: context tokens afterwards, null if the client does not
    report them; summary: this part of the text; size: characters of the whole; part, parts:
    number of this part, number of all.
    """

    trigger: str = ""
    tokens: int | None = None
    summary: str = ""
    size: int = 0
    part: int = 1
    parts: int = 1


class FlowTrimmed(Event, frozen=True, kw_only=True, tag="flow.trimmed"):
    """A complete entry that the journal moved from the work log after a compaction.

    heading, date: of the entry; digest: of the heading; text: this part of the entry; part,
    parts: number of this part, number of all.
    """

    heading: str = ""
    date: str = ""
    digest: str = ""
    text: str = ""
    part: int = 1
    parts: int = 1
