"""Choose from a long text the few sentences that say most, and a section by what it is about.

Invariant: nothing is worded anew: what comes out stands in the text, in its order.
"""

from __future__ import annotations

import re

from projections.prose import clip, sentences
from projections.terms import terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["best", "section", "work_section"]

_MOST = 60  # sentences weighed

# Headings of the sections a compaction's summary commonly has, by what they are about.
_SECTIONS = {
    "work": ("current work", "work completed", "what was done", "progress", "completed", "done",
             "現在の作業", "作業内容", "完了", "現在の状態", "현재 작업", "완료", "작업 내용"),
    "decided": ("decision", "key decision", "決定", "決めたこと", "결정"),
    "solved": ("problem solving", "errors and fixes", "changes", "問題解決", "변경"),
    "asked": ("primary request", "request", "all user messages", "user messages", "依頼", "요청"),
    "pending": ("pending tasks", "pending", "next steps", "optional next step", "next step", "todo",
                "open", "remaining", "残り", "未完了", "次のステップ", "残タスク", "남은 작업",
                "다음 단계", "할 일", "미완료"),
}  # fmt: skip

# A numbered heading amid a line: summaries of few words are written without line breaks.
_INLINE = re.compile(r"(?<=[.;!?]) (?=\d{1,2}\. [^\W\d_][\w /-]{0,40}:)")


def section(text: str, what: str) -> str:
    """Text of the section about `what` (a key of `_SECTIONS`); "" where there is none."""
    names = _SECTIONS[what]
    found: list[str] = []
    for name, body in _sections(text):
        if body.strip() and name.startswith(names):
            found.append(body)
    return found[0] if found else ""


def work_section(text: str) -> str:
    """What a summary says was done: its section about that, else what is about nothing else."""
    if found := section(text, "work") or section(text, "solved"):
        return found
    other = (*_SECTIONS["asked"], *_SECTIONS["decided"], *_SECTIONS["pending"])
    return "\n\n".join(body for name, body in _sections(text) if not name.startswith(other))


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Cut at headings: `# x`, `**x**`, `3. x:` and `x:` alone in a line."""
    name = ""
    rows: list[str] = []
    for row in _INLINE.sub("\n", text).splitlines():
        heading, rest = _heading(row.strip())
        if heading:
            yield name, "\n".join(rows)
            name, rows = heading, [rest]
        else:
            rows.append(row)
    yield name, "\n".join(rows)


def _heading(row: str) -> tuple[str, str]:
    """Name of the heading a line begins with, without case, and the rest of the line."""
    plain = row.lstrip("# ").replace("**", "")
    number, dot, rest = plain.partition(". ")
    numbered = bool(dot) and number.isdigit()
    if numbered:
        plain = rest
    name, colon, rest = plain.partition(":")
    if not colon:
        name, colon, rest = plain.partition("：")  # noqa: RUF001
    if row.startswith("#") or (row.startswith("**") and row.rstrip(": ").endswith("**")):
        return (name.strip().casefold(), rest) if colon else (plain.strip().casefold(), "")
    if colon and len(name) <= 40 and (numbered or not rest.strip()):
        return name.strip().casefold(), rest
    return "", ""


def best(text: str, about: str, count: int, most: int) -> list[str]:
    """Return the `count` sentences that say most of `text` and of `about`, in their order.

    A sentence weighs what its words weigh: how often they occur in all, more where `about` has
    them; long sentences do not win by length alone, and early ones win a tie.
    """
    found: list[str] = []
    for one in sentences(text):
        if one not in found:
            found.append(one)
        if len(found) >= _MOST:
            break
    if len(found) <= count:
        return [clip(one, most) for one in found]
    wanted = set(_words(about))
    words = [list(_words(one)) for one in found]
    often: dict[str, int] = {}
    for row in words:
        for word in set(row):
            often[word] = often.get(word, 0) + 1
    weights = [
        (sum(often[word] + 2 * (word in wanted) for word in set(row)) / (len(row) + 8) ** 0.5, -at)
        for at, row in enumerate(words)
    ]
    chosen = sorted(weights, reverse=True)[:count]
    return [clip(found[at], most) for at in sorted(-at for _, at in chosen)]


def _words(text: str) -> Iterator[str]:
    """Return the terms of a text, without short words; they are grammar mostly."""
    return (term for term in terms(text[:8000]) if len(term) > 3 or not term.isascii())
