"""What a compaction's summary lost of what the journal knows. A pure function of both.

Invariant: only what was known before the compaction can be dropped, and a thing counts as kept as
soon as the summary names it in any usual form, so that nobody is told of a loss that is none.
"""

from msgspec import Struct

__all__ = ["Dropped", "Known", "dropped"]

_SHARE = 0.6  # of a text's telling words that must occur for it to count as mentioned
_SHORTEST = 4  # letters of a word that tells something; shorter ones with a digit do too
_COMMON = frozenset(
    """
    about after also because been before being both does each from have into just like make more
    must need only over same should some such than that their them then there these they this
    those used uses using very want were what when where which while will with would your
""".split()
)


class Known(Struct, frozen=True, omit_defaults=True):
    """What the journal knew: files changed, decisions in their words, open items; newest first."""

    paths: list[str] = []
    decisions: list[str] = []
    items: list[str] = []


class Dropped(Struct, frozen=True, omit_defaults=True):
    """What of it the summary does not name, in the same order."""

    paths: list[str] = []
    decisions: list[str] = []
    items: list[str] = []


def dropped(known: Known, summary: str) -> Dropped:
    """Tell what of `known` the summary does not mention. Without a summary nothing is told."""
    if not summary.strip():
        return Dropped()
    text = summary.casefold()
    places = _places(text)
    words = _words(text)
    flat = " ".join(text.split())
    names = [_parts(path)[-1:] for path in known.paths]
    return Dropped(
        paths=[
            path
            for path, name in zip(known.paths, names, strict=True)
            if path and not _named(path, places, alone=names.count(name) == 1)
        ],
        decisions=[item for item in known.decisions if not _mentioned(item, flat, words)],
        items=[item for item in known.items if not _mentioned(item, flat, words)],
    )


def _parts(path: str) -> list[str]:
    return [part for part in path.casefold().replace("\\", "/").split("/") if part not in ("", ".")]


def _places(text: str) -> dict[str, list[list[str]]]:
    """Everything in a text that looks like a path or a file's name, by its last part."""
    found: dict[str, list[list[str]]] = {}
    for token in "".join(c if c.isalnum() or c in "_-./\\@+~%" else " " for c in text).split():
        parts = _parts(token.rstrip("."))
        if parts:
            found.setdefault(parts[-1], []).append(parts)
    return found


def _named(path: str, places: dict[str, list[list[str]]], *, alone: bool) -> bool:
    """Return whether one of the places is the path, or the end of it, or it is the end of one.

    alone: no other known path ends in the same name; then the name by itself is enough.
    """
    parts = _parts(path)
    for place in places.get(parts[-1] if parts else "", ()):
        short = min(len(place), len(parts))
        if place[-short:] == parts[-short:] and (short > 1 or alone or len(parts) == 1):
            return True
    # A name with spaces or other signs is no token of its own.
    return False if parts and _plain(parts[-1]) else _parts_in(parts, places)


def _plain(name: str) -> bool:
    return all(c.isalnum() or c in "_-.@+~%" for c in name)


def _parts_in(parts: list[str], places: dict[str, list[list[str]]]) -> bool:
    """Return whether all tokens of an odd name occur."""
    name = parts[-1] if parts else ""
    tokens = "".join(c if c.isalnum() or c in "_-.@+~%" else " " for c in name).split()
    return bool(tokens) and all(token.rstrip(".") in places for token in tokens)


def _mentioned(item: str, flat: str, words: frozenset[str]) -> bool:
    """Return whether a text occurs as it is, or most of its telling words do."""
    own = " ".join(item.casefold().split()).rstrip(".…!?")
    if not own or own in flat:
        return True
    telling = _words(own)
    if not telling:
        return False
    return len(telling & words) >= _SHARE * len(telling)


def _words(text: str) -> frozenset[str]:
    """Words that tell something; of writing without spaces, every pair of its characters."""
    found: set[str] = set()
    for word in "".join(c if c.isalnum() or c == "_" else " " for c in text).split():
        if not word.isascii() and any(c >= "\u2e80" for c in word):
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        elif (len(word) >= _SHORTEST or any(c.isdigit() for c in word)) and word not in _COMMON:
            found.add(_stem(word))
    return frozenset(found)


def _stem(word: str) -> str:
    """Cut the commonest endings, so that `rounded` is found in `rounding`."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
            return word.removesuffix(ending).removesuffix("e")
    return word.removesuffix("e")
