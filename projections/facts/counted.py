"""Extract the clauses of a text that count or measure, such as "peak memory is 61 MB". Pure.

Invariant: every result is an excerpt of the text without its `**` and single backticks.
"""

from __future__ import annotations

import re

from projections.facts.presence import content_words
from projections.prose import QUESTION_MARKS

# A number and its noun. Dates, versions and line numbers are not counted things.
# In Japanese and Korean the noun comes first and a counter behind the number: テスト 12 件.
_DIGITS = r"\d+(?:,\d{3})*(?:\.\d+)?\s?"
_COUNTER = "(?:個|件|回|秒|分|行|人|円|개|건|회|초|분|줄|명|원)"
_NOUN = "[\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3]{2,12}[はがをも]?"
_NUMBER = re.compile(
    rf"{_NOUN}\s?{_DIGITS}{_COUNTER}"
    rf"|(?<![\w.:/#,-]){_DIGITS}"
    rf"(?:%|[kMGT]i?B\b|(?:m?s|h|x|Hz|fps)\b|[a-z]{{3,}}(?:\s[a-z]{{3,}})?(?!\w)|{_COUNTER})"
)
_BARE = re.compile(r"\d[\d.,]*\s?(?:%|\w+)?")  # a number with its unit or noun
_CLAUSE = re.compile(r"[.;:!?](?=\s|$)|[()\n\"|]|(?<=\D), | - | \u2014 |[。！？、]")
_CLAUSE_SIZE = 60  # characters of a clause before its number, and behind it
_AROUND = " \t*`_#>-,"
_LABEL = re.compile(
    r"(?<=\w )[A-Z]\w+ $"
    r"|(?i:\b(?:table|figure|section|step|line|level|page|phase|chapter|part|row|column) $)"
)
_UNITS = ("sec", "min", "hour", "day", "week", "month", "year", "ms", "byte", "times", "percent")
_UNCOUNTED = ("and", "the", "for", "with", "from", "that", "but", "are", "was", "all", "new")


def numbers(text: str) -> list[str]:
    """Return the clauses of a text that count or measure, such as "peak memory is 61 MB"."""
    text = text.replace("**", "")
    found: dict[str, None] = {}
    for match in _NUMBER.finditer(text):
        if not _is_counted(text, match):
            continue
        ends = [0, *(end.end() for end in _CLAUSE.finditer(text, 0, match.start() + 1))]
        end = _CLAUSE.search(text, match.end())
        is_alone = not text[ends[-1] : match.start()].strip(_AROUND)
        if is_alone and end and end.start() == match.end() and ends[1:]:
            begin = ends.pop()  # "RETRY_MAX (90s)": the number alone says nothing
            is_bracketed = text[begin - 1] == "(" and end[0] == ")"
            end = _CLAUSE.search(text, match.end() + 1) if is_bracketed else end
        if end and end[0] in QUESTION_MARKS:  # "Shall I use 100 or 60?"
            continue
        start = max(ends[-1], match.start() - _CLAUSE_SIZE)
        last = min(end.start() if end else len(text), match.end() + _CLAUSE_SIZE)
        clause = " ".join(_whole_words(text, start, last).strip(_AROUND).split())
        rest = _BARE.sub(" ", clause)
        if clause.isascii() and not content_words(rest) and len(rest.split()) < 2:
            continue  # "~15 lines", "10ms"
        found[clause if clause.count("`") % 2 == 0 else clause.replace("`", "")] = None
    return list(found)


def figures(clause: str) -> list[str]:
    """Return the numbers of a clause with what they count, such as "61 MB"."""
    return [" ".join(match.split()) for match in _NUMBER.findall(clause)]


def _is_counted(text: str, match: re.Match[str]) -> bool:
    """Return whether a number counts something, unlike a year or that of "Table 2 shows".

    One digit without a unit is rather the number of a thing, or no news.
    """
    number, _, noun = match[0].partition(" ")
    if match[0].lstrip("0123456789., ").startswith(_UNCOUNTED):
        return False
    if len(number) == 1 and noun[:1].isalpha() and not noun.startswith(_UNITS):
        return False
    if noun.isalpha() and (number[:1] == "0" or (len(number) == 4 and number[:2] in ("19", "20"))):
        return False
    label = text[: match.start()].rpartition("\n")[2][-20:]
    return not (noun and label.endswith(" ") and _LABEL.search(label))


def _whole_words(text: str, start: int, end: int) -> str:
    """Return a part of a text without the words that its ends cut."""
    part = text[start:end]
    if start and text[start - 1].isalnum() and part[:1].isalnum() and part[:1].isascii():
        part = part.partition(" ")[2]
    if text[end : end + 1].isalnum() and part[-1:].isalnum() and part[-1:].isascii():
        part = part.rpartition(" ")[0]
    return part
