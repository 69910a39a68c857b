"""Events of a whole session."""

from journal.events.base import Event
from journal.events.facts import Flow, Stock


class SessionStarted(Event, frozen=True, kw_only=True, tag="session.started"):
    """SessionStart. source: startup, resume, clear, fork or compact.

    previous: the session that this one continues, if known; context_tokens: as the client counts;
    pid: process of the client, used to infer the end of a session that died; pid_start: start time
    of that process (clock ticks since boot); autocompact: auto-compact window it was started with
    (`--autocompact N`), 0 for none; loop: another plugin's active loop, as [name, iteration,
    maximum, promise]; unowned: a progress file that names no session, as [path, skill, phase].
    flow and stock: state of the project's work files at that time.
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
    """SessionEnd; inferred: the session died without one, the next start added it."""

    reason: str = ""
    inferred: bool = False
    pid: int = 0


class SessionSummarized(Event, frozen=True, kw_only=True, tag="session.summarized"):
    """A session was summarized. of: that session; upto: the last seq in the summary.

    started, ended: that session's times; root: first session of its chain, "" unknown. The
    envelope's branch is also that session's.
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
    """A part of session `of` was stored as a session of its own."""

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
    """SubagentStart; its id is the envelope's agent."""

    agent_type: str = ""


class SubagentEnded(Event, frozen=True, kw_only=True, tag="subagent.ended"):
    """SubagentStop of a subagent (the compaction's own is `compact.summarized`)."""

    agent_type: str = ""
    size: int = 0
    message: str = ""
