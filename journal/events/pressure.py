"""Events of context pressure, of messages that hooks gave, and of points to recover from."""

from journal.events.base import Event


class PressureSampled(Event, frozen=True, kw_only=True, tag="pressure.sampled"):
    """A reading of how full the context window is.

    tokens: input, cache and output, as the client counts them; window: the model's context
    window; limit: the window that counts (auto-compact window); point: the compaction
    threshold, from the client or by formula, 0 if unknown; used, pressure: percent of window
    and of point; source: client, transcript, boundary, statusline or hook; model: name of the
    model; at: time of the reading; enabled: automatic compaction is on; terms: how point was
    computed, as [name, value, provenance].
    """

    tokens: int = 0
    window: int = 0
    limit: int = 0
    point: int = 0
    used: float = 0
    pressure: float = 0
    source: str = ""
    model: str = ""
    at: str = ""
    enabled: bool = True
    terms: tuple[list[str], ...] = ()


class AdviceGiven(Event, frozen=True, kw_only=True, tag="advice.given"):
    """A hook sent a message that gives advice.

    what: pressure, compound, phase, answers-off or journal-off; level: info or urgent, for
    pressure; channel: context (Claude reads it) or message (the user reads it); hook: the hook
    event that carried it; characters, digest: of the text; tokens, point: the values that the
    hook decided by; reason: why it was sent; said: the call's whole answer, as recipient →
    text, in the call's first record only.
    """

    what: str = ""
    level: str = ""
    channel: str = ""
    hook: str = ""
    characters: int = 0
    digest: str = ""
    tokens: int = 0
    point: int = 0
    reason: str = ""
    said: dict[str, str] = {}


class ContextInjected(Event, frozen=True, kw_only=True, tag="context.injected"):
    """A hook gave Claude a text.

    what: recovery, start, pack, related, dropped, learnings or guidance; hook: the hook event
    that carried it; characters, digest: of the text; reason: why it was sent; said: the call's
    whole answer, as recipient → text, in the call's first record only.
    """

    what: str = ""
    hook: str = ""
    characters: int = 0
    digest: str = ""
    reason: str = ""
    said: dict[str, str] = {}


class CheckpointSaved(Event, frozen=True, kw_only=True, tag="checkpoint.saved"):
    """A save point: a state of the work to recover from.

    summary: the state in words; cause: compact, pressure or asked; unit: the current unit of
    work; unpromoted: before a compaction, work-log entries and notes that no compound covered;
    promoted: whether a compound ran since the previous compaction; headings: the newest of the
    work log, if they differ from those in `compact.started`; items: open items of the unit, at
    most 20; gone: changed files that no longer exist.
    """

    summary: str = ""
    cause: str = ""
    unit: str = ""
    unpromoted: int | None = None
    promoted: bool | None = None
    headings: list[str] = []
    items: list[str] = []
    gone: list[str] = []
