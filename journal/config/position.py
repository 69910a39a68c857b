"""Where in a TOML text each key and value stands; `tomllib` does not say.

The text must already have been accepted by `tomllib`: nothing is validated twice.
Invariant: every path `tomllib` gives a value for outside arrays has a position here.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Path = tuple[str, ...]

__all__ = ["positions"]

_BLANK = " \t\n"


def positions(text: str) -> dict[tuple[str, ...], tuple[int, int, int]]:
    r"""Map each path to (line, column of its key, column of its value), all from 1.

    For a table the value column is that of its key. Line ends must be "\n".
    """
    return _Scan(text).run()


class _Scan:
    __slots__ = ("at", "counted", "found", "line", "line_start", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.counted = 0  # up to here the lines are counted
        self.line = 1
        self.line_start = 0
        self.found: dict[Path, tuple[int, int, int]] = {}

    def run(self) -> dict[Path, tuple[int, int, int]]:
        prefix: Path = ()
        while True:
            self.skip(_BLANK)
            if self.at >= len(self.text):
                return self.found
            if self.peek() == "[":
                start = self.at
                self.skip("[")
                prefix = self.path()
                self.note(prefix, start, start)
                self.skip(" \t]")
            else:
                self.pair(prefix)

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def skip(self, blanks: str) -> None:
        """Go past blanks and comments."""
        text = self.text
        while self.at < len(text):
            if text[self.at] in blanks:
                self.at += 1
            elif text[self.at] == "#":
                end = text.find("\n", self.at)
                self.at = len(text) if end < 0 else end
            else:
                return

    def note(self, path: Path, key: int, value: int) -> None:
        self.line += self.text.count("\n", self.counted, key)  # keys come in order
        self.line_start = self.text.rfind("\n", self.counted, key) + 1 or self.line_start
        self.counted = key
        column = key - self.line_start + 1
        for depth in range(1, len(path)):  # tables that a dotted key implies
            self.found.setdefault(path[:depth], (self.line, column, column))
        self.found.setdefault(path, (self.line, column, value - self.line_start + 1))

    def pair(self, prefix: Path) -> None:
        key = self.at
        path = prefix + self.path()
        self.at += 1  # =
        self.skip(" \t")
        self.note(path, key, self.at)
        self.value(path)

    def path(self) -> Path:
        """Read a dotted key and the blanks after it."""
        parts = []
        while True:
            self.skip(" \t")
            parts.append(self.part())
            self.skip(" \t")
            if self.peek() != ".":
                return tuple(parts)
            self.at += 1

    def part(self) -> str:
        start = self.at
        if self.peek() in ("'", '"'):
            self.string()
            return _unquoted(self.text[start : self.at])
        while self.peek().isalnum() or self.peek() in ("_", "-"):
            self.at += 1
        return self.text[start : self.at]

    def string(self) -> None:
        text, quote = self.text, self.text[self.at]
        if text.startswith(quote * 3, self.at):
            self.at += 3
            while self.at < len(text) and not text.startswith(quote * 3, self.at):
                self.at += 2 if quote == '"' and text[self.at] == "\\" else 1
            self.at += 3
            while self.peek() == quote:  # up to two more belong to the text
                self.at += 1
            return
        self.at += 1
        while text[self.at] != quote:
            self.at += 2 if quote == '"' and text[self.at] == "\\" else 1
        self.at += 1

    def value(self, path: Path) -> None:
        first = self.peek()
        if first in ("'", '"'):
            self.string()
        elif first == "{":
            self.table(path)
        elif first == "[":
            self.array()
        else:
            while self.at < len(self.text) and self.text[self.at] not in ",]}\n#":
                self.at += 1

    def table(self, path: Path) -> None:
        self.at += 1
        while True:
            self.skip(_BLANK + ",")
            if self.peek() in ("}", ""):
                self.at += 1
                return
            self.pair(path)

    def array(self) -> None:
        """Go past an array; what is inside has no path of its own."""
        depth = 0
        while True:
            self.skip(_BLANK)
            char = self.peek()
            if char in ("'", '"'):
                self.string()
                continue
            self.at += 1
            depth += (char in ("[", "{")) - (char in ("]", "}"))
            if not depth or not char:
                return


def _unquoted(text: str) -> str:
    if text[0] == "'" or "\\" not in text:
        return text[1:-1]
    import tomllib

    return next(iter(tomllib.loads(f"{text} = 0")))
