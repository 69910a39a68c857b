"""Find the position of each key and value in a TOML text, which `tomllib` does not report.

The text must be valid: parse it with `tomllib` first. Invariant: each path to which `tomllib` gives
a value has a position, except inside arrays.
"""

import re
import tomllib
from typing import NamedTuple

Path = tuple[str, ...]

_TOKENS = re.compile(
    r"(?P<blank>[ \t\r]+|\#[^\n]*)"
    r'|(?P<text>"""(?:\\.|[^\\])*?"{3,5}|' + r"'''.*?'{3,5}|"
    r'"(?:\\.|[^"\\])*"|' + r"'[^']*')"
    r"|(?P<sign>[\n\[\]{},=.])"
    r"""|(?P<bare>[^\s\[\]{},=."'#]+)""",
    re.DOTALL,
)


class Offsets(NamedTuple):
    """Offsets of a key, of the start of its value, and of the value's end.

    For a table, all three are the offset at which it is first named.
    """

    key: int
    value: int
    end: int


def positions(text: str) -> dict[Path, Offsets]:
    r"""Return the position of each path, in the order of the text. Line ends must be "\n"."""
    scan = _Scan(text)
    prefix: Path = ()
    while scan.sign:
        if scan.sign == "\n":
            scan.at += 1
        elif scan.sign == "[":
            start = scan.offset
            while scan.sign == "[":
                scan.at += 1
            prefix = scan.path()
            scan.note(prefix, Offsets(start, start, start))
            while scan.sign == "]":
                scan.at += 1
        else:
            scan.pair(prefix)
    return scan.found


class _Scan:
    """The tokens of a text. at: index of the next token."""

    def __init__(self, text: str) -> None:
        self.tokens = [found for found in _TOKENS.finditer(text) if found.lastgroup != "blank"]
        self.at = 0
        self.found: dict[Path, Offsets] = {}

    @property
    def sign(self) -> str:
        """Return the text of the next token, "" at the end."""
        return self.tokens[self.at].group() if self.at < len(self.tokens) else ""

    @property
    def offset(self) -> int:
        return self.tokens[self.at].start()

    def note(self, path: Path, position: Offsets) -> None:
        start = Offsets(position.key, position.key, position.key)
        for depth in range(1, len(path)):  # tables that a dotted key implies
            self.found.setdefault(path[:depth], start)
        self.found.setdefault(path, position)

    def path(self) -> Path:
        """Read a dotted key, up to the "=" or "]" after it."""
        parts = []
        while self.sign not in ("=", "]"):
            if self.sign != ".":
                parts.append(_unquoted(self.sign))
            self.at += 1
        return tuple(parts)

    def pair(self, prefix: Path) -> None:
        key = self.offset
        path = prefix + self.path()
        self.at += 1
        value = self.offset
        self.note(path, Offsets(key, value, value))
        self.value(path)
        end = self.tokens[self.at - 1].end()
        if self.found[path].key == key:
            self.found[path] = Offsets(key, value, end)

    def value(self, path: Path) -> None:
        if self.sign == "{":
            self.at += 1
            while self.sign != "}":
                if self.sign in (",", "\n"):
                    self.at += 1
                else:
                    self.pair(path)
            self.at += 1
        elif self.sign == "[":
            depth = 0
            while True:  # values inside an array have no path
                depth += (self.sign in ("[", "{")) - (self.sign in ("]", "}"))
                self.at += 1
                if not depth:
                    return
        else:
            while self.sign not in ("", "\n", ",", "}"):
                self.at += 1


def _unquoted(part: str) -> str:
    if part[0] not in "\"'":
        return part
    return next(iter(tomllib.loads(f"{part} = 0"))) if "\\" in part else part[1:-1]
