"""The tokens of a reply, as its last line counts them.

Invariant: pure; figures that cannot be right count as absent.
"""

from typing import Any, NamedTuple

from journal.history.importer.records import ReplyUsage
from journal.transcript.usage import LIMIT

BEGUN = 10
"""A tool call or a sentence has at least so many output tokens. Older clients (seen up to 2.1.42)
wrote in most lines only the count with which a reply begins, 1 to 9."""

_FEW = 8  # fewer such replies may be answers of a word


class Figures(NamedTuple):
    """Tokens of a reply: `hour` of the `written` ones stay in the cache for an hour.

    is_fast: whether it was in fast mode.
    """

    given: int
    out: int
    written: int
    hour: int
    read: int
    is_fast: bool


NO_FIGURES = Figures(0, 0, 0, 0, 0, is_fast=False)


def figures_of(usage: ReplyUsage | None) -> Figures | None:
    """Return the tokens and speed of a reply; None if they are unknown or all zero."""
    if usage is None or (given := usage.input_tokens) is None:
        return None
    out, made = usage.output_tokens or 0, usage.cache_creation_input_tokens or 0
    read, hour = usage.cache_read_input_tokens or 0, 0
    if given < 0 or out < 0 or made < 0 or read < 0 or not 0 < given + out + made + read <= LIMIT:
        return None
    if usage.cache_creation is not None:
        hour = usage.cache_creation.ephemeral_1h_input_tokens or 0
    hour = hour if 0 < hour <= made else 0
    return Figures(given, out, made, hour, read, is_fast=usage.speed == "fast")


def token_members(figures: Figures) -> dict[str, Any]:
    """Return the figures of a reply as members of its event."""
    members: dict[str, Any] = {
        "input_tokens": figures.given,
        "output_tokens": figures.out,
        "cache_creation_input_tokens": figures.written,
        "cache_read_input_tokens": figures.read,
    }
    if figures.hour:
        members["cache_creation_1h_input_tokens"] = figures.hour
    if figures.is_fast:
        members["speed"] = "fast"
    return members


def lacks_output(begun: int, replies: int) -> bool:
    """Return whether the output of replies is unknown: too many have only their first count.

    begun: number of the replies with fewer output tokens than BEGUN.
    """
    return _FEW <= begun > replies // 4
