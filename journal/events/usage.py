"""Events from transcripts: tokens of each reply, titles of sessions, prompts taken back."""

from journal.events.base import Event


class UsageRecorded(Event, frozen=True, kw_only=True, tag="usage.recorded"):
    """One API response.

    message, request: the API's IDs; model: name of the model; input_tokens, output_tokens,
    cache_creation_input_tokens, cache_read_input_tokens: as the API reports them;
    cache_creation_1h_input_tokens: the part of cache_creation_input_tokens that is cached for
    an hour; speed: "fast" for fast mode, which has its own prices; source: transcript it comes
    from.
    """

    message: str = ""
    request: str = ""
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_creation_1h_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    speed: str = ""
    source: str = ""

    @property
    def context(self) -> int:
        """Return the context tokens after the reply: all that it read and wrote."""
        return (
            self.input_tokens
            + self.cache_creation_input_tokens
            + self.cache_read_input_tokens
            + self.output_tokens
        )


class SessionTitled(Event, frozen=True, kw_only=True, tag="session.titled"):
    """A session got a title.

    title: the title; source: custom (the user's) or ai.
    """

    title: str = ""
    source: str = ""


class TranscriptsChecked(Event, frozen=True, kw_only=True, tag="transcripts.checked"):
    """The background handler checked which transcripts Claude Code deletes within a week.

    expiring: the project's sessions with text that is not imported yet; days: age at which
    Claude Code deletes a transcript; first: time of the first such deletion.
    """

    expiring: int = 0
    days: int = 0
    first: str = ""


class PromptsWithdrawn(Event, frozen=True, kw_only=True, tag="prompts.withdrawn"):
    """The transcript has prompts or answers that are not part of the conversation.

    withdrawn: beginnings of prompts and answers that a rewind removed, and of prompts that a
    hook blocked.
    """

    withdrawn: list[str] = []
