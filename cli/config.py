"""`journal config`: show the settings and their sources, set one, check the files."""

import os
import sys
from typing import Any

from cli.error import FINDINGS, OK
from cli.render.text import table
from cli.scope import Scope
from journal.config import HOME_FILE, PROJECT_FILE
from journal.config.edit import set_value
from journal.config.kinds import toml
from journal.config.load import LoadedSettings
from journal.config.problem import Problem, render_problem
from journal.config.schema import SETTINGS
from journal.text import one_line, plural, wrapped

_FROM = {"default": "default", "home": "user", "project": "project"}  # as setup --scope names them


def show(scope: Scope) -> int:
    """Print the settings; return 1 if something in a file was ignored."""
    loaded = scope.configuration
    paths = _paths(scope)
    scope.show(_data(scope, loaded, paths), _lines(scope, loaded, paths))
    if not scope.json:
        _report(loaded.problems)
    return FINDINGS if loaded.problems else OK


def set_setting(scope: Scope, key: str, text: str) -> int:
    """Set a value in the person's file; return 1 if this project's file overrides it."""
    path, value = set_value(scope.home, key, text)
    loaded = scope.configuration
    holds = loaded.settings[key] == value
    data = {"key": key, "value": value, "path": path, "in_effect": loaded.settings[key]}
    lines = [f"{key} = {toml(value)}", f"written to {path}"]
    if not holds:
        lines.append(f"In this project {PROJECT_FILE} sets {toml(loaded.settings[key])}.")
    scope.show(data, (part for line in lines for part in wrapped(one_line(line), scope.columns)))
    return OK if holds else FINDINGS


def check(scope: Scope) -> int:
    """Print what is wrong in the files, with line and remedy; return 1 if there is something."""
    loaded = scope.configuration
    here = [path for path in _paths(scope).values() if path and os.path.exists(path)]
    read = " and ".join(here) or "no configuration file: the defaults are in effect"
    count = plural(len(loaded.problems), "problem") if loaded.problems else "no problem"
    summary = f"{read}: {count}" if here else read
    scope.show(
        [_plain(problem) for problem in loaded.problems], wrapped(one_line(summary), scope.columns)
    )
    if not scope.json:
        _report(loaded.problems)
    return FINDINGS if loaded.problems else OK


def _paths(scope: Scope) -> dict[str, str | None]:
    root = scope.project.root
    return {
        "home": os.path.join(scope.home, HOME_FILE),
        "project": os.path.join(root, PROJECT_FILE) if root else None,
    }


def _lines(scope: Scope, loaded: LoadedSettings, paths: dict[str, str | None]) -> list[str]:
    rows = [
        (key, _shown(value), _FROM[loaded.origins[key]]) for key, value in loaded.settings.items()
    ]
    lines = table(rows, scope.columns, heads=("SETTING", "VALUE", "FROM"), flexible=1)
    for name, path in paths.items():
        if path:
            missing = "" if os.path.exists(path) else " (no such file)"
            lines += wrapped(one_line(f"{_FROM[name]}: {path}{missing}"), scope.columns)
    return lines


def _report(problems: tuple[Problem, ...]) -> None:
    sys.stdout.flush()
    for problem in problems:
        print(render_problem(problem), file=sys.stderr)


def _data(scope: Scope, loaded: LoadedSettings, paths: dict[str, str | None]) -> dict[str, Any]:
    return {
        "files": paths,
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


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)
