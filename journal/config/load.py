"""Reading, checking and merging the two configuration files; off the capture path.

Order: defaults, the person's file, the project's file within the rules of the schema.
Invariant: loading always gives a valid value for every key. What is wrong is a Problem, and that
key keeps the value it had; nothing from a file is run, and nothing is written.
"""

from __future__ import annotations

import os

from journal.config.check import accepted, described, expected, nearest, shown, widens
from journal.config.position import positions
from journal.config.problem import Problem
from journal.config.schema import DEFAULTS, HOME_FILE, ORDERED, PROJECT_FILE, ROWS
from journal.config.source import UnreadableError, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Path = tuple[str, ...]

__all__ = ["Loaded", "load"]

_AT_MOST = 20  # problems told per file: a file that is all wrong needs no complete list
_DOTS = 32  # in one line: `tomllib` takes quadratic time for keys of thousands of parts
_TABLES = frozenset(
    tuple(key.split(".")[:depth]) for key in ROWS for depth in range(1, key.count(".") + 1)
)
_KEYS = tuple(ROWS)
_WORDS_NEED_QUOTES = (
    "correct this line; nothing in the file is used until then (text stands in "
    'quotes, as in level = "off"; switches are true or false)'
)


class Loaded:
    """settings: a value for every key. problems: what was not used, in order of the files.

    origins: for each key "default", "home" or "project".
    """

    __slots__ = ("origins", "problems", "settings")

    def __init__(
        self, settings: dict[str, Any], problems: tuple[Problem, ...], origins: dict[str, str]
    ) -> None:
        self.settings = settings
        self.problems = problems
        self.origins = origins


def load(home: str, project_root: str | None) -> Loaded:
    """Load the configuration of the journal home and, where there is one, of a project's root."""
    settings = dict(DEFAULTS)
    origins = dict.fromkeys(DEFAULTS, "default")
    files = [_File(os.path.join(home, HOME_FILE), trusted=True)]
    if project_root:
        files.append(_File(os.path.join(project_root, PROJECT_FILE), trusted=False, home=home))
    problems: list[Problem] = []
    for file in files:
        values = file.values(settings)
        settings.update(values)
        origins.update(dict.fromkeys(values, "home" if file.trusted else "project"))
        problems += file.problems()
    return Loaded(settings, tuple(problems), origins)


