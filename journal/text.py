"""Text for users: escaping, widths, counts, sizes, ages.

Pure, standard library only: hook messages, commands and the page share it. `clip`, `padded` and
`wrapped` count terminal columns, `shorten`, `excerpt` and `plain_line` characters, `pieces` bytes
of JSON.
"""

from __future__ import annotations

from journal.codec import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LANGUAGES = ("en", "ja", "ko")
"""English, Japanese, Korean: the order in which a message file holds its texts."""

_JOINERS = "\u200c\u200d"  # unprintable, but part of words and emoji
_TAG = "system-reminder"
_ITEM = 300  # characters of one list item
_COMMANDS = ("journal", "export", "claude")  # names that a message gives with an argument
_GROUPS = ("learning", "stage", "progress", "unit", "pack", "config")  # of commands of the journal
_AGES = (("day", 86_400), ("hour", 3600), ("minute", 60))


def escaped(text: str) -> str:
    r"""Return the text with each unprintable character as \xNN, \uNNNN or \UNNNNNNNN.

    A joiner inside a word or an emoji stays.
    """
    if text.isprintable():
        return text
    return "".join(
        c
        if c.isprintable() or (c in _JOINERS and _joins(text, at))
        else c.encode("ascii", "backslashreplace").decode()
        if ord(c) > 127
        else f"\\x{ord(c):02x}"
        for at, c in enumerate(text)
    )


def _joins(text: str, at: int) -> bool:
    """Return whether a joiner is between two characters that it may join: not of ASCII."""
    beside = text[max(0, at - 1) : at] + text[at + 1 : at + 2]
    return len(beside) == 2 and all(c.isprintable() and not c.isascii() for c in beside)


def one_line(text: str) -> str:
    """Return the text as one escaped line; a run of white space becomes one space."""
    return escaped(" ".join(text.split()))


def plain_line(text: str, most: int) -> str:
    """Return the text as one line of at most `most` characters.

    Control and direction characters become spaces, since Claude reads this line, not a terminal.
    Tags of the kind that Claude Code puts around a hook's text lose their "<".
    """
    clean = "".join(c if c.isprintable() or c in _JOINERS else " " for c in text)
    if _TAG in clean.lower():
        clean = clean.replace("<", "\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}")
    return shorten(" ".join(clean.split()), most)


def shorten(text: str, most: int) -> str:
    """Shorten the text to `most` characters, the last one "…" if anything was cut."""
    return text if len(text) <= most else text[: most - 1] + "…"


def excerpt(text: str, most: int) -> str:
    """Shorten the text as `shorten` does, without spaces before the "…"."""
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def quoted(text: str, most: int) -> str:
    """Return one bounded line in double quotes, with no other double quote in it."""
    return '"' + plain_line(text.replace('"', "'"), most) + '"'


def listed(items: Sequence[str], most: int) -> str:
    """Join the first `most` items with commas, and count the others: `a, b and 3 more`."""
    shown = ", ".join(plain_line(item, _ITEM) for item in items[:most])
    return shown if len(items) <= most else f"{shown} and {len(items) - most:,} more"


def width(text: str) -> int:
    """Return the terminal columns of a printable text: 2 for wide characters, 0 for marks.

    An emoji made of several takes as many as these: a terminal that shows it as one takes fewer.
    """
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0
        if c in _JOINERS or category(c) in ("Mn", "Me")
        else 2
        if east_asian_width(c) in "WF"
        else 1
        for c in text
    )


def clip(text: str, columns: int) -> str:
    """Cut a printable text to `columns`; a cut text ends in "…"."""
    if width(text) <= columns:
        return text
    head = ""
    used = 1
    for char in text:
        used += width(char)
        if used > columns:
            break
        head += char
    return head + "…" if columns > 0 else ""


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """Fill the text up to `columns` with spaces; right: spaces first."""
    fill = " " * max(0, columns - width(text))
    return fill + text if right else text + fill


