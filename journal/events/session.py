"""Events of a session as a whole."""

from journal.events.base import Event
from journal.events.facts import Flow, Stock


class SessionStarted(Event, frozen=True, kw_only=True, tag="session.started"):
    """SessionStart. source: startup, resume, clear, fork or compact.

    previous: the session this one goes on from, when known; context_tokens: as the client counts;
    pid: process of the client, which finds a session that died without an end; pid_start: when
    that process started (ticks since the system did); autocompact: auto-compact window it was
    started with (`--autocompact N`), 0 for none; loop: another plugin's loop that is active here,
    as [name, iteration, maximum, promise]; unowned: a progress file that names no session, as
    [path, skill, phase].
    flow and stock: what the project's work files held at that moment.
    """

    source: str = ""
    model: str = ""
    transcript: str = ""
    context_tokens: int | None = None
    previous: str = ""
    title: str = ""
    pid: int = 0
    pid_start: int = 0
    autocompact: int = 0
    loop: list[str] = []
    unowned: list[str] = []
    flow: Flow | None = None
    stock: Stock | None = None


class SessionEnded(Event, frozen=True, kw_only=True, tag="session.ended"):
    """SessionEnd, or inferred by the next start when a session died without one."""

    reason: str = ""
    inferred: bool = False
    pid: int = 0


class SessionSummarized(Event, frozen=True, kw_only=True, tag="session.summarized"):
    """A session's summary was made; `of` is the session it is about, upto the last seq it saw.

    started, ended: that session's times; root: the first session of its lineage, "" unknown. The
    envelope's branch is that session's too, not the one of whoever made the summary.
    """

    of: str = ""
    upto: int = 0
    started: str = ""
    ended: str = ""
    root: str = ""
    title: str = ""
    summary: str = ""
    decisions: list[str] = []
    files: list[str] = []
    engine: str = ""


class SessionExported(Event, frozen=True, kw_only=True, tag="session.exported"):
    """A part of a session became a session of its own; `of` is where it came from."""

    of: str = ""
    title: str = ""
    summary: str = ""
    decisions: list[str] = []
    files: list[str] = []
    seqs: list[int] = []
    engine: str = ""


class ModelSwitched(Event, frozen=True, kw_only=True, tag="model.switched"):
    """PostModelSwitch."""

    before: str = ""
    after: str = ""
    source: str = ""
    context_tokens: int | None = None


class NotificationReceived(Event, frozen=True, kw_only=True, tag="notification.received"):
    """Notification; kind is the client's notification_type."""

    kind: str = ""
    message: str = ""


class SubagentStarted(Event, frozen=True, kw_only=True, tag="subagent.started"):
    """SubagentStart; the envelope's agent names it."""

    agent_type: str = ""


class SubagentEnded(Event, frozen=True, kw_only=True, tag="subagent.ended"):
    """SubagentStop of a real subagent (the compaction's own is `compact.summarized`)."""

    agent_type: str = ""
    size: int = 0
    message: str = ""
