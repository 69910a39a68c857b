"""Events of a whole session."""

from journal.events.base import Event, Flow, Stock


class SessionStarted(Event, frozen=True, kw_only=True, tag="session.started"):
    """A session started or continued (hook SessionStart).

    source: startup, resume, clear, fork or compact; model: name of the model; transcript: path;
    context_tokens: as the client counts them; previous: the session that this one continues, if
    known; title: as the client reports it; pid: process of the client, used to infer the end of
    a session that died; pid_start: start time of that process, in clock ticks since boot;
    autocompact: auto-compact window it was started with (`--autocompact N`), 0 for none; loop:
    another plugin's active loop, as [name, iteration, maximum, promise]; unowned: a progress
    file that names no session, as [path, skill, phase]; flow, stock: the work files at that
    time.
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
    """A session ended (hook SessionEnd).

    reason: as the client reports it; inferred: the session died without a SessionEnd, and the
    next start added this event; pid: process of the client.
    """

    reason: str = ""
    inferred: bool = False
    pid: int = 0


class SessionSummarized(Event, frozen=True, kw_only=True, tag="session.summarized"):
    """A session was summarized. The envelope's branch is that of the session.

    of: the session; upto: the last sequence number in the summary; started, ended: times of the
    session; root: first session of its chain, "" if unknown; title, summary, decisions, files:
    of the session; engine: extractive or claude.
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
    """A part of a session was stored as a session of its own.

    of: the original session; title, summary, decisions, files: of the part; seqs: its events,
    as numbers; engine: what wrote the summary.
    """

    of: str = ""
    title: str = ""
    summary: str = ""
    decisions: list[str] = []
    files: list[str] = []
    seqs: list[int] = []
    engine: str = ""


class ModelSwitched(Event, frozen=True, kw_only=True, tag="model.switched"):
    """The model was switched (hook PostModelSwitch).

    before, after: names of the models; source: why, as the client reports it; context_tokens:
    as the client counts them.
    """

    before: str = ""
    after: str = ""
    source: str = ""
    context_tokens: int | None = None


class NotificationReceived(Event, frozen=True, kw_only=True, tag="notification.received"):
    """Claude Code sent a notification (hook Notification).

    kind: the client's notification_type; message: its text.
    """

    kind: str = ""
    message: str = ""


class SubagentStarted(Event, frozen=True, kw_only=True, tag="subagent.started"):
    """A subagent started (hook SubagentStart); the envelope's `agent` is its ID.

    agent_type: kind of subagent.
    """

    agent_type: str = ""


class SubagentEnded(Event, frozen=True, kw_only=True, tag="subagent.ended"):
    """A subagent ended (hook SubagentStop); that of a compaction is `compact.summarized`.

    agent_type: kind of subagent; size: characters of its last message; message: beginning of
    that message.
    """

    agent_type: str = ""
    size: int = 0
    message: str = ""
