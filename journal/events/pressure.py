"""Events of context pressure, of messages that hooks gave, and of points to recover from."""

from journal.events.base import Event


class PressureSampled(Event, frozen=True, kw_only=True, tag="pressure.sampled"):
    """A reading of how full the context window is.

    source: client, transcript, boundary, statusline or hook. tokens: input + cache + output as the
    client counts them; window: the model's; limit: the window that counts (auto-compact window);
    point: the compaction threshold, as the client reports it or by formula (0 unknown); used and
    pressure: percent of window and of point; at: time of the reading; terms: how point was
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
    terms: list[list[str]] = []


class AdviceGiven(Event, frozen=True, kw_only=True, tag="advice.given"):
    """A hook gave advice.

    what: pressure, compound, phase, answers-off or journal-off. level: info or urgent for pressure;
    channel: context (the model) or message (the user); hook: the event that carried it;
    characters and digest of the text; tokens, point: the values that the hook decided by. said: the
    call's whole answer, as recipient → text, in the call's first record only.
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
    """A hook injected text.

    what: recovery, start, pack, related, dropped, learnings or guidance. said: the call's whole
    answer, as recipient → text, in the call's first record only.
    """

    what: str = ""
    hook: str = ""
    characters: int = 0
    digest: str = ""
    reason: str = ""
    said: dict[str, str] = {}


class CheckpointSaved(Event, frozen=True, kw_only=True, tag="checkpoint.saved"):
    """A point to recover from. cause: compact, pressure or asked.

    Before a compaction also, from the views: unpromoted: work-log entries and notes that no
    compound covered; promoted: whether one ran since the previous compaction; items: open items of
    the current unit, at most 20; headings: if they differ from those in `compact.started`; gone:
    changed files that do not exist any more.
    """

    summary: str = ""
    cause: str = ""
    unit: str = ""
    unpromoted: int | None = None
    promoted: bool | None = None
    headings: list[str] = []
    items: list[str] = []
    gone: list[str] = []
