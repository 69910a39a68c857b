"""Events of a turn: the prompt and how the turn ended."""

from journal.events.base import Event
from journal.events.facts import Flow


class PromptSubmitted(Event, frozen=True, kw_only=True, tag="prompt.submitted"):
    """UserPromptSubmit. origin: human, command, task-notification or sdk; size in characters.

    text: its beginning; end: its last 200 characters if `text` is not all of it.
    """

    origin: str = ""
    size: int = 0
    text: str = ""
    end: str = ""


class CommandExpanded(Event, frozen=True, kw_only=True, tag="command.expanded"):
    """UserPromptExpansion: a slash command or skill that the user typed."""

    name: str = ""
    args: str = ""
    source: str = ""
    kind: str = ""


class TurnEnded(Event, frozen=True, kw_only=True, tag="turn.ended"):
    """Stop. continued: a Stop hook had made Claude continue; background: tasks still running."""

    continued: bool = False
    background: int = 0
    size: int = 0
    message: str = ""
    flow: Flow | None = None


class TurnFailed(Event, frozen=True, kw_only=True, tag="turn.failed"):
    """StopFailure: an API error ended the turn."""

    error: str = ""
    message: str = ""
