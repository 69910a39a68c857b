"""Offer past sessions that may be about the same work: at a session's start or first request.

At a start a session scores 2 for the same branch (unless that is a trunk), up to 1.5 for files that
were changed last, and up to 1 for its age (half after a week). A session that scores less than
`_LEAST` is not offered. At a request, rare words decide (see `relevance`). Not offered are sessions
of the same chain, those that neither changed nor decided anything, and a part together with its
whole. Invariant: the reason of an offer's record names what was offered as `#SEQ`, so nothing is
offered to a session twice.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from journal.clock import DAY_MS, millis
from journal.text import quoted, utc_minute
from projections.lineage import root_of
from projections.messages.message import Answer, Input, Reason, Response, injection, width
from projections.messages.unfinished import argument
from projections.past import Card, overlaps
from projections.views import Views

TEXTS = {
    "start": (
        "Past sessions of this project that may be about this work (journal #{seq}, {at}); `journal get ID` (or /journal:get) prints one:",
        "この作業に関係しそうな過去のセッション（journal #{seq}、{at}）。`journal get ID`（または /journal:get）で表示：",
        "이 작업과 관련될 수 있는 지난 세션(journal #{seq}, {at}). `journal get ID`(또는 /journal:get)로 표시:",
    ),
    "prompt": (
        "Past sessions of this project that share rare words with the request (journal #{seq}, {at}); `journal get ID` (or /journal:get) prints one:",
        "依頼と珍しい語が共通する過去のセッション（journal #{seq}、{at}）。`journal get ID`（または /journal:get）で表示：",
        "요청과 드문 낱말이 겹치는 지난 세션(journal #{seq}, {at}). `journal get ID`(또는 /journal:get)로 표시:",
    ),
    "untitled": ("no title", "無題", "제목 없음"),
    "session": ("{title} session {sid}", "{title} セッション {sid}", "{title} 세션 {sid}"),
    "branch": (", branch {name}", "、ブランチ {name}", ", 브랜치 {name}"),
    "files": ("; files {names}", "、ファイル {names}", "; 파일 {names}"),
    "answered": (
        "its last answer began: {text}",
        "最後の回答の冒頭：{text}",
        "마지막 답변의 첫머리: {text}",
    ),
}

_LINES = 5
_UNRELATED = 3  # of these, sessions that score by their age alone
_BUSY = 3  # last active sessions whose files count as changed last
_UNSUMMARIZED = 8  # sessions that have no summary yet
_TRUNKS = frozenset(("", "main", "master", "trunk", "develop", "HEAD"))
_LEAST = 0.4  # that of an age of ten days alone


def respond(given: Input) -> Response:
    """Answer SessionStart(startup), or a session's first request."""
    event, settings = given.event, given.settings
    if not event.sid:
        return None
    yield given.switch("related.enabled")
    cards = candidates(given.views, event)
    text = f"{len(cards)} of other session chains"
    yield Reason("past sessions", text, passed=bool(cards))
    if hasattr(event, "source"):
        found = _ranked(event, cards, given.views)
        text = f"{len(found)} score at least {_LEAST} by branch, files and age"
        yield Reason("score", text, passed=bool(found))
        head, occasion = "start", "at start"
    else:
        yield given.switch("related.prompts")
        yield _request(given)
        from projections.messages.relevance import matching

        found = matching(event.text, cards, _offered(given.views, event.sid, cards))
        text = f"{len(found)} share rare words with the request and are new to this session"
        yield Reason("matches", text, passed=bool(found))
        head, occasion = "prompt", "at prompt"
    limit = min(settings["related.max_chars"], given.space)
    text = given.phrase(TEXTS[head], seq=event.seq, at=utc_minute(event.ts))
    text, seqs = _listing(given, text, found, limit)
    names = " ".join(f"#{seq}" for seq in seqs)
    yield Reason("offer", names or "none fits", passed=bool(seqs), keys=("related.max_chars",))
    return Answer(context=text, events=[injection("related", text, reason=f"{occasion}: {names}")])


def _request(given: Input) -> Reason:
    """Return whether the prompt is one to match: the first of a new session, and no command."""
    node = given.views.lineage.sessions[given.event.sid]
    command = given.event.text.lstrip().startswith("/")
    new = node.source in ("startup", "clear")
    text = (
        "a command"
        if command
        else f"the first of a session started by {node.source or 'nothing seen'}"
    )
    return Reason("request", text, passed=new and not command)


def candidates(views: Views, event: Any) -> list[Card]:
    """Return the cards of other session chains, and of ended sessions without a summary."""
    own = root_of(views.lineage, event.sid)
    cards = [
        card
        for card in (*views.past.cards.values(), *_unsummarized(views))
        if (card.files or card.head)
        and own not in (card.root, root_of(views.lineage, card.of or card.sid))
        and event.sid not in (card.sid, card.of)
    ]
    return sorted(cards, key=lambda card: (card.date, card.seq), reverse=True)


