"""Events that come from transcripts: what each reply cost, and what a session was called."""

from journal.events.base import Event


class UsageRecorded(Event, frozen=True, kw_only=True, tag="usage.recorded"):
    """One API response. message and request are the API's ids; tokens as the API counted them."""

    message: str = ""
    request: str = ""
    model: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    source: str = ""


class SessionTitled(Event, frozen=True, kw_only=True, tag="session.titled"):
    """A session got a title. source: custom (the person's) or ai."""

    title: str = ""
    source: str = ""
