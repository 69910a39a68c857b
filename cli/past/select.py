"""Which of a numbered list is meant: `last`, `last 3`, `1,3`, `1-3`, `all`, ids, or a search.

Pure. Invariant: every text gives a choice or a UsageError that says what there is; a choice names
each entry once, in the order it was asked for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize

from journal.errors import UsageError
from journal.history.find_session import NoSessionError, SeveralSessionsError, matching_sids
from journal.text import shorten

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Choice", "is_id", "pick", "reach", "refs", "select"]

_LEAST = 4  # characters of an id's beginning
_DIGITS = 9  # of a number that can be one of a list
_REFS = 8  # words of a selector that may each be an id, whatever they look like
_SHOWN = 60  # characters of a selector that a message repeats
_RANGE = re.compile(r"#?([0-9]+)(?:-#?([0-9]+))?")
_LAST = re.compile(r"last(?: +([0-9]+))?", re.IGNORECASE)
# A slip in a number or in `last` is not a search: nobody means these as words of a session.
_NO_WORDS = re.compile(r"(?:last|all|[\W\d_])*", re.IGNORECASE)
_DATE_OR_VERSION = re.compile(r"[0-9]{4}(?:-[0-9]{2}){1,2}|v?[0-9]+(?:\.[0-9]+)+")
_FORMS = "last, last 3, 1,3, 1-3, all, a session ID, or words to search for"
# What looks like an id and like nothing else: hex digits of both kinds, and hyphens.
_ID = re.compile(r"(?=[^.]*[0-9])(?=[^.]*[a-f])[0-9a-f-]{8,}(?:\.[0-9]+)?", re.IGNORECASE)
# What keyboards and word processors put for a comma and a hyphen.
_PLAIN = {0x3001: ",", 0x3B: ",", 0x301C: "-", 0x7E: "-"} | dict.fromkeys(
    range(0x2010, 0x2016), "-"
)


class Choice(NamedTuple):
    """picks: indexes into the list; text: what to search for instead, "" where there are picks.

    wanted: how many newest ones were asked for, where that is more than there are; else 0.
    """

    picks: list[int]
    text: str = ""
    wanted: int = 0


def refs(wanted: str) -> list[str]:
    """Return the words of a selector that may be the id of a session, or the beginning of one."""
    words = [word for part in _parts(wanted) for word in part.split()]
    few = len(words) <= _REFS
    return [word for word in words if len(word) >= _LEAST and (few or is_id(word))]


def is_id(word: str) -> bool:
    """Return whether a word looks like a session's id, and like nothing else."""
    return _ID.fullmatch(word) is not None


def select(wanted: str, ids: Sequence[str], numbered: int | None = None) -> Choice:
    """Choose from a list of session ids.

    The first `numbered` of them (all by default) have the numbers 1 to N, newest first; the others
    can be named by id alone. UsageError for a number or id that is not there.
    """
    count = len(ids) if numbered is None else numbered
    parts = _parts(wanted)
    if not parts:
        raise UsageError("nothing is selected", _there(count))
    short = 0
    found: list[list[int] | UsageError | None] = []
    for part in parts:
        last = _LAST.fullmatch(part)
        asked = _whole(last[1] or "1") if last else 0
        if not last:
            found.append(_words(part.split(), ids, count))
        elif asked and count:
            short = max(short, asked if asked > count else 0)
            found.append(list(range(min(asked, count))))
        else:
            found.append(NoSessionError(part, _there(count)))
    if all(selected is None for selected in found):
        if all(map(_is_slip, parts)):
            raise UsageError(f"{shorten(wanted.strip(), _SHOWN)}: what is meant is unclear", _FORMS)
        return Choice([], " ".join(wanted.split()))
    picks: dict[int, None] = {}
    for part, selected in zip(parts, found, strict=True):
        if selected is None:
            raise UsageError(
                f"{shorten(part, _SHOWN)}: neither a number nor a session", _there(count)
            )
        if isinstance(selected, UsageError):
            raise selected
        picks |= dict.fromkeys(selected)
    return Choice(list(picks), "", short)


def reach(wanted: str) -> int:
    """Return how far down the list a selector reaches at most; 0: to its end."""
    furthest = 1
    for part in _parts(wanted):
        last = _LAST.fullmatch(part)
        if last:
            furthest = max(furthest, _whole(last[1] or "1"))
            continue
        for word in part.split():
            if word.casefold() == "all":
                return 0
            if span := _RANGE.fullmatch(word):
                furthest = max(furthest, _whole(span[1]), _whole(span[2] or "0"))
    return furthest


def pick(wanted: str, count: int) -> list[int]:
    """Choose from a list by number alone; nothing and `none` choose nothing. UsageError."""
    if wanted.strip().casefold() in ("", "none"):
        return []
    choice = select(wanted, [""] * count)
    if choice.text or choice.wanted:
        raise UsageError(f"{shorten(wanted, _SHOWN)}: not in the list", _there(count))
    return choice.picks


def _parts(wanted: str) -> list[str]:
    """Split at commas; full-width digits and signs count as plain ones."""
    text = normalize("NFKC", wanted).translate(_PLAIN)
    text = re.sub(r"(?<=[0-9]) *- *(?=#?[0-9])", "-", " ".join(text.split()))
    return [part.strip() for part in text.split(",") if part.strip()]


def _words(words: list[str], ids: Sequence[str], count: int) -> list[int] | UsageError | None:
    """Return what several words select; None unless each of them is a selector."""
    results = [_one(word, ids, count) for word in words]
    selected: list[int] = []
    wrong: UsageError | None = None
    for one in results:
        if one is None:
            return None
        if isinstance(one, UsageError):
            wrong = wrong or one
        else:
            selected += one
    return wrong or selected


def _one(word: str, ids: Sequence[str], count: int) -> list[int] | UsageError | None:
    """Return what one word selects, or why there is none; None where it is not a selector."""
    if word.casefold() == "all":
        return list(range(count)) or UsageError("all: there is none", _there(count))
    span = _RANGE.fullmatch(word)
    first, last = (_whole(span[1]), _whole(span[2] or span[1])) if span else (0, 0)
    if 1 <= first <= last <= count:
        return list(range(first - 1, last))
    named = _named(word, ids)
    if named:
        return named
    if span:
        why = "goes backwards" if first > last else "out of range"
        return UsageError(f"{shorten(word, _SHOWN)}: {why}", _there(count))
    if _ID.fullmatch(word):
        return NoSessionError(word)
    return None


def _named(word: str, ids: Sequence[str]) -> list[int] | UsageError:
    """Return the positions of the session with this id, or the only one whose id begins so."""
    found = matching_sids(word, ids) if word in ids or len(word) >= _LEAST else []
    if len(found) > 1:
        return SeveralSessionsError(word, found)
    return [at for at, sid in enumerate(ids) if sid in found]


def _whole(digits: str) -> int:
    return int(digits) if len(digits.lstrip("0")) <= _DIGITS else 10**_DIGITS


def _is_slip(part: str) -> bool:
    return _NO_WORDS.fullmatch(part) is not None and not _DATE_OR_VERSION.fullmatch(part)


def _there(count: int) -> str:
    if not count:
        return "no session has ended yet; journal sessions lists the open ones"
    return "there is only 1" if count == 1 else f"there are 1 to {count}"
