"""Parse a JSON plan of what to export.

Pure. Invariant: a plan is accepted as a whole, or refused with the entry and field that is wrong.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from cli.past.select import pick
from journal.codec import loads
from journal.errors import UsageError
from journal.history.summaries.groups import Group
from journal.history.summaries.parts import PartChoice
from journal.text import shorten

FORM = '[{"title": "…", "groups": [1, 3]}, {"title": "…", "seqs": ["10-19", 22], "summary": "…"}]'
_MOST = 200  # entries of a plan
_TITLE, _SUMMARY = 80, 2000
_MEMBERS = frozenset(("title", "groups", "seqs", "summary"))
_DIGITS = 15


def choices(text: str, groups: Sequence[Group], own: Iterable[int]) -> list[PartChoice]:
    """Parse a plan.

    Args:
        text: the JSON.
        groups: of the session's observations, to which the plan refers by number.
        own: seqs of the session's events.

    Raises:
        UsageError: the plan is invalid.

    """
    try:
        found = loads(text)
    except ValueError as error:
        raise UsageError(f"the plan is not JSON: {error}", f"a plan is {FORM}") from None
    if not isinstance(found, list):
        raise _wrong("", "it is not a list")
    if len(found) > _MOST:
        raise _wrong("", f"{len(found)} entries; {_MOST} are the most")
    own_seqs = frozenset(own)
    order = sorted(own_seqs)
    return [
        _entry(f"entry {at}: ", item, groups, own_seqs, order) for at, item in enumerate(found, 1)
    ]


def spans(seqs: Sequence[int]) -> list[str]:
    """Return ascending seqs as runs: `10-19`, `22`."""
    runs: list[list[int]] = []
    for seq in seqs:
        if runs and seq == runs[-1][1] + 1:
            runs[-1][1] = seq
        else:
            runs.append([seq, seq])
    return [str(low) if low == high else f"{low}-{high}" for low, high in runs]


def ranges(value: Any, own_seqs: frozenset[int], order: Sequence[int]) -> list[int] | str:
    """Return the seqs in a list of numbers and runs, or a text that says what is wrong.

    A run such as `10-19` means the session's seqs from 10 to 19, both of which must be its own.

    own_seqs: seqs of the session's events. order: the same, ascending.
    """
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not isinstance(value, list) or not value:
        return "seqs is not a list of numbers"
    found: set[int] = set()
    for item in value:
        low, _, high = str(item).partition("-")
        ends = [end.strip() for end in (low, high or low)]
        plain = isinstance(item, (int, str)) and not isinstance(item, bool)
        if not plain or not all(end.isascii() and end.isdigit() for end in ends):
            return f"{_shortened(item)} is not a sequence number"
        for end in ends:
            if len(end) > _DIGITS or int(end) not in own_seqs:
                return f"event #{end[:_DIGITS]} does not belong to this session"
        first, last = int(ends[0]), int(ends[1])
        if first > last:
            return f"{_shortened(item)} goes backwards"
        found |= {first} if first == last else {seq for seq in order if first <= seq <= last}
    return sorted(found)


def _entry(
    at: str, value: Any, groups: Sequence[Group], own_seqs: frozenset[int], order: Sequence[int]
) -> PartChoice:
    if not isinstance(value, dict):
        raise _wrong(at, "it is not an object")
    if more := sorted(set(value) - _MEMBERS):
        raise _wrong(at, f"{_shortened(more[0])} is not a member of an entry")
    for name, most in (("title", _TITLE), ("summary", _SUMMARY)):
        text = value.get(name, "")
        if not isinstance(text, str) or len(text) > most:
            raise _wrong(at, f"{name} must be a text of at most {most} characters")
    title = " ".join(value.get("title", "").split())
    if not title:
        raise _wrong(at, "it has no title")
    if ("groups" in value) == ("seqs" in value):
        raise _wrong(at, "it needs either groups or seqs")
    if "seqs" in value:
        seqs = ranges(value["seqs"], own_seqs, order)
        if isinstance(seqs, str):
            raise _wrong(at, seqs)
    else:
        seqs = _of_groups(at, value["groups"], groups)
    return PartChoice(title, seqs, value.get("summary", "").strip())


def _of_groups(at: str, value: Any, groups: Sequence[Group]) -> list[int]:
    """Return the seqs of groups, which are given by number: [1, 3], 1 or "1-3"."""
    parts = value if isinstance(value, list) else [value]
    if not parts or any(isinstance(n, bool) or not isinstance(n, (int, str)) for n in parts):
        raise _wrong(at, "groups is not a list of numbers")
    try:
        picks = pick(",".join(map(str, parts)), len(groups))
    except UsageError as error:
        raise _wrong(at, f"groups: {error.what}; {error.remedy}") from None
    if not picks:
        raise _wrong(at, "groups is empty")
    return sorted({seq for index in picks for seq in groups[index].seqs})


def _wrong(at: str, what: str) -> UsageError:
    return UsageError(f"the plan is wrong: {at}{what}", f"a plan is {FORM}")


def _shortened(value: Any) -> str:
    return shorten(str(value), 40)
