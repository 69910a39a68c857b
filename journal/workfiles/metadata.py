"""Parse the metadata of a learning: `key: value` in a comment or in visible lines.

Invariant: the offsets delimit exactly the values, so that an edit can replace one of them.
"""

from __future__ import annotations

from journal.workfiles.dates import find_date
from journal.workfiles.markdown import ASCII_KIN, HTML, TEXT, MarkdownLine, fold

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

COUNT, LAST, PHASES, OBSOLETE = "confirmed", "last", "phases", "obsolete"
_KEYS = {
    **dict.fromkeys(("confirmed", "confirmations", "confirmation count", "confirmed count"), COUNT),
    **dict.fromkeys(("times confirmed", "確認回数", "確認数", "확인 횟수"), COUNT),
    **dict.fromkeys(("last", "last confirmed", "last confirmation", "last confirmed on"), LAST),
    **dict.fromkeys(("最終確認", "最終確認日", "마지막 확인"), LAST),
    **dict.fromkeys(("phases", "phase", "confirmed in", "フェーズ", "確認フェーズ"), PHASES),
    **dict.fromkeys(("確認元フェーズ", "確認元", "단계"), PHASES),
    **dict.fromkeys(("obsolete", "廃止"), OBSOLETE),
}
_NO = {"", "no", "false", "0", "none", "-", "いいえ", "n"}
_DECOR = " \t*_`"


def valid_name(name: str) -> bool:
    """Return whether a topic or phase name is valid: letters, digits, `-`, `_`, at most 64."""
    plain = name.replace("-", "").replace("_", "")
    return 0 < len(name) <= 64 and plain != "" and ("a" + plain).isidentifier()


class Metadata:
    """The metadata of one learning.

    confirmed: number of confirmations. last: date of the last one (ISO) or "". phases: in the order
    of the file. offsets: field → start and end of the part that a new value replaces (`3`), and the
    end of the whole value (`3 times`).
    """

    __slots__ = ("confirmed", "last", "obsolete", "offsets", "phases")

    def __init__(self, text: str, rows: Sequence[MarkdownLine]) -> None:
        self.confirmed = 0
        self.last = ""
        self.phases: tuple[str, ...] = ()
        self.obsolete = False
        self.offsets: dict[str, tuple[int, int, int]] = {}
        for kind in (HTML, TEXT):
            ignored = kind == TEXT and bool(self.counted())  # a comment overrides visible lines
            for row in rows:
                if row.kind == kind:
                    for key, start, end in _fields(text, row):
                        if key == OBSOLETE or not ignored:
                            self._read(key, text[start:end], start, end)

    def counted(self) -> list[tuple[int, int, int]]:
        """Return the offsets of the fields that a confirmation changes."""
        return [offsets for field, offsets in self.offsets.items() if field != OBSOLETE]

    def _read(self, field: str, raw: str, start: int, end: int) -> None:
        """Read a field if it has a valid value and is the first of its name."""
        value = raw.translate(ASCII_KIN)
        limit = end
        if field in self.offsets:
            return
        if field == COUNT:
            size = len(value) - len(value.lstrip("0123456789"))
            if not 0 < size <= 6 or value[size : size + 1] in {"-", "/", ".", "年", "년"}:
                return
            self.confirmed, end = int(value[:size]), start + size
        elif field == LAST:
            if not (date := find_date(value)):
                return
            self.last = date[:10]
            if value.startswith(date) and len(date) == 10:
                end = start + 10  # an edit keeps the text after the day
        elif field == PHASES:
            if not (names := _phase_names(value)):
                return
            self.phases = names
        elif value.lower() in _NO:
            return
        else:
            self.obsolete = True
        self.offsets[field] = (start, end, limit)


def _fields(text: str, row: MarkdownLine) -> Iterator[tuple[str, int, int]]:
    """Yield (field, start of the value, end of the value) for each `key: value` of a line.

    For a line with only the word `Obsolete`, that word is the value.
    """
    line = text[row.start : row.end].translate(ASCII_KIN)
    if line.lstrip().startswith(">"):
        return
    at, limit = 0, len(line)
    if row.kind == HTML:
        at = line.find("<!--") + 4 if "<!--" in line else 0
        limit = line.find("-->", at) if "-->" in line[at:] else limit
    stripped = line[at:limit].strip(_DECOR + "-+.")
    if _KEYS.get(stripped.lower()) == OBSOLETE and (row.kind == HTML or line[0] not in " \t"):
        start = row.start + line.find(stripped, at)
        yield OBSOLETE, start, start + len(stripped)
        return
    for segment in line[at:limit].split("|"):
        key, colon, value = segment.partition(":")
        field = _KEYS.get(fold(key.strip(_DECOR + "-+")).lower())
        lead = len(value) - len(value.lstrip(_DECOR))
        start = row.start + at + len(key) + len(colon) + lead
        if field and colon:
            yield field, start, start + len(value.strip(_DECOR))
        at += len(segment) + 1


def _phase_names(value: str) -> tuple[str, ...]:
    parts = value.replace("、", ",").replace("\uff0c", ",").replace("/", ",").split(",")
    names = [part.strip(_DECOR) for part in parts if part.strip(_DECOR)]
    sound = all(valid_name(name.replace(":", "-")) for name in names)
    return tuple(dict.fromkeys(names)) if sound else ()


def title_is_obsolete(title: str) -> bool:
    """Return whether a title is struck through, or has `[Obsolete]`, `(obsolete)`, `Obsolete:`."""
    low = title.translate(ASCII_KIN).lower()
    if len(low) > 4 and low.startswith("~~") and low.endswith("~~"):
        return True
    tags = [left + word + right for word in ("obsolete", "廃止") for left, right in _BRACKETS]
    return any(tag in low for tag in tags) or low.lstrip(" *_").startswith(("obsolete:", "廃止:"))


_BRACKETS = (("[", "]"), ("(", ")"), ("【", "】"), ("\uff08", "\uff09"))
