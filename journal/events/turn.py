"""Events of a turn: the prompt and how the turn ended."""

from journal.events.base import Event, Flow


class PromptSubmitted(Event, frozen=True, kw_only=True, tag="prompt.submitted"):
    """A prompt was submitted (hook UserPromptSubmit).

    origin: human, command, task-notification, sdk, or agent for a subagent's; size: characters;
    text: beginning of the prompt; end: its last 200 characters, if text is not all of it.
    """

    origin: str = ""
    size: int = 0
    text: str = ""
    end: str = ""


class CommandExpanded(Event, frozen=True, kw_only=True, tag="command.expanded"):
    """The user typed a slash command or skill (hook UserPromptExpansion).

    name: of the command; args: its arguments; source: where it is defined; kind: the client's
    expansion_type.
    """

    name: str = ""
    args: str = ""
    source: str = ""
    kind: str = ""


class TurnEnded(Event, frozen=True, kw_only=True, tag="turn.ended"):
    """A turn ended (hook Stop).

    continued: a Stop hook had made Claude continue; background: number of tasks still running;
    size: characters of the last message; message: beginning of that message; flow: the work log
    at that time.
    """

    continued: bool = False
    background: int = 0
    size: int = 0
    message: str = ""
    flow: Flow | None = None


class TurnFailed(Event, frozen=True, kw_only=True, tag="turn.failed"):
    """An API error ended a turn (hook StopFailure).

    error: kind of error; message: its text.
    """

    error: str = ""
    message: str = ""
