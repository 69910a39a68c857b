"""The language that messages are in: that of the person's prompts, unless a setting names one.

A prompt votes by its script: Hangul is Korean, kana is Japanese, Latin letters are English. Han
characters alone decide nothing (a Japanese word or a Chinese text). The last prompts of a session
decide by majority, those of the project until the session has any.
"""

from msgspec import Struct

from projections.projection import Projection, inherit, main_thread, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.events.session import SessionStarted
    from journal.events.turn import PromptSubmitted

__all__ = ["PROJECTION", "Language", "language_in", "vote"]

_READ = 500  # characters of a prompt that are read
_VOTES = 9  # prompts of a session that count
_WORD = 5  # Latin letters of a word, as against two characters of the other scripts
_LETTER = {"e": "en", "j": "ja", "k": "ko"}


class Language(Struct, frozen=True, omit_defaults=True):
    """sessions: sid → votes of its last prompts, oldest first, one letter each; project: of all."""

    sessions: dict[str, str] = {}
    project: str = ""


def language_in(state: Language, sid: str, setting: str = "auto") -> str:
    """Return the language for a session, or the one a setting names."""
    if setting in _LETTER.values():
        return setting
    return _majority(state.sessions.get(sid) or state.project)


def vote(prompt: str) -> str:
    """Return "e", "j" or "k" for the language a prompt is in, "" where it shows none."""
    text = prompt[:_READ].strip()
    if text.startswith("/"):
        return ""  # a command is in nobody's language
    if text.isascii():
        return "e" if any(map(str.isalpha, text)) else ""
    hangul = sum("가" <= c <= "힣" or "ㄱ" <= c <= "ㆎ" for c in text)
    kana = sum("ぁ" <= c <= "ヿ" for c in text)
    han = sum("㐀" <= c <= "鿿" for c in text)
    latin = sum(c.isalpha() and c < "ɐ" for c in text)
    own = max(hangul, kana + han if kana else 0)
    if own * _WORD >= latin * 2 and own:
        return "k" if hangul >= kana else "j"
    return "e" if latin > han else ""


def _majority(votes: str) -> str:
    """Return the language with most votes; of several, the one voted for last."""
    best = max(_LETTER, key=lambda letter: (votes.count(letter), votes.rfind(letter)))
    return _LETTER[best] if votes else "en"


def _started(state: Language, event: "SessionStarted") -> Language:
    sessions = inherit(state.sessions, event)
    return state if sessions is None else Language(sessions, state.project)


def _prompted(state: Language, event: "PromptSubmitted") -> Language:
    if event.origin == "task-notification" or not event.sid:
        return state
    letter = vote(event.text)
    if not letter:
        return state
    old = state.sessions.get(event.sid, "")
    votes, project = (old + letter)[-_VOTES:], (state.project + letter)[-_VOTES:]
    if votes == old and project == state.project and next(reversed(state.sessions)) == event.sid:
        return state
    return Language(put(state.sessions, event.sid, votes), project)


PROJECTION = Projection(
    "language",
    1,
    Language(),
    main_thread({"session.started": _started, "prompt.submitted": _prompted}),
)
