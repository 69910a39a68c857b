"""The language of messages: that of the user's prompts, unless a setting names one.

Each prompt votes by its script: Hangul for Korean, kana for Japanese, Latin letters for English.
Han characters alone do not vote, because they may be Japanese or Chinese. The majority of a
session's last prompts decides; until it has one, that of the project's.
"""

from msgspec import Struct

from projections.projection import Projection, inherited, put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from journal.events.turn import PromptSubmitted

_READ = 500  # characters of a prompt that are read
_VOTES = 9  # prompts of a session that count
_WORD = 5  # Latin letters that weigh as much as two characters of the other scripts
_MARKS = ".,:;!?\"'()"
_LETTER = {"e": "en", "j": "ja", "k": "ko"}


class Language(Struct, frozen=True, omit_defaults=True):
    """Votes of the last prompts, oldest first, one letter each.

    sessions: session id → its votes. project: those of all sessions.
    """

    sessions: dict[str, str] = {}
    project: str = ""


def language_in(state: Language, sid: str, setting: str = "auto") -> str:
    """Return the language for a session: "en", "ja" or "ko". setting: one of these, or "auto"."""
    if setting in _LETTER.values():
        return setting
    votes = state.sessions.get(sid) or state.project
    # If languages have equally many votes, the latest vote decides.
    best = max(_LETTER, key=lambda letter: (votes.count(letter), votes.rfind(letter)))
    return _LETTER[best] if votes else "en"


def vote(prompt: str) -> str:
    """Return "e", "j" or "k" for the language of a prompt, "" if it does not show."""
    text = prompt[:_READ].partition("<pasted_content")[0].strip()
    if text.startswith("/"):
        return ""  # a command is in no language
    if text.isascii():
        return "e" if any(map(str.isalpha, text)) else ""
    hangul = sum("가" <= c <= "힣" or "ㄱ" <= c <= "ㆎ" for c in text)
    kana = sum("ぁ" <= c <= "ヿ" for c in text)
    han = sum("㐀" <= c <= "鿿" for c in text)
    # Code and paths are in no language.
    words = "".join([word for word in text.split() if word.strip(_MARKS).isalpha()])
    latin = sum(c.isalpha() and c < "ɐ" for c in words)
    own = max(hangul, kana + han if kana else 0)
    if own * _WORD >= latin * 2 and own:
        return "k" if hangul >= kana else "j"
    return "e" if latin > han else ""


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
    "language", 3, Language(), {"session.started": inherited, "prompt.submitted": _prompted}
)
