"""`journal config`: the settings in effect, where each comes from, and what was ignored and why."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from cli.error import FINDINGS, OK
from cli.render.text import emit, emit_json, table
from journal.text import one_line, wrapped

if TYPE_CHECKING:
    from cli.scope import Scope
    from journal.config.load import Loaded

__all__ = ["config"]


def config(scope: Scope) -> int:
    """Print the settings; return 1 if something in a file was ignored."""
    from journal.config.load import load
    from journal.config.problem import render_problem
    from journal.config.schema import HOME_FILE, PROJECT_FILE

    root = scope.project.root or None
    loaded = load(scope.home, root)
    paths = {
        "home": os.path.join(scope.home, HOME_FILE),
        "project": os.path.join(root, PROJECT_FILE) if root else None,
    }
    code = FINDINGS if loaded.problems else OK
    if scope.json:
        emit_json(_data(scope, loaded, paths))
        return code
    rows = [(key, _shown(value), loaded.origins[key]) for key, value in loaded.settings.items()]
    emit(table(rows, scope.columns, heads=("SETTING", "VALUE", "FROM"), flexible=1))
    for name, path in paths.items():
        if path:
            missing = "" if os.path.exists(path) else " (no such file)"
            emit(wrapped(one_line(f"{name}: {path}{missing}"), scope.columns))
    sys.stdout.flush()
    for problem in loaded.problems:
        print(render_problem(problem), file=sys.stderr)
    return code


def _data(scope: Scope, loaded: Loaded, paths: dict[str, str | None]) -> dict[str, Any]:
    from journal.config.schema import ROWS

    return {
        "files": paths,
        "settings": {
            key: {
                "value": value,
                "origin": loaded.origins[key],
                "default": ROWS[key][2],
                "help": ROWS[key][5],
            }
            for key, value in loaded.settings.items()
        },
        "client": {k: v for k, v in scope.settings.items() if k.startswith("client.")},
        "problems": [
            {
                "path": problem.path,
                "line": problem.line or None,
                "column": problem.column or None,
                "what": problem.what,
                "remedy": problem.remedy,
            }
            for problem in loaded.problems
        ],
    }


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(map(str, value)) or "none"
    return str(value)
