"""Select a section, or the few most informative sentences, of a long text.

Invariant: every result is an excerpt; sentences stay in the order of the text.
"""

import math
import re
from collections.abc import Iterator
from itertools import islice

from journal.text import excerpt
from projections.prose import QUESTION_MARKS, is_announcement, sentences
from projections.terms import terms

_MOST = 60  # sentences of a text that are weighed

# Beginnings of the headings that compaction summaries commonly have, by topic.
_SECTIONS = {
    "work": ("current work", "work completed", "what was done", "progress", "completed", "done",
             "現在の作業", "作業内容", "完了", "現在の状態", "현재 작업", "완료", "작업 내용"),
    "decided": ("decision", "key decision", "決定", "決めたこと", "결정"),
    "solved": ("problem solving", "errors and fixes", "changes", "問題解決", "변경"),
    "concepts": ("key technical concepts", "technical concepts", "key concepts", "技術", "기술"),
    "asked": ("primary request", "request", "all user messages", "user messages", "依頼", "요청"),
    "pending": ("pending tasks", "pending", "next steps", "optional next step", "next step", "todo",
                "open", "remaining", "残り", "未完了", "次のステップ", "残タスク", "남은 작업",
                "다음 단계", "할 일", "미완료"),
}  # fmt: skip

# A numbered heading within a line: short summaries have no line breaks.
_INLINE = re.compile(r"(?<=[.;!?]) (?=\d{1,2}\. [^\W\d_][\w /-]{0,40}:)")


def section(text: str, topic: str) -> str:
    """Return the first section about a topic (a key of `_SECTIONS`), "" if there is none."""
    headings = _SECTIONS[topic]
    for heading, body in _sections(text):
        if body.strip() and heading.startswith(headings):
            return body
    return ""


def work_section(text: str) -> str:
    """Return what a summary says was done: that section, else all sections of unknown topic."""
    if found := section(text, "work") or section(text, "solved"):
        return found
    names = ("concepts", "asked", "decided", "pending")
    other = tuple(heading for name in names for heading in _SECTIONS[name])
    return "\n\n".join(body for name, body in _sections(text) if not name.startswith(other))


def _sections(text: str) -> Iterator[tuple[str, str]]:
    """Yield (heading, body), cut at `# x`, `**x**`, `3. x:`, and `x:` alone in a line."""
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
    """Return the heading that a line begins with, case folded ("" for none), and the rest."""
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


def best(
    text: str, about: str, count: int, most: int, preferred: re.Pattern[str] | None = None
) -> list[str]:
    """Return the `count` most informative sentences of a text, in order.

    A word weighs as much as it occurs in sentences, and more if `about` has it. A sentence weighs
    the sum of its words, damped by its length; the earlier one wins a tie.

    most: characters of a sentence. preferred: an expression for English; sentences that do not
    match it are left out. If none matches in a short text, or one in another language, only
    questions are.
    """
    first = list(dict.fromkeys(islice(sentences(text), _MOST)))
    found = [sentence for sentence in first if not is_announcement(sentence)] or first
    if preferred:
        told = [sentence for sentence in found if not sentence.endswith(QUESTION_MARKS)]
        is_other = len(told) > count and " the " in text.casefold()  # long and in English
        found = list(filter(preferred.search, found)) or ([] if is_other else told)
    if len(found) <= count:
        return [excerpt(sentence, most) for sentence in found]
    wanted = set(_words(about))
    words = [list(_words(sentence)) for sentence in found]
    counts: dict[str, int] = {}
    for row in words:
        for word in set(row):
            counts[word] = counts.get(word, 0) + 1

    def weight(at: int) -> float:
        row = words[at]
        total: int = sum(counts[word] + 2 * (word in wanted) for word in set(row))
        return total / math.sqrt(len(row) + 8)

    chosen = sorted(range(len(found)), key=weight, reverse=True)[:count]
    return [excerpt(found[at], most) for at in sorted(chosen)]


def _words(text: str) -> Iterator[str]:
    """Return the terms of a text without short English words, which are mostly grammar."""
    return (term for term in terms(text[:8000]) if len(term) > 3 or not term.isascii())
