"""Find the headings of a Markdown text with a line scanner for the top level of CommonMark.

Invariant: the rows of `scan` cover the text in order and without gaps. Offsets count characters of
the given text, whatever its line endings.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

BLANK = 0
TEXT = 1  # prose, list items, quotes, rules, headings nested in a list
CODE = 2  # in a fence, the fence lines included, or indented code
HTML = 3  # a comment, one line or several
FRONT = 4  # front matter
TITLE = 5  # an ATX heading
UNDERLINE = 6  # the line of = or - that makes the paragraph before it a heading

# Full-width digits and signs → ASCII, one character for one, so that offsets stay valid.
ASCII_KIN: dict[int, int | str] = {
    **{0xFF10 + n: 0x30 + n for n in range(10)},
    0xFF1A: ":",
    0xFF0F: "/",
    0xFF5C: "|",
}


class MarkdownLine:
    """One line.

    start, end: offsets of its content. next: offset of the next line. level, top: for TITLE and
    UNDERLINE, the level of the heading (1 to 6) and the offset of its first line.
    """

    __slots__ = ("end", "kind", "level", "next", "start", "top")

    def __init__(self, start: int, end: int, following: int) -> None:
        self.kind = TEXT
        self.start = start
        self.end = end
        self.next = following
        self.level = 0
        self.top = start


class Heading:
    """A heading of the top level.

    title: with folded white space. start, body: offsets of its first line and of the line after it.
    row: index of its last line in the scan.
    """

    __slots__ = ("body", "level", "row", "start", "title")

    def __init__(self, level: int, title: str, start: int, body: int, row: int) -> None:
        self.level = level
        self.title = title
        self.start = start
        self.body = body
        self.row = row


def fold(text: str) -> str:
    """Return the text with each run of white space replaced by a space."""
    return " ".join(text.split())


def _lines(text: str) -> Iterator[MarkdownLine]:
    # CR LF and a lone CR also end a line. Both are replaced by as many characters.
    flat = text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text
    start = 1 if text.startswith("\ufeff") else 0
    while start < len(flat):
        stop = flat.find("\n", start)
        end = stop if stop >= 0 else len(flat)
        is_crlf = stop > start and text[stop - 1] == "\r"
        yield MarkdownLine(start, end - is_crlf, min(end + 1, len(flat)))
        start = end + 1


def _columns(line: str) -> int:
    """Return the number of columns of leading blanks; a tab extends to a multiple of four."""
    width = 0
    for char in line:
        if char == " ":
            width += 1
        elif char == "\t":
            width += 4 - width % 4
        else:
            break
    return width


def _run(body: str) -> int:
    """Return how often the first character is repeated at the start."""
    return len(body) - len(body.lstrip(body[0]))


def _atx_level(body: str) -> int:
    if body[0] != "#":
        return 0
    level = _run(body)
    return level if level <= 6 and (len(body) == level or body[level] in " \t") else 0


def _atx_title(body: str) -> str:
    title = body.lstrip("#").strip(" \t")
    stripped = title.rstrip("#")
    if not stripped or stripped[-1] in " \t":  # a closing sequence
        title = stripped
    return fold(title)


def _opens_fence(body: str) -> int:
    """Return the length of the fence that a line opens, 0 if it opens none."""
    if body[0] not in "`~":
        return 0
    size = _run(body)
    return size if size >= 3 and (body[0] == "~" or "`" not in body[size:]) else 0


def _is_rule(body: str) -> bool:
    signs = body.replace(" ", "").replace("\t", "")
    return len(signs) >= 3 and signs[0] in "-*_" and _run(signs) == len(signs)


def list_marker(body: str) -> int:
    """Return the length of a list marker at the start, 0 if there is none."""
    size = 1 if body[0] in "-*+" else 0
    if not size and body[0] in "0123456789":
        digits = len(body) - len(body.lstrip("0123456789"))
        size = digits + 1 if digits <= 9 and body[digits : digits + 1] in {".", ")"} else 0
    return size if size and (len(body) == size or body[size] in " \t") else 0


_DEEPEST = 100  # levels of nested list items; deeper ones count as prose
_SIGNS = " \t#`~<>-*+=_|0123456789"  # characters that can start anything but prose


class _Scanner:
    """The state while lines are classified: an open fence, comment, list items, paragraph."""

    __slots__ = ("column", "comment", "fence", "items", "para", "top")

    def __init__(self) -> None:
        self.fence = ""
        self.column = 0  # content column of the list item with the open fence or comment
        self.comment = False
        self.items: list[int] = []  # content columns of the open list items
        self.para = 0  # open paragraph: 0 none, 1 one that an underline makes a heading, 2 another
        self.top = 0

    def step(self, line: str, row: MarkdownLine) -> None:
        """Classify one line and update the state."""
        if line and line[0] not in _SIGNS and not self.column:  # a fast path for plain lines
            if self.fence:
                row.kind = CODE
                return
            if not self.comment:
                if not self.para:
                    self.items.clear()
                    self.para, self.top = 1, row.start
                return
        body = line.strip(" \t")
        column = _columns(line)
        if (self.fence or self.comment) and body and column < self.column:
            self.fence, self.comment, self.column = "", False, 0  # it ends with the list item
        if self.fence:
            row.kind = CODE
            closing = body and column - self.column <= 3 and body[0] == self.fence[0]
            if closing and _run(body) == len(body) >= len(self.fence):
                self.fence, self.column = "", 0
        elif self.comment:
            row.kind = HTML
            self.comment = "-->" not in body
            self.column = self.column if self.comment else 0
        elif not body:
            row.kind = BLANK
            self.para = 0
        else:
            self._block(body, column, row)

    def _block(self, body: str, column: int, row: MarkdownLine) -> None:
        depth = sum(1 for item in self.items if item <= column)
        base = self.items[depth - 1] if depth else 0
        if column - base >= 4:
            row.kind = TEXT if self.para else CODE
            if not self.para:
                del self.items[depth:]
        elif self._underline(body, depth, row):
            self.para = 0
        elif self._leaf(body, base, row) or self._quote(body):
            del self.items[depth:]
        elif self._starts_item(body):
            del self.items[depth:]
            self._open_item(body, column, row)
        else:
            self._prose(body, depth, row)

    def _underline(self, body: str, depth: int, row: MarkdownLine) -> bool:
        if not self.para or body[0] not in "=-" or _run(body) != len(body):
            return False
        if self.para == 1:
            row.kind, row.level, row.top = UNDERLINE, 1 if body[0] == "=" else 2, self.top
            return True
        return bool(self.items) and depth == len(self.items)

    def _leaf(self, body: str, base: int, row: MarkdownLine) -> bool:
        """Classify a heading, a fence, a comment or a rule; each ends a paragraph."""
        if level := _atx_level(body):
            if not base:
                row.kind, row.level = TITLE, level
        elif size := _opens_fence(body):
            row.kind, self.fence, self.column = CODE, body[:size], base
        elif body.startswith("<!--"):
            row.kind, self.comment = HTML, "-->" not in body
            self.column = base if self.comment else 0
        elif not _is_rule(body):
            return False
        self.para = 0
        return True

    def _quote(self, body: str) -> bool:
        if body[0] != ">":
            return False
        inner = body.lstrip("> \t")
        self.para = 2 if inner and not _atx_level(inner) and not _opens_fence(inner) else 0
        return True

    def _starts_item(self, body: str) -> bool:
        size = list_marker(body)
        if not size or self.para != 1:
            return size > 0
        # In a paragraph only a bullet with text, or the number 1 with text, starts a list.
        return len(body) > size and (body[0] in "-*+" or body[: size - 1] == "1")

    def _open_item(self, body: str, column: int, row: MarkdownLine) -> None:
        self.para = 0
        size = list_marker(body)
        gap = _columns(body[size:])
        rest = body[size:].strip(" \t")
        if not rest or gap > 4:  # an empty item, or one that starts with indented code
            gap = 1
        self.items.append(column + size + gap)
        if rest and len(self.items) < _DEEPEST:
            self._block(rest, self.items[-1], row)
        elif rest:
            self.para = 2

    def _prose(self, body: str, depth: int, row: MarkdownLine) -> None:
        if not self.para:
            del self.items[depth:]
            self.para, self.top = (2 if depth else 1), row.start
            if body[0] == "<" and (body[1:2].isalpha() or body[1:2] == "/"):
                self.para = 2  # raw HTML
        if self.para == 1 and "|" in body and not body.strip("|-: \t"):
            self.para = 2  # a table


def scan(text: str) -> list[MarkdownLine]:
    """Return the lines of a text, classified. A byte order mark is not part of a line."""
    rows = list(_lines(text))
    state = _Scanner()
    for row in rows[: _front_matter(text, rows)]:
        row.kind = FRONT
    for row in rows:
        if row.kind != FRONT:
            state.step(text[row.start : row.end], row)
    return rows


def _front_matter(text: str, rows: list[MarkdownLine]) -> int:
    """Return the number of lines of front matter: `---`, `key: …`, and so on to the next `---`."""
    if len(rows) < 3 or text[rows[0].start : rows[0].end].rstrip() != "---":
        return 0
    key, colon, _ = text[rows[1].start : rows[1].end].partition(":")
    if not colon or not key.replace("-", "").replace("_", "").isalnum():
        return 0
    for index in range(2, len(rows)):
        if text[rows[index].start : rows[index].end].rstrip() in {"---", "..."}:
            return index + 1
    return 0


def headings(text: str, rows: list[MarkdownLine]) -> list[Heading]:
    """Return the headings of the top level in order."""
    found = []
    for index, row in enumerate(rows):
        if row.kind == TITLE:
            title = _atx_title(text[row.start : row.end].strip(" \t"))
        elif row.kind == UNDERLINE:
            title = fold(text[row.top : row.start])
        else:
            continue
        found.append(Heading(row.level, title, row.top, row.next, index))
    return found
