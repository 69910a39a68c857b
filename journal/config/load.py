"""Read, check and merge the two configuration files. Hooks use the cached result.

The user's file overrides the defaults, and the project's file overrides both within the rules of
the table. Invariant: each setting has a valid value. An invalid entry becomes a Problem and changes
nothing. Nothing from a file is executed, and nothing is written.
"""

from __future__ import annotations

import os

from journal.config import HOME_FILE, LIMIT, PROJECT_FILE
from journal.config.kinds import described, shown, toml
from journal.config.problem import Problem, line_and_column
from journal.config.schema import DEFAULTS, ORDERED, RULES, SETTINGS, Setting
from journal.files import read_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from journal.config.positions import Offsets, Path

_AT_MOST = 20  # problems that are listed per file
_DOTS = 32  # dots in a line: `tomllib` needs quadratic time for keys of thousands of parts
_ALIKE, _LAST_ALIKE = 0.8, 0.6  # ratio of difflib from which a name is a misspelling
_LONGEST_NAME = 128
_TABLES = {
    tuple(key.split(".")[:depth]) for key in SETTINGS for depth in range(1, key.count(".") + 1)
}
_QUOTES_NEEDED = (
    "correct this line; nothing in the file is used until then (text stands in "
    'quotes, as in level = "off"; switches are true or false)'
)


class LoadedSettings:
    """The result of loading.

    settings: key → value, for all settings. problems: the entries that were not used, in the order
    of the files. origins: key → "default", "home" or "project".
    """

    def __init__(
        self, settings: dict[str, Any], problems: tuple[Problem, ...], origins: dict[str, str]
    ) -> None:
        self.settings = settings
        self.problems = problems
        self.origins = origins


def load(home: str, project_root: str | None) -> LoadedSettings:
    """Load the configuration of the journal home and, if given, of a project's root."""
    settings, origins = dict(DEFAULTS), dict.fromkeys(DEFAULTS, "default")
    person_file = os.path.join(home, HOME_FILE)
    files = [_File(person_file)]
    if project_root:
        files.append(_File(os.path.join(project_root, PROJECT_FILE), person_file))
    for file in files:
        values = file.values(file.read(), settings)
        settings.update(values)
        origins.update(dict.fromkeys(values, "project" if file.person_file else "home"))
    return LoadedSettings(
        settings, tuple(problem for file in files for problem in file.problems()), origins
    )


def check_text(path: str, text: str) -> tuple[dict[str, Any], list[Problem]]:
    """Return the values and problems of a text, as if it were the user's file at `path`."""
    file = _File(path)
    return file.values(text, dict(DEFAULTS)), file.problems()


