"""`journal config`: show the settings and their sources, set one, check the files."""

import os
import sys
from typing import Any

from cli.error import FINDINGS, OK, report
from cli.render.text import table
from cli.scope import Scope
from journal.config import HOME_FILE, PROJECT_FILE
from journal.config.edit import set_value
from journal.config.kinds import toml
from journal.config.problem import Problem
from journal.config.schema import SETTINGS
from journal.text import one_line, plural, wrapped

_FROM = {"default": "default", "home": "user", "project": "project"}  # as setup --scope names them


def show(scope: Scope) -> int:
    """Print the settings; return 1 if something in a file was ignored."""
    scope.show(_data(scope), _lines(scope))
    return _report(scope)


def set_setting(scope: Scope, key: str, text: str) -> int:
    """Set a value in the user's file; return 1 if this project's file overrides it."""
    path, value = set_value(scope.home, key, text)
    current = scope.configuration.settings[key]
    lines = [f"{key} = {toml(value)}", f"written to {path}"]
    if current != value:
        lines.append(f"In this project {PROJECT_FILE} sets {toml(current)}.")
    data = {"key": key, "value": value, "path": path, "in_effect": current}
    scope.show(data, map(one_line, lines))
    return OK if current == value else FINDINGS


def check(scope: Scope) -> int:
    """Print what is wrong in the files, with line and remedy; return 1 if there is something."""
    problems = scope.configuration.problems
    here = [path for path in _paths(scope).values() if path and os.path.exists(path)]
    count = plural(len(problems), "problem") if problems else "no problem"
    summary = f"{' and '.join(here)}: {count}"
    if not here:
        summary = "no configuration file: the defaults are in effect"
    scope.show([_plain(problem) for problem in problems], [one_line(summary)])
    return _report(scope)


def _paths(scope: Scope) -> dict[str, str | None]:
    root = scope.project.root
    return {
        "home": os.path.join(scope.home, HOME_FILE),
        "project": os.path.join(root, PROJECT_FILE) if root else None,
    }


def _lines(scope: Scope) -> list[str]:
    loaded = scope.configuration
    rows = [
        (key, shown(value), _FROM[loaded.origins[key]]) for key, value in loaded.settings.items()
    ]
    lines = table(rows, scope.columns, heads=("SETTING", "VALUE", "FROM"), flexible=1)
    for name, path in _paths(scope).items():
        if path:
            missing = "" if os.path.exists(path) else " (no such file)"
            lines += wrapped(one_line(f"{_FROM[name]}: {path}{missing}"), scope.columns)
    return lines


def _report(scope: Scope) -> int:
    """Print what is wrong in the files, unless it is in the JSON; return the exit code."""
    problems = scope.configuration.problems
    sys.stdout.flush()
    for problem in () if scope.json else problems:
        report(problem.error, scope.env)
    return FINDINGS if problems else OK


def _data(scope: Scope) -> dict[str, Any]:
    loaded = scope.configuration
    return {
        "files": _paths(scope),
        "settings": {
            key: {
                "value": value,
                "origin": loaded.origins[key],
                "default": SETTINGS[key].default,
                "help": SETTINGS[key].text,
            }
            for key, value in loaded.settings.items()
        },
        "client": {k: v for k, v in scope.settings.items() if k.startswith("client.")},
        "problems": [_plain(problem) for problem in loaded.problems],
    }


def _plain(problem: Problem) -> dict[str, Any]:
    return {
        "path": problem.path,
        "line": problem.line or None,
        "column": problem.column or None,
        "what": problem.what,
        "remedy": problem.remedy,
    }


def shown(value: object) -> str:
    """Return the value of a setting as a person reads it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)
