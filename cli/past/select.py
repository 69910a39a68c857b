"""Parse selectors of past sessions: `last`, `last 3`, `1,3`, `1-3`, `all`, ids, or words.

Pure. Invariant: each text gives a choice, or a UsageError that says what exists. A choice has each
session once, in the order of the selector.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple
from unicodedata import normalize

from journal.errors import UsageError
from journal.history.find_session import NoSessionError, SeveralSessionsError, matching_sids
from journal.text import shorten

LEAST = 4  # characters of an abbreviated id
_DIGITS = 9  # digits of a number; a longer one is out of range
_REFS = 8  # words of a selector up to which each word may be an id, whatever it looks like
_SHOWN = 60  # characters of a selector that a message repeats
_RANGE = re.compile(r"#?([0-9]+)(?:-#?([0-9]+))?")
_LAST = re.compile(r"last(?: +([0-9]+))?", re.IGNORECASE)
# Mistyped numbers or `last`, which are not meant as words to search for.
_NO_WORDS = re.compile(r"(?:last|all|[\W\d_])*", re.IGNORECASE)
_DATE_OR_VERSION = re.compile(r"[0-9]{4}(?:-[0-9]{2}){1,2}|v?[0-9]+(?:\.[0-9]+)+")
_FORMS = "last, last 3, 1,3, 1-3, all, a session ID, or words to search for"
_EVENT = re.compile(r"i:[0-9]+")
# What can only be an id: hex digits and hyphens, but no date, and no number of the list.
_ID = re.compile(
    r"(?:(?=[^.]*[0-9])(?=[^.]*[a-f])[0-9a-f-]{8,}|[0-9]{8}(?:-[0-9-]*)?)(?:\.[0-9]+)?",
    re.IGNORECASE,
)
# Variants of the comma and the hyphen.
_PLAIN = {0x3001: ",", 0x3B: ",", 0x301C: "-", 0x7E: "-"} | dict.fromkeys(
    range(0x2010, 0x2016), "-"
)


class Choice(NamedTuple):
    """The sessions that a selector chooses.

    picks: indexes into the list. text: words to search for instead, or "". wanted: number of newest
    sessions requested if there are fewer, else 0.
    """

    picks: list[int]
    text: str = ""
    wanted: int = 0


def possible_ids(wanted: str) -> list[str]:
    """Return the words of a selector that may be a session's id or a beginning of one."""
    words = [word for part in _parts(wanted) for word in part.split()]
    few = len(words) <= _REFS
    return [word for word in words if len(word) >= LEAST and (few or is_id(word))]


def is_id(word: str) -> bool:
    """Return whether a word can only be a session's id."""
    return _ID.fullmatch(word) is not None


def select(wanted: str, ids: Sequence[str], numbered: int | None = None) -> Choice:
    """Return what a selector chooses from a list of session ids, newest first.

    numbered: how many of them have a number, from 1; None for all. The others have only IDs.

    Raises:
        UsageError: a number or id does not exist, or the selector is unclear.

    """
    count = len(ids) if numbered is None else numbered
    parts = _parts(wanted)
    if not parts:
        raise UsageError("nothing is selected", _what_exists(count))
    missing = 0
    found: list[list[int] | UsageError | None] = []
    for part in parts:
        last = _LAST.fullmatch(part)
        asked = _number(last[1] or "1") if last else 0
        if not last:
            found.append(_selected_by_words(part.split(), ids, count))
        elif asked and count:
            missing = max(missing, asked if asked > count else 0)
            found.append(list(range(min(asked, count))))
        else:
            found.append(NoSessionError(part, _what_exists(count)))
    if all(selected is None for selected in found):
        if all(map(_is_slip, parts)):
            raise UsageError(f"{shorten(wanted.strip(), _SHOWN)} is ambiguous", _FORMS)
        return Choice([], " ".join(wanted.split()))
    picks: dict[int, None] = {}
    for part, selected in zip(parts, found, strict=True):
        if selected is None:
            raise UsageError(
                f"{shorten(part, _SHOWN)}: neither a number nor a session", _what_exists(count)
            )
        if isinstance(selected, UsageError):
            raise selected
        picks |= dict.fromkeys(selected)
    return Choice(list(picks), "", missing)


def list_length(wanted: str) -> int:
    """Return how many sessions of the list a selector needs at most; 0: all."""
    furthest = 1
    for part in _parts(wanted):
        last = _LAST.fullmatch(part)
        if last:
            furthest = max(furthest, _number(last[1] or "1"))
            continue
        for word in part.split():
            if word.casefold() == "all":
                return 0
            if span := _RANGE.fullmatch(word):
                furthest = max(furthest, _number(span[1]), _number(span[2] or "0"))
    return furthest


def pick(wanted: str, count: int) -> list[int]:
    """Return the indexes that a selector chooses by number from a list of `count` entries.

    An empty selector and `none` choose nothing. Raise UsageError for any other text.
    """
    if wanted.strip().casefold() in ("", "none"):
        return []
    choice = select(wanted, [""] * count)
    if choice.text or choice.wanted:
        raise UsageError(f"{shorten(wanted, _SHOWN)}: not in the list", _what_exists(count))
    return choice.picks


def _parts(wanted: str) -> list[str]:
    """Split a selector at commas; full-width digits and signs count as ASCII."""
    text = normalize("NFKC", wanted).translate(_PLAIN)
    text = re.sub(r"(?<=[0-9]) *- *(?=#?[0-9])", "-", " ".join(text.split()))
    return [part.strip() for part in text.split(",") if part.strip()]


def _selected_by_words(
    words: list[str], ids: Sequence[str], count: int
) -> list[int] | UsageError | None:
    """Return what several words choose, or the error; None unless each word is a selector."""
    results = [_selected_by_word(word, ids, count) for word in words]
    if any(result is None for result in results):
        return None
    wrong = next((result for result in results if isinstance(result, UsageError)), None)
    return wrong or [at for result in results if isinstance(result, list) for at in result]


def _selected_by_word(word: str, ids: Sequence[str], count: int) -> list[int] | UsageError | None:
    """Return what one word chooses, or the error; None if it is not a selector."""
    if word.casefold() == "all":
        return list(range(count)) or UsageError("all: no session has ended", _what_exists(count))
    span = _RANGE.fullmatch(word)
    first, last = (_number(span[1]), _number(span[2] or span[1])) if span else (0, 0)
    if 1 <= first <= last <= count:
        return list(range(first - 1, last))
    found = matching_sids(word, ids) if word in ids or len(word) >= LEAST else []
    if len(found) > 1:
        return SeveralSessionsError(word, found)
    if found:
        return [at for at, sid in enumerate(ids) if sid in found]
    if span:
        why = "goes backwards" if first > last else "out of range"
        return UsageError(f"{shorten(word, _SHOWN)}: {why}", _what_exists(count))
    if _ID.fullmatch(word):
        return NoSessionError(word)
    if _EVENT.fullmatch(word):
        return UsageError(f"{word} is an event, not a session", f"journal explain {word}")
    return None


def _number(digits: str) -> int:
    return int(digits) if len(digits.lstrip("0")) <= _DIGITS else 10**_DIGITS


def _is_slip(part: str) -> bool:
    return _NO_WORDS.fullmatch(part) is not None and not _DATE_OR_VERSION.fullmatch(part)


def _what_exists(count: int) -> str:
    if not count:
        return (
            "no session has ended here; journal sessions lists open ones, "
            "journal import adds past ones"
        )
    return "there is only 1" if count == 1 else f"there are 1 to {count}"
