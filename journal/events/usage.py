"""Events that come from transcripts: what each reply cost, and what a session was called."""

from journal.events.base import Event


class UsageRecorded(Event, frozen=True, kw_only=True, tag="usage.recorded"):
    """One API response. message and request are the API's ids; tokens as the API counted them.

    cache_creation_1h_input_tokens: those of cache_creation_input_tokens that the cache holds for an
    hour. speed: "fast" for fast mode, which has prices of its own.
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


class SessionTitled(Event, frozen=True, kw_only=True, tag="session.titled"):
    """A session got a title. source: custom (the person's) or ai."""

    title: str = ""
    source: str = ""


class TranscriptsChecked(Event, frozen=True, kw_only=True, tag="transcripts.checked"):
    """The background handler looked which transcripts Claude Code deletes within a week.

    expiring: sessions of the project of which it would delete text that no import has stored;
    days: after how many it deletes; first: when it deletes the first of them.
    """

    expiring: int = 0
    days: int = 0
    first: str = ""
