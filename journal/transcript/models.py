"""Look up the size of a model's context window, from its id alone.

The client's own figure (the status line) is better; this table serves until the first status line
and where there is none. An id that is not in it counts one million tokens, as in the client.
"""

from __future__ import annotations

__all__ = ["LONG", "SHORT", "WANTS_LONG", "family", "window_of"]

LONG = 1_000_000
SHORT = 200_000
WANTS_LONG = "[1m]"

# Seen with the client 2.1.330: opus-4-8, opus-5-5, sonnet-5, sonnet-5-5, haiku-5-5 and, short,
# sonnet-4-6 and haiku-4-5. The others from the published model pages; opus-4-6 by its generation.
_LONG = frozenset((
    "opus-4-7", "opus-4-8", "opus-5", "opus-5-5", "sonnet-5", "sonnet-5-5", "haiku-5-5",
    "fable-5", "fable-5-1",
))  # fmt: skip
_SHORT = frozenset((
    "opus-4", "opus-4-1", "opus-4-5", "opus-4-6", "sonnet-4", "sonnet-4-5", "sonnet-4-6",
    "haiku-4-5",
))  # fmt: skip
_TIERS = ("opus", "sonnet", "haiku", "fable", "instant")
_FIRST_OF_TABLE = 4  # every generation before it had at most 200,000


def family(model: str) -> str:
    """Return tier and version, `sonnet-4-5`, of an id however dated, prefixed or suffixed.

    An id that is not of the form `…claude-…` is returned as it is, lower case, without `[1m]`.
    """
    name = model.strip().lower().partition("[")[0]
    at = name.rfind("claude-")
    if at < 0:
        return name
    name = name[at + 7 :]
    for separator in "@:/":  # a date, a revision, a part of a resource name
        name = name.partition(separator)[0]
    words, numbers = [], []
    for part in name.replace(".", "-").split("-"):
        if part.isdigit():
            if len(part) < 3:  # longer ones are dates
                numbers.append(part)
        elif part:
            words.append(part)
    if len(numbers) > 1 and numbers[1] == "0":
        del numbers[1:]
    tier = next((word for word in words if word in _TIERS), "-".join(words))
    return "-".join([tier, *numbers[:2]]) if tier else "-".join(numbers[:2])


def window_of(name: str) -> int | None:
    """Return the window of a `family` in tokens, None for one that is not listed."""
    if name in _LONG:
        return LONG
    if name in _SHORT or name.startswith("instant"):
        return SHORT
    version = next((part for part in name.split("-") if part.isdigit()), "")
    tier = name.partition("-")[0]
    if version and int(version) < _FIRST_OF_TABLE and (tier in _TIERS or tier.isdigit()):
        return SHORT
    return None