def _unsummarized(views: Views) -> list[Card]:
    """Build cards of the newest sessions that ended and have no summary yet."""
    found = []
    for sid, node in reversed(views.lineage.sessions.items()):
        trail = views.recovery.sessions.get(sid)
        if sid in views.past.cards or not node.ended or not node.end or trail is None:
            continue
        asked = [prompt.text for prompt in trail.prompts if prompt.text]
        if not (trail.files or trail.decisions):
            continue  # it only read
        origin = views.recovery.sessions.get(node.parent)
        before = origin.prompts if origin else trail.prompts
        own = [one.text for one in trail.prompts if one.text and one not in before]
        title, answer = _title_and_answer(own or asked, trail.message)
        found.append(
            Card(
                sid=sid,
                seq=node.end,
                date=node.ended,
                title=title or (f"changed {trail.files[0]}" if trail.files else ""),
                head=answer or next((decision.text for decision in trail.decisions), ""),
                is_answer=bool(answer),
                files=trail.files[:8],
                branch=node.branch,
                root=node.root,
                terms="\n".join(["", *asked, *trail.files]),
            )
        )
    return found[:_UNSUMMARIZED]


def _title_and_answer(asked: list[str], answer: str) -> tuple[str, str]:
    """Return a session's title, and its answer unless that says nothing ("Done.").

    The title is the first request that says what is wanted, else the first one. asked: requests,
    newest first.
    """
    from projections.prose import is_greeting, is_own, is_substantial, opening

    texts = [text.partition(" ")[2] if is_own(text) else text for text in reversed(asked)]
    titles = [opening(text, 80) for text in texts if not is_greeting(text)]
    title = next(filter(is_substantial, titles), next(filter(None, titles), ""))
    return title, "" if is_greeting(answer) else answer


def _offered(views: Views, sid: str, cards: Iterable[Card]) -> set[str]:
    """Return the sessions that were offered to this one, and the parts and wholes of these.

    An offer names a session by the event of its summary or, without one, by that of its end.
    """
    seqs = set(views.past.offered.get(sid, ()))
    listed = [card for card in cards if card.seq in seqs]
    names = {card.sid for card in listed}
    names |= {name for name, node in views.lineage.sessions.items() if node.end in seqs}
    return {card.sid for card in cards if card.sid in names or card.of in names} | {
        card.of for card in listed
    }


def _ranked(event: Any, cards: Iterable[Card], views: Views) -> list[Card]:
    """Return the best cards for a session's start, best first; a part and its whole only once."""
    now = millis(event.ts) or 0
    branch = event.branch
    busy = [(sid, trail.files) for sid, trail in views.recovery.sessions.items() if trail.files]
    rows = []
    for card in cards:
        near = 0.0
        if card.branch == branch and branch not in _TRUNKS:
            near += 2
        near += min(1.0, len(_worked_on(busy, card).intersection(card.files)) / 3) * 1.5
        age = max(0, now - (millis(card.date) or 0)) / (7 * DAY_MS)
        score = near + 1 / (1 + age)
        if score >= _LEAST:
            rows.append((score, near > 0, card))
    rows.sort(key=lambda row: row[0], reverse=True)
    chosen: list[Card] = []
    unrelated = 0
    for _, is_related, card in rows:
        if overlaps(card, chosen) or (not is_related and unrelated == _UNRELATED):
            continue
        unrelated += not is_related
        chosen.append(card)
    return chosen[:_LINES]


def _worked_on(busy: list[tuple[str, list[str]]], card: Card) -> set[str]:
    """Return the files changed by the last active sessions, without the card's own session."""
    others = [files for sid, files in busy[-_BUSY - 1 :] if sid not in (card.sid, card.of)]
    return {path for files in others[-_BUSY:] for path in files}


def _listing(given: Input, head: str, cards: Iterable[Card], limit: int) -> tuple[str, list[int]]:
    """Return a text of at most `limit` characters, counted as JSON, and the seqs in it."""
    text, seqs = head, []
    for card in cards:
        line = "\n" + _line(given, card)
        if width(text) + width(line) > limit:
            line = "\n" + _line(given, card, brief=True)
            if width(text) + width(line) > limit:
                break
        text += line
        seqs.append(card.seq)
    return text, seqs


def _line(given: Input, card: Card, *, brief: bool = False) -> str:
    """Return `- "Title" session 1f3a2b4c, 2026-11-20, #31, branch "fix"; files "a.py": "summary"`."""
    title = quoted(card.title or given.phrase(TEXTS["untitled"]), 80)
    session = given.phrase(TEXTS["session"], title=title, sid=_short(card))
    line = f"- {session}, {card.date[:10]}, #{card.seq}"
    if brief:
        return line
    if card.branch not in _TRUNKS:
        line += given.phrase(TEXTS["branch"], name=quoted(card.branch, 40))
    if card.files:
        names = ", ".join(quoted(path.rpartition("/")[2], 40) for path in card.files[:3])
        more = f" +{len(card.files) - 3}" if len(card.files) > 3 else ""
        line += given.phrase(TEXTS["files"], names=names + more)
    head = _without_title(card.head, card.title)
    if not head:
        return line
    found = quoted(head, 160)
    return f"{line}: {given.phrase(TEXTS['answered'], text=found) if card.is_answer else found}"


def _without_title(head: str, title: str) -> str:
    """Return a summary's beginning without the title that it repeats."""
    head, title = " ".join(head.split()), " ".join(title.split()).rstrip("….")
    if head.casefold().startswith(title.casefold()):
        head = head[len(title) :].lstrip("….:;,- ")
    return head


def _short(card: Card) -> str:
    """Return the first eight characters of a session's id, and the number of a part."""
    return argument(f"{card.of[:8]}.{card.seq}" if card.of else card.sid[:8], 24)
