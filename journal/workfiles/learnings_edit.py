"""Add an entry to a learnings file, or confirm one.

Invariant: `add` only appends, and `confirm` changes only the metadata of one entry.
"""

from collections.abc import Sequence

from journal.workfiles.dates import find_date
from journal.workfiles.learnings import (
    COUNT,
    LAST,
    PHASES,
    Learning,
    parse_learnings,
    title_is_obsolete,
    valid_name,
)
from journal.workfiles.markdown import fold, headings, scan
from journal.workfiles.work_log import digest_of

TITLE_CHARACTERS = 200


def add(text: str, title: str, body: str, phase: str, today: str, confirmed: int = 0) -> str:
    """Return the text with an entry appended.

    A body that would break the structure of the file (headings, an open fence) becomes a quote.

    Args:
        text: of the learnings file.
        title: one line.
        body: Markdown, may be empty.
        phase: name of the phase in which the learning was found.
        today: date, `YYYY-MM-DD`.
        confirmed: 0 for an unverified entry, else its number of confirmations.

    Raises:
        ValueError: an invalid title, phase or date, a title in use, or an unclosed fence or comment
            at the end of the file.

    """
    title = fold(title)
    if not title or len(title) > TITLE_CHARACTERS or not title.isprintable():
        raise ValueError(f"a title is one line of 1 to {TITLE_CHARACTERS} characters")
    if title_is_obsolete(title):
        raise ValueError(f"{title!r} would be obsolete from the start")
    _check(phase, today)
    entries = parse_learnings(text, "")
    if any(entry.digest == digest_of(title) and not entry.obsolete for entry in entries):
        raise ValueError(f"{title!r} already exists; confirm it instead")
    closing = " ###" if title.rstrip("#")[-1:] in {"", " "} else ""
    when = f"{'last' if confirmed else 'added'}: {today[:10]}"
    head = f" {title}{closing}\n<!-- confirmed: {confirmed} | {when} | phases: {phase} -->\n"
    plain = body.replace("\r\n", "\n").replace("\r", "\n").strip("\n").rstrip()
    quoted = "\n".join(f"> {line}".rstrip() for line in plain.split("\n"))
    last = text[entries[-1].start : entries[-1].start + 8].lstrip() if entries else "###"
    level = "###" if last.startswith("###") else "##"
    for form in (plain, quoted):
        new = _append(text, level + head + (f"\n{form}\n" if plain else ""))
        if _is_sound(new, [*(entry.title for entry in entries), title], level):
            return new
    raise ValueError("the file ends inside a code fence or a comment; close it first")


def _is_sound(text: str, titles: list[str], level: str) -> bool:
    """Return whether a text has exactly these entries, and no fence or comment is open at its end.

    An open one would hide a further entry.
    """
    further = _append(text, f"{level} probe\n<!-- confirmed: 0 -->\n")
    entries = parse_learnings(text, "")
    probed = [entry.title for entry in parse_learnings(further, "")]
    is_complete = len(entries) == len(titles) and not entries[-1].obsolete
    return is_complete and probed == [*titles, "probe"]


def _append(text: str, entry: str) -> str:
    break_ = "\r\n" if "\r\n" in text else "\n"
    if text and not text.endswith(("\n", "\r")):
        text += break_
    return text + (break_ if text.strip("\ufeff") else "") + entry.replace("\n", break_)


def _check(phase: str, today: str) -> None:
    if not valid_name(phase.replace(":", "-")):
        raise ValueError(f"phase {phase[:80]!r}: letters, digits, -, _ and : only, at most 64")
    if find_date(today)[:10] != today[:10] or not today:
        raise ValueError(f"date {today[:40]!r}: want YYYY-MM-DD")


def confirm(text: str, title_or_digest: str, phase: str, today: str) -> tuple[str, Learning]:
    """Return the text with one more confirmation of an entry, and the entry.

    The confirmation adds one to the count, sets the later date, and adds the phase.

    title_or_digest: title of the entry, its digest, or an unambiguous beginning of the title.

    Raises:
        LookupError: no entry matches (with similar titles), several do, or the entry is obsolete.
        ValueError: an invalid phase or date.

    """
    _check(phase, today)
    entries = parse_learnings(text, "")
    entry = pick(entries, title_or_digest)
    last = max(entry.last, today[:10])
    values = {
        COUNT: str(entry.confirmed + 1),
        LAST: last,
        PHASES: ", ".join(dict.fromkeys((*entry.phases, phase))),
    }
    offsets = entry.metadata.offsets
    same = {LAST: last == entry.last, PHASES: phase in entry.phases}
    edits = [
        (*offsets[field][:2], value)
        for field, value in values.items()
        if field in offsets and not same.get(field)
    ]
    missing = " | ".join(f"{name}: {new}" for name, new in values.items() if name not in offsets)
    if not entry.metadata.counted():
        edits = [_comment_below(text, entry, missing)]
    elif missing:
        anchor = min(entry.metadata.counted())[2]
        edits.append((anchor, anchor, f" | {missing}"))
    for start, end, value in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        text = text[:start] + value + text[end:]
    again = parse_learnings(text, "")[entries.index(entry)]
    return text, again


def _comment_below(text: str, entry: Learning, fields: str) -> tuple[int, int, str]:
    heading = next(found for found in headings(text, scan(text)) if found.start == entry.start)
    head = text[entry.start : heading.body]
    break_ = (
        "\r\n" if head.endswith("\r\n") or ("\r\n" in text and not head.endswith("\n")) else "\n"
    )
    if head.endswith(("\n", "\r")):
        return heading.body, heading.body, f"<!-- {fields} -->{break_}"
    return heading.body, heading.body, f"{break_}<!-- {fields} -->"


def pick(entries: Sequence[Learning], title_or_digest: str) -> Learning:
    """Return the entry with a title or digest. Raise LookupError as `confirm` does."""
    name = fold(title_or_digest)
    low = name.lower()
    found = [entry for entry in entries if low in (entry.title.lower(), entry.digest)]
    if not found and low:
        found = [entry for entry in entries if entry.title.lower().startswith(low)]
    found = [entry for entry in found if not entry.obsolete] or found
    if len(found) == 1 and not found[0].obsolete:
        return found[0]
    if len(found) == 1:
        raise LookupError(f"{found[0].title!r} is obsolete; remove that from its entry first")
    if found:
        places = (f"{entry.file} line {entry.line}".lstrip() for entry in found[:5])
        names = (f"{e.title!r} ({at}, {e.digest})" for e, at in zip(found, places, strict=False))
        listed = ", ".join(names)
        raise LookupError(f"{name!r} matches {len(found)} learnings: {listed}")
    near = _similar(low, [entry.title for entry in entries])
    hint = f"; similar: {', '.join(repr(title) for title in near)}" if near else ""
    raise LookupError(f"no learning {name!r}{hint}")


def _similar(name: str, titles: Sequence[str]) -> list[str]:
    """Return up to 3 titles that are similar to a name, or contain it."""
    from difflib import get_close_matches

    by_name = {title.lower(): title for title in titles}
    found = get_close_matches(name, by_name, 3, 0.4)
    found += [low for low in by_name if name and name in low and low not in found]
    return [by_name[low] for low in found[:3]]
