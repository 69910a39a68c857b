"""Parse a JSON plan of what to export.

Pure. Invariant: a plan is accepted as a whole, or refused with the entry and field that is wrong.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import DecodeError, Meta, Struct, ValidationError
from msgspec.json import decode

from cli.past.select import pick
from journal.errors import UsageError
from journal.history.summaries.groups import Group
from journal.history.summaries.parts import PartChoice
from journal.text import shorten

FORM = '[{"title": "…", "groups": [1, 3]}, {"title": "…", "seqs": ["10-19", 22], "summary": "…"}]'
_MOST = 200  # entries of a plan
_DIGITS = 15


class _Entry(Struct, forbid_unknown_fields=True):
    title: Annotated[str, Meta(max_length=80)]
    groups: list[int | str] | int | str | None = None
    seqs: list[int | str] | str | None = None
    summary: Annotated[str, Meta(max_length=2000)] = ""


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
        found = decode(text, type=Annotated[list[_Entry], Meta(max_length=_MOST)])
    except ValidationError as error:
        raise _wrong("", str(error)) from None
    except (DecodeError, UnicodeError, RecursionError) as error:
        raise UsageError(f"the plan is not JSON: {error}", f"a plan is {FORM}") from None
    own_seqs = frozenset(own)
    return [_choice(f"entry {at}: ", entry, groups, own_seqs) for at, entry in enumerate(found, 1)]


def spans(seqs: Sequence[int]) -> list[str]:
    """Return ascending seqs as runs: `10-19`, `22`."""
    runs: list[list[int]] = []
    for seq in seqs:
        if runs and seq == runs[-1][1] + 1:
            runs[-1][1] = seq
        else:
            runs.append([seq, seq])
    return [str(low) if low == high else f"{low}-{high}" for low, high in runs]


def ranges(at: str, value: Sequence[int | str] | str, own: frozenset[int]) -> list[int]:
    """Return the seqs in a list of numbers and runs, ascending.

    A run such as `10-19` means the session's seqs from 10 to 19, both of which must be its own.

    Args:
        at: the entry of the plan, for errors.
        value: the list, or a text with commas or spaces between.
        own: seqs of the session's events.

    Raises:
        UsageError: there is no seq, or one that is not the session's.

    """
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not value:
        raise _wrong(at, "seqs is empty")
    found: set[int] = set()
    for item in value:
        low, _, high = str(item).partition("-")
        ends = [end.strip() for end in (low, high or low)]
        if not all(end.isascii() and end.isdigit() for end in ends):
            raise _wrong(at, f"{shorten(str(item), 40)} is not a sequence number")
        for end in ends:
            if len(end) > _DIGITS or int(end) not in own:
                raise _wrong(at, f"event #{end[:_DIGITS]} does not belong to this session")
        first, last = int(ends[0]), int(ends[1])
        if first > last:
            raise _wrong(at, f"{item} goes backwards")
        found |= {first} if first == last else {seq for seq in own if first <= seq <= last}
    return sorted(found)


def _choice(at: str, entry: _Entry, groups: Sequence[Group], own: frozenset[int]) -> PartChoice:
    title = " ".join(entry.title.split())
    if not title:
        raise _wrong(at, "it has no title")
    if (entry.groups is None) == (entry.seqs is None):
        raise _wrong(at, "it needs either groups or seqs")
    if entry.groups is not None:
        seqs = _of_groups(at, entry.groups, groups)
    else:
        seqs = ranges(at, entry.seqs or (), own)
    return PartChoice(title, seqs, entry.summary.strip())


def _of_groups(at: str, value: list[int | str] | int | str, groups: Sequence[Group]) -> list[int]:
    """Return the seqs of groups, which are given by number: [1, 3], 1 or "1-3"."""
    parts = value if isinstance(value, list) else [value]
    try:
        picks = pick(",".join(map(str, parts)), len(groups))
    except UsageError as error:
        raise _wrong(at, f"groups: {error.what}; {error.remedy}") from None
    if not picks:
        raise _wrong(at, "groups is empty")
    return sorted({seq for index in picks for seq in groups[index].seqs})


def _wrong(at: str, what: str) -> UsageError:
    return UsageError(f"the plan is wrong: {at}{what}", f"a plan is {FORM}")