class _File:
    """One file on its way from bytes to checked values."""

    def __init__(self, path: str, *, trusted: bool, home: str = "") -> None:
        self.path = path
        self.trusted = trusted
        self.person_file = os.path.join(home, HOME_FILE)
        self.found: list[Problem] = []
        self.hidden = 0
        self.lines: list[str] = []
        self.places: dict[Path, tuple[int, int, int]] = {}

    def problems(self) -> list[Problem]:
        self.found.sort(key=lambda problem: (problem.line, problem.column))
        if self.hidden:
            what = f"has {self.hidden} more problems"
            self.found.append(Problem(self.path, 0, 0, what, "correct those above first"))
        return self.found

    def values(self, current: dict[str, Any]) -> dict[str, Any]:
        """Return what the file validly sets; `current` is what held before it."""
        values: dict[str, Any] = {}
        leaves = _leaves(self.document())
        leaves.sort(key=lambda leaf: self.places.get(leaf[0], (0, 0, 0)))
        for path, value in leaves:
            key = ".".join(path) if all("." not in part for part in path) else ""
            row = ROWS.get(key)
            if row is None:
                self.unknown(path, value)
                continue
            result, wrong = accepted(row, value)
            if wrong:
                self.note(path, wrong, _remedy(row, value), at_value=True)
            elif not self.trusted and widens(row, current[key], result):
                self.refused(path, row, current[key], result)
            else:
                values[key] = result
        self.ordered(values, current)
        return values

    def document(self) -> dict[str, Any]:
        try:
            content = read(self.path, follow=self.trusted)
        except UnreadableError as error:
            self.found.append(Problem(self.path, 0, 0, str(error), error.remedy))
            return {}
        if content is None:
            return {}
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self.lines = content.decode("utf-8", "replace").split("\n")
            line = content.count(b"\n", 0, error.start) + 1
            column = len(content[content.rfind(b"\n", 0, error.start) + 1 : error.start].decode())
            self.syntax(line, column + 1, "is not UTF-8 text", "save the file as UTF-8")
            return {}
        return self.parsed(text.replace("\r\n", "\n"))

    def parsed(self, text: str) -> dict[str, Any]:
        import tomllib

        self.lines = text.split("\n")
        for number, source in enumerate(self.lines, 1):
            if source.count(".") > _DOTS and not source.lstrip().startswith("#"):
                self.syntax(
                    number, 1, "has too many dots in one line", "shorten or remove the line"
                )
                return {}
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            what, line, column = _syntax_error(str(error), text)
            self.syntax(line, column, f"not TOML: {what}", _WORDS_NEED_QUOTES)
            return {}
        except (ValueError, RecursionError):  # a number of thousands of digits; deep nesting
            self.found.append(
                Problem(self.path, 0, 0, "cannot be parsed", "remove long numbers and deep nesting")
            )
            return {}
        try:
            self.places = positions(text)
        except (IndexError, ValueError, RecursionError):
            self.places = {}  # problems are told without a line
        return document

    def syntax(self, line: int, column: int, what: str, remedy: str) -> None:
        excerpt = self.lines[line - 1] if line <= len(self.lines) else ""
        self.found.append(Problem(self.path, line, column, what, remedy, excerpt))

    def note(self, path: Path, what: str, remedy: str, *, at_value: bool = False) -> None:
        if len(self.found) >= _AT_MOST:
            self.hidden += 1
            return
        line, key, value = self.places.get(path, (0, 0, 0))
        self.syntax(line, value if at_value else key, what, remedy)

    def unknown(self, path: Path, value: object) -> None:
        if len(self.found) >= _AT_MOST:  # no search for a likely key either
            self.hidden += 1
            return
        if path in _TABLES:
            inside = next(key for key in _KEYS if key.startswith(".".join(path) + "."))
            what = f"{'.'.join(path)} is a table of settings, not {described(value)}"
            self.note(path, what, f"set the keys in it, such as {inside}", at_value=True)
            return
        guess = _guess(path)
        remedy = (
            f"did you mean {guess}?" if guess else "remove it; the keys are listed in the manual"
        )
        if guess == ".".join(path):
            remedy = f"write {guess} without quotes"
        self.note(path, f"unknown key {shown('.'.join(path))}", remedy)

    def refused(self, path: Path, row: Any, current: object, value: object) -> None:
        key, rule = row[0], row[4]
        may = {
            "never": "cannot be set by a project",
            "only_off": "can be switched off by a project, not on",
            "only_lower": "can be lowered by a project, not raised",
            "only_raise": "can be raised by a project, not lowered",
        }[rule]
        what = f"{key} {may} (here {described(value)}, you have {described(current)})"
        self.note(path, what, f"remove it, or set it yourself in {self.person_file}", at_value=True)

    def ordered(self, values: dict[str, Any], current: dict[str, Any]) -> None:
        """Drop both of a pair that the file would bring into the wrong order."""
        for low, high in ORDERED:
            together = {**current, **values}
            if together[low] < together[high]:
                continue
            key, other = (low, high) if low in values else (high, low)
            relation = "below" if key == low else "above"
            what = f"{key} {together[key]} is not {relation} {other} {together[other]}"
            self.note(tuple(key.split(".")), what, f"keep {low} below {high}", at_value=True)
            values.pop(low, None)
            values.pop(high, None)


def _leaves(document: dict[str, Any]) -> list[tuple[Path, Any]]:
    """List (path, value) of everything that is not a known table."""
    leaves: list[tuple[Path, Any]] = []
    waiting: list[tuple[Path, dict[str, Any]]] = [((), document)]
    for prefix, table in waiting:
        for part, value in table.items():
            path = (*prefix, part)
            if isinstance(value, dict) and (
                path in _TABLES or (value and ".".join(path) not in ROWS)
            ):
                waiting.append((path, value))
            else:
                leaves.append((path, value))
    return leaves


def _remedy(row: Any, value: object) -> str:
    if row[1] == "word" and isinstance(value, str):
        guess = nearest(value, row[3])
        if guess:
            return f'did you mean "{guess}"?'
    return f"set {expected(row)}; the default is {_default(row[2])}"


def _default(value: object) -> str:
    return (
        "[" + ", ".join(map(shown, value)) + "]" if isinstance(value, tuple) else described(value)
    )


def _guess(path: Path) -> str:
    guess = nearest(".".join(path), _KEYS)
    if guess:
        return guess
    last = [key for key in _KEYS if key.rpartition(".")[2] == path[-1]]
    return last[0] if len(last) == 1 else ""


def _syntax_error(message: str, text: str) -> tuple[str, int, int]:
    """Split tomllib's message into (what, line, column)."""
    what, _, place = message.rpartition(" (at ")
    numbers = [
        int(word) for word in place.replace(",", " ").replace(")", " ").split() if word.isdigit()
    ]
    if what and len(numbers) > 1:
        return what, numbers[0], numbers[1]
    lines = text.rstrip("\n").split("\n")
    return what or message, len(lines), len(lines[-1]) + 1