class _File:
    """One file while it is read.

    person_file: for a project's file, the path of the user's file; "" for the user's own.
    """

    def __init__(self, path: str, person_file: str = "") -> None:
        self.path = path
        self.person_file = person_file
        self.text = ""
        self.positions: dict[Path, Offsets] = {}
        self._found: list[Problem] = []
        self._unlisted = 0

    def problems(self) -> list[Problem]:
        found = sorted(self._found, key=lambda problem: (problem.line, problem.column))
        if self._unlisted:
            what = f"has {self._unlisted} more problems"
            found.append(Problem(self.path, 0, 0, what, "correct those above first"))
        return found

    def read(self) -> str:
        """Return the text of the file, "" if it is missing or cannot be read."""
        try:
            content = read_regular(self.path, LIMIT, follow=not self.person_file)
        except (FileNotFoundError, NotADirectoryError):
            return ""
        except OSError as error:
            self._report(0, 0, *self._unreadable(error))
            return ""
        try:
            return content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            self.text = content.decode("utf-8", "replace")
            head = content[: error.start].decode()
            self._report(
                *line_and_column(head, len(head)), "is not UTF-8 text", "save the file as UTF-8"
            )
            return ""

    def values(self, text: str, current: dict[str, Any]) -> dict[str, Any]:
        """Return the valid values of a text; report the others.

        current: key → value, before this file.
        """
        values: dict[str, Any] = {}
        leaves = _leaves(self._parse(text.replace("\r\n", "\n")))
        leaves.sort(key=lambda leaf: self.positions.get(leaf[0], (0, 0, 0)))
        for path, value in leaves:
            key = ".".join(path) if all("." not in part for part in path) else ""
            setting = SETTINGS.get(key)
            if setting is None:
                self._unknown(path, value)
                continue
            accepted = setting.kind.accept(value)
            if accepted is None:
                self._note(path, setting.wrong(value), _remedy(setting, value))
            elif self.person_file and setting.is_widened(current[key], accepted):
                what = (
                    f"{key} {RULES[setting.rule]} (here {described(accepted)}, "
                    f"you have {described(current[key])})"
                )
                self._note(path, what, f"remove it, or set it yourself in {self.person_file}")
            else:
                values[key] = accepted
        self._check_order(values, current)
        return values

    def _parse(self, text: str) -> dict[str, Any]:
        if not text:
            return {}
        # Imported here, because a hook without a configuration file needs neither.
        import tomllib

        from journal.config.positions import positions

        self.text = text
        for number, line in enumerate(text.split("\n"), 1):
            if line.count(".") > _DOTS and not line.lstrip().startswith("#"):
                self._report(
                    number, 1, "has too many dots in one line", "shorten or remove the line"
                )
                return {}
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            what, line_number, column = _syntax_error(str(error), text)
            self._report(line_number, column, f"not TOML: {what}", _QUOTES_NEEDED)
            return {}
        except (ValueError, RecursionError):  # a number of thousands of digits; deep nesting
            self._report(0, 0, "cannot be parsed", "remove long numbers and deep nesting")
            return {}
        try:
            self.positions = positions(text)
        except (IndexError, RecursionError):
            self.positions = {}  # problems are reported without a line
        return document

    def _unreadable(self, error: OSError) -> tuple[str, str]:
        import errno

        if self.person_file and os.path.islink(self.path):
            return "is a symbolic link and is not read", "put the file itself in its place"
        if error.errno == errno.EINVAL:
            return "is not a regular file", "put a text file in its place, or remove it"
        if error.errno == errno.EFBIG:
            return f"is larger than {LIMIT // 1024} KiB", "a configuration needs a few lines"
        return f"cannot be read: {os.strerror(error.errno or 0)}", "make it readable, or remove it"

    def _check_order(self, values: dict[str, Any], current: dict[str, Any]) -> None:
        """Report and drop values that would bring a pair of `ORDERED` into the wrong order."""
        for low, high in ORDERED:
            together = {**current, **values}
            if together[low] < together[high]:
                continue
            key, other = (low, high) if low in values else (high, low)
            relation = "below" if key == low else "above"
            what = f"{key} {together[key]} is not {relation} {other} {together[other]}"
            self._note(tuple(key.split(".")), what, f"keep {low} below {high}")
            values.pop(low, None)
            values.pop(high, None)

    def _unknown(self, path: Path, value: object) -> None:
        name = ".".join(path)
        if len(self._found) >= _AT_MOST:  # do not search for similar keys
            self._unlisted += 1
        elif path in _TABLES:
            inside = next(key for key in SETTINGS if key.startswith(name + "."))
            what = f"{name} is a table of settings, not {described(value)}"
            self._note(path, what, f"set the keys in it, such as {inside}")
        else:
            guess = similar_setting(path)
            remedy = (
                f"did you mean {guess}?"
                if guess
                else "remove it; all settings: journal config show"
            )
            if guess == name:
                remedy = f"write {guess} without quotes"
            self._note(path, f"unknown key {shown(name)}", remedy, at_key=True)

    def _note(self, path: Path, what: str, remedy: str, *, at_key: bool = False) -> None:
        if len(self._found) >= _AT_MOST:
            self._unlisted += 1
            return
        position = self.positions.get(path)
        line, column = 0, 0
        if position:
            line, column = line_and_column(self.text, position.key if at_key else position.value)
        self._report(line, column, what, remedy)

    def _report(self, line: int, column: int, what: str, remedy: str) -> None:
        lines = self.text.split("\n")
        entry = lines[line - 1] if 0 < line <= len(lines) else ""
        self._found.append(Problem(self.path, line, column, what, remedy, entry))


def _leaves(document: dict[str, Any]) -> list[tuple[Path, Any]]:
    """Return (path, value) for each entry that is not a table of settings."""
    leaves: list[tuple[Path, Any]] = []
    tables: list[tuple[Path, dict[str, Any]]] = [((), document)]
    for prefix, table in tables:
        for part, value in table.items():
            path = (*prefix, part)
            if isinstance(value, dict) and (
                path in _TABLES or (value and ".".join(path) not in SETTINGS)
            ):
                tables.append((path, value))
            else:
                leaves.append((path, value))
    return leaves


def _remedy(setting: Setting, value: object) -> str:
    guess = _nearest(value, getattr(setting.kind, "words", ())) if isinstance(value, str) else ""
    if guess:
        return f'did you mean "{guess}"?'
    return f"set {setting.kind}; the default is {toml(setting.default)}"


def similar_setting(path: Path) -> str:
    """Return the setting that an unknown key probably means, or ""."""
    guess = _nearest(".".join(path), tuple(SETTINGS))
    if guess:
        return guess
    last = [key for key in SETTINGS if key.rpartition(".")[2] == path[-1]]
    return last[0] if len(last) == 1 else ""


def _nearest(name: str, candidates: tuple[str, ...]) -> str:
    """Return the candidate of which `name` is probably a misspelling, or ""."""
    from difflib import get_close_matches

    name = name[:_LONGEST_NAME].casefold()
    by_form = {candidate.casefold(): candidate for candidate in candidates}
    for found in get_close_matches(name, by_form, 3, _ALIKE):
        last = found.rpartition(".")[2]  # all keys of a table begin alike
        if get_close_matches(name[-len(last) :], [last], 1, _LAST_ALIKE):
            return by_form[found]
    return ""


def _syntax_error(message: str, text: str) -> tuple[str, int, int]:
    """Split tomllib's message into (what, line, column)."""
    what, _, where = message.rpartition(" (at ")
    numbers = [int(n) for n in where.replace(",", " ").replace(")", " ").split() if n.isdigit()]
    if what and len(numbers) > 1:
        return what, numbers[0], numbers[1]
    lines = text.rstrip("\n").split("\n")
    return what or message, len(lines), len(lines[-1]) + 1
