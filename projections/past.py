"""The newest summarized sessions, one card each, from which hooks offer related ones.

Invariant: bounded (64 cards of bounded size). Cards are ordered by the session's own date, so
summarizing an old session late displaces no newer one.
"""

from msgspec import Struct
from msgspec.structs import replace

from projections.projection import Projection, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from journal.events.pressure import AdviceGiven, ContextInjected
    from journal.events.session import SessionExported, SessionSummarized
    from journal.events.usage import TranscriptsChecked

LOSSES = "transcripts"
"""Value of `what` in the `advice.given` event about expiring transcripts."""
MOST_CARDS = 64
TERMS = 40
_HEAD = 300  # characters of the outcome
_TITLE = 120
_FILES = 8
_PATH = 160
_TEXT = 4_000  # characters of a summary from which terms are taken


class Card(Struct, frozen=True, omit_defaults=True):
    """One past session, or a part of one that was exported as a session of its own.

    of: session from which a part was exported, else "". seq: of the event with the summary. date:
    when it ended, else began, else was summarized. root: first session of its chain, "" if unknown.
    head: the outcome as the summary has it or, with is_answer, the beginning of the last answer; ""
    without an outcome. terms: search terms, separated by spaces.
    """

    sid: str = ""
    of: str = ""
    seq: int = 0
    date: str = ""
    title: str = ""
    head: str = ""
    files: list[str] = []
    branch: str = ""
    root: str = ""
    terms: str = ""
    is_answer: bool = False


class Losses(Struct, frozen=True, omit_defaults=True):
    """Transcripts that Claude Code will soon delete and that no import has stored.

    seq: of the event that counted them. sessions: how many. days: age at which it deletes a
    transcript. first: when it deletes the next. told: date of the last message to the user.
    """

    seq: int = 0
    sessions: int = 0
    days: int = 0
    first: str = ""
    told: str = ""


class Past(Struct, frozen=True, omit_defaults=True):
    """cards: session id → Card, the newest last. offered: session id → seqs of offered cards."""

    cards: dict[str, Card] = {}
    offered: dict[str, list[int]] = {}
    losses: Losses = Losses()


def overlaps(card: Card, chosen: "Iterable[Card]") -> bool:
    """Return whether the whole of this part, or a part of this whole, is chosen already."""
    return any(other.sid == card.of or other.of == card.sid for other in chosen)


def _with_card(state: Past, card: Card) -> Past:
    cards = {**state.cards, card.sid: card}
    order = sorted(cards, key=lambda sid: (cards[sid].date, cards[sid].seq))
    return Past({sid: cards[sid] for sid in order[-MOST_CARDS:]}, state.offered, state.losses)


def _card(event: "SessionSummarized | SessionExported", sid: str, of: str, date: str) -> Card:
    # Imported here because few events need the tokenizer, and every hook imports this module.
    from projections.terms import significant_terms

    files = [path[:_PATH] for path in event.files[:_FILES]]
    texts = [event.title, " ".join(files), *event.decisions[:8], event.summary[:_TEXT]]
    return Card(
        sid=sid,
        of=of,
        seq=event.seq,
        date=date,
        title=event.title[:_TITLE],
        head=_outcome(event.summary),
        files=files,
        branch=event.branch[:_TITLE],
        terms=" ".join(significant_terms("\n".join(texts), TERMS)),
    )


def _outcome(summary: str) -> str:
    """Return the outcome of a session by its summary, else a substantial request, else "".

    The line about the session's end is left out, because it helps nobody choose.
    """
    from projections.prose import is_substantial

    rows = [row for row in summary.splitlines() if row and not row.startswith("Ended: ")]
    found = [row for row in rows if not row.startswith("Asked: ")]
    asked = [row.removeprefix("Asked: ") for row in rows]
    return "\n".join(found or filter(is_substantial, asked))[:_HEAD]


def _summarized(state: Past, event: "SessionSummarized") -> Past:
    if not event.of:
        return state
    earlier = state.cards.get(event.of)
    date = event.ended or event.started or (earlier.date if earlier else "") or event.ts
    card = _card(event, event.of, earlier.of if earlier else "", date)
    if earlier:  # an offer of the earlier summary was one of this session
        state = replace(state, offered=_renamed(state.offered, earlier.seq, event.seq))
    return _with_card(state, replace(card, root=event.root or (earlier.root if earlier else "")))


def _renamed(offered: dict[str, list[int]], old: int, new: int) -> dict[str, list[int]]:
    return {
        sid: [new if seq == old else seq for seq in seqs] if old in seqs else seqs
        for sid, seqs in offered.items()
    }


def _exported(state: Past, event: "SessionExported") -> Past:
    if not event.of:
        return state
    return _with_card(state, _card(event, f"{event.of}.{event.seq}", event.of, event.ts))


def _injected(state: Past, event: "ContextInjected") -> Past:
    """Remember which cards a session was offered: the event's reason lists them as `#SEQ`."""
    if event.what != "related" or not event.sid:
        return state
    seqs = [
        int(word[1:])
        for word in event.reason.split()
        if word[:1] == "#" and word[1:].isascii() and word[1:].isdigit()
    ]
    earlier = state.offered.get(event.sid, [])
    return Past(state.cards, put(state.offered, event.sid, [*earlier, *seqs][-16:]), state.losses)


def _checked(state: Past, event: "TranscriptsChecked") -> Past:
    told = state.losses.told
    found = Losses(event.seq, event.expiring, event.days, event.first, told)
    return Past(state.cards, state.offered, found)


def _advised(state: Past, event: "AdviceGiven") -> Past:
    if event.what != LOSSES:
        return state
    return replace(state, losses=replace(state.losses, told=event.ts[:10]))


_ANY: "dict[str, Callable[..., Past]]" = {
    "session.summarized": _summarized,
    "session.exported": _exported,
    "transcripts.checked": _checked,
    "advice.given": _advised,
}
PROJECTION = Projection("past", 9, Past(), {**_ANY, "context.injected": _injected}, any_agent=_ANY)