def wrapped(text: str, columns: int, indent: str = "") -> list[str]:
    """Break a printable text into lines of at most `columns`, at spaces if possible.

    A command keeps its first argument and its options, so that it can be copied. `textwrap` counts
    characters; a terminal shows a Chinese one in two columns.
    """
    lines, line = [], ""
    most = max(1, columns - width(indent))
    for word in _units(text, most):
        if line and width(line) + 1 + width(word) > most:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
        while width(line) > most:
            head = clip(line, most + 1)[:-1]
            lines.append(head)
            line = line[len(head) :]
    return [indent + part for part in [*lines, line]]


def _units(text: str, most: int) -> list[str]:
    """Split a text at spaces, but not at those of a command like `journal stats --all`.

    A command of more than `most` columns is split too.
    """
    units: list[str] = []
    last, inside = "", False
    for word in text.split(" "):
        begins = last.lstrip("`('\"") in _COMMANDS and (word[:1].isalpha() or word[:1] == "-")
        joins = word.startswith("-") or last.startswith("--") or last in _GROUPS
        inside = begins or (inside and joins)
        if inside:
            units[-1] += f" {word}"
        else:
            units.append(word)
        last = word
    return [part for unit in units for part in ([unit] if width(unit) <= most else unit.split(" "))]


def phrase(language: str, texts: tuple[str, str, str], **values: object) -> str:
    """Return the text in one of `LANGUAGES` with its fields filled in."""
    return texts[LANGUAGES.index(language)].format(**values)


def plural(count: int, singular: str, plural_form: str = "") -> str:
    """Return `1 entry`, `2 entries`, with thousands separated."""
    return f"{count:,} {singular if count == 1 else plural_form or singular + 's'}"


def percent(value: float) -> str:
    """Return a whole percentage; 100% only if it is complete."""
    return f"{int(value)}%" if value < 100 <= round(value) else f"{round(value)}%"


def short_count(count: int) -> str:
    """Return `840`, `42k`, `1.2M`, `3.0B`."""
    if count >= 999_950_000:
        return f"{count / 1_000_000_000:.1f}B"
    if count >= 999_500:
        return f"{count / 1_000_000:.1f}M"
    return f"{(count + 500) // 1000}k" if count >= 1000 else str(count)


def estimate_tokens(text: str, letters: int = 4) -> int:
    """Estimate the tokens of a text from its numbers of Latin letters and other characters.

    English prose has 4 to 5 letters per token, code and JSON 3; a Chinese, Japanese or Korean
    character is about one token.
    """
    latin = sum(char < "ɐ" for char in text)
    return -(-latin // letters) + len(text) - latin


def duration(ms: int) -> str:
    """Return `42 s`, `12 min`, `3 h 5 min`, `2 d 4 h`."""
    minutes = ms // 60_000
    if minutes < 1:
        return f"{ms // 1000} s"
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{hours // 24} d {hours % 24} h"


def ago(then: int | None, now: int) -> str:
    """Return `5 minutes ago` for two times in ms."""
    if then is None:
        return "at an unknown time"
    seconds = (now - then) // 1000
    if seconds < -60:
        return "in the future"
    for unit, size in _AGES:
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}s ago"
    return f"{plural(max(0, seconds), 'second')} ago"


def utc_minute(ts: str) -> str:
    """Return `2026-11-21 20:31 UTC` for an ISO time in UTC."""
    return f"{ts[:10]} {ts[11:16]} UTC" if len(ts) >= 16 else ts


def pieces(source: str, most: int) -> list[str]:
    """Split a text into pieces whose JSON has at most `most` bytes each; at least one piece."""
    found = []
    start = 0
    while start < len(source):
        end = min(len(source), start + most)
        while len(dumps(source[start:end])) > most:
            end = start + (end - start) * 3 // 4
        found.append(source[start:end])
        start = end
    return found or [""]


def suggestion(typed: str, names: Iterable[str]) -> str:
    """Return `did you mean NAME?` with the most similar name, "" if none is similar enough."""
    from difflib import get_close_matches  # only mistakes need it

    found = get_close_matches(typed, list(names), 1)
    return f"did you mean {found[0]}?" if found else ""
