"""Past sessions that may have to do with this one: offered at its start, or by its first words.

Facts with their source event, few and short; silence where nothing is known or nothing fits. Never
the session's own lineage, nor a part and the whole it came from. Invariant: what an offer names is
in its record's reason as `#SEQ`, so nothing is offered to a session twice.
"""

from __future__ import annotations

from journal.clock import millis
from projections.lineage import root_of
from projections.messages.answer import Answer, injection, width
from projections.messages.wording import one_line, quoted, when
from projections.past import Card

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from projections.views import Views

__all__ = ["at_prompt", "at_start", "candidates"]

_LINES = 5
_LOOSE = 3  # of them for sessions that only recency speaks for
_WORK = 3  # sessions last at work whose files count as what is worked on
_UNTOLD = 8  # sessions that were not summarised yet
_TRUNKS = frozenset(("", "main", "master", "trunk", "develop", "HEAD"))
_WEEK = 7 * 86_400_000
_READ = "`journal get ID` (or /journal:get) prints one"


def at_start(views: Views, event: Any, settings: Mapping[str, Any], room: int) -> Answer | None:
    """Offer what is near by branch, files and recency. room: characters that are left for it."""
    if not settings["related.enabled"] or event.source != "startup" or not event.sid:
        return None
    ranked = _ranked(views, event)
    head = (
        f"Past sessions of this project, nearest first by branch, files and date (journal "
        f"#{event.seq}, {when(event.ts)}); {_READ}:"
    )
    return _offer(head, ranked, min(settings["related.max_chars"], room), "at start")


def at_prompt(views: Views, event: Any, settings: Mapping[str, Any], room: int) -> Answer | None:
    """Add what the first prompt's own words point to, unless it was offered at the start."""
    if not (settings["related.enabled"] and settings["related.prompts"]):
        return None
    node = views.lineage.sessions.get(event.sid)
    if node is None or node.asked != event.seq or node.source not in ("startup", "clear"):
        return None
    if event.text.lstrip().startswith("/"):
        return None
    from projections.messages.relevance import matching

    cards = candidates(views, event)
    found = matching(event.text, cards, _offered(views, event.sid, cards))
    head = (
        f"The first request shares telling words with past sessions of this project (journal "
        f"#{event.seq}, {when(event.ts)}); {_READ}:"
    )
    return _offer(head, found, min(settings["related.max_chars"], room), "at prompt")


def candidates(views: Views, event: Any) -> list[Card]:
    """Cards of other lineages, and of sessions that ended without a summary so far."""
    own = root_of(views.lineage, event.sid)
    cards = [
        card
        for card in (*views.past.cards.values(), *_untold(views))
        if own not in (card.root, root_of(views.lineage, card.of or card.sid))
        and event.sid not in (card.sid, card.of)
    ]
    return sorted(cards, key=lambda card: (card.date, card.seq), reverse=True)


def _untold(views: Views) -> list[Card]:
    """Make cards of the newest sessions that ended and wait for their summary."""
    found = []
    for sid, node in reversed(views.lineage.sessions.items()):
        trail = views.recovery.sessions.get(sid)
        if sid in views.past.cards or not node.ended or not node.end or trail is None:
            continue
        asked = [text for _, text in trail.prompts if text]
        if not (asked or trail.files):
            continue
        title = asked[-1].strip() if asked else f"changed {trail.files[0]}"
        head = f"not summarised yet; its last answer began: {trail.message}"
        found.append(
            Card(
                sid=sid,
                seq=node.end,
                date=node.ended,
                title=title[:80],
                head=head if trail.message else "not summarised yet",
                files=trail.files[:8],
                branch=node.branch,
                root=node.root,
                terms="\n".join(["", *asked, *trail.files]),
            )
        )
    return found[:_UNTOLD]


def _offered(views: Views, sid: str, cards: Iterable[Card]) -> set[str]:
    """Sessions that are nothing new to this one: offered to it, or part or whole of what was.

    Its end and its summary are two events of one session: either may have been named.
    """
    seqs = set(views.past.offered.get(sid, ()))
    told = [card for card in cards if card.seq in seqs]
    names = {card.sid for card in told}
    names |= {name for name, node in views.lineage.sessions.items() if node.end in seqs}
    return {card.sid for card in cards if card.sid in names or card.of in names} | {
        card.of for card in told
    }


def _ranked(views: Views, event: Any) -> list[Card]:
    """Order the candidates by how near they are; those of the same past only once."""
    now = millis(event.ts) or 0
    branch = event.branch
    busy = [(sid, trail.files) for sid, trail in views.recovery.sessions.items() if trail.files]
    rows = []
    for card in candidates(views, event):
        near = 0.0
        if card.branch == branch and branch not in _TRUNKS:
            near += 2
        near += min(1.0, len(_worked_on(busy, card).intersection(card.files)) / 3) * 1.5
        age = max(0, now - (millis(card.date) or 0)) / _WEEK
        rows.append((near + 1 / (1 + age), near > 0, card))
    rows.sort(key=lambda row: row[0], reverse=True)
    chosen: list[Card] = []
    loose = 0
    for _, bound, card in rows:
        if _twin(card, chosen) or (not bound and loose == _LOOSE):
            continue
        loose += not bound
        chosen.append(card)
    return chosen[:_LINES]


def _worked_on(busy: list[tuple[str, list[str]]], card: Card) -> set[str]:
    """Files changed by the sessions last at work, a card's own left out: what goes on now."""
    others = [files for sid, files in busy[-_WORK - 1 :] if sid not in (card.sid, card.of)]
    return {path for files in others[-_WORK:] for path in files}


def _twin(card: Card, chosen: Iterable[Card]) -> bool:
    """Whether the whole of this part, or a part of this whole, is among them already."""
    return any(other.sid == card.of or other.of == card.sid for other in chosen)


def _offer(head: str, cards: Iterable[Card], limit: int, when_said: str) -> Answer | None:
    """Give the cards that fit into `limit` characters, as they stand in JSON."""
    text, seqs = head, []
    for card in cards:
        line = "\n" + _line(card)
        if width(text) + width(line) > limit:
            short = "\n" + _line(card, brief=True)
            if width(text) + width(short) > limit:
                break
            line = short
        text += line
        seqs.append(f"#{card.seq}")
    if not seqs:
        return None
    return Answer(
        context=text, says=[injection("related", text, reason=f"{when_said}: {' '.join(seqs)}")]
    )


def _line(card: Card, *, brief: bool = False) -> str:
    """`- "Title" session 1f3a2b4c, 2026-11-20, #31, branch fix/cart; files a.py, b.py: summary`."""
    line = f"- {quoted(card.title or 'no title', 80)} session {_short(card)}, {card.date[:10]}, "
    line += f"#{card.seq}"
    if brief:
        return line
    if card.branch not in _TRUNKS:
        line += f", branch {one_line(card.branch, 40)}"
    if card.files:
        names = ", ".join(one_line(path.rpartition("/")[2], 40) for path in card.files[:3])
        more = f" and {len(card.files) - 3} more" if len(card.files) > 3 else ""
        line += f"; files {names}{more}"
    head = one_line(card.head, 120)
    return f"{line}: {head}" if head else line


def _short(card: Card) -> str:
    """Eight characters of the id, with the part's number where it is a part."""
    return one_line(f"{card.of[:8]}.{card.seq}" if card.of else card.sid[:8], 24)
