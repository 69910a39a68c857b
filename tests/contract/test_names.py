"""Each name means one thing in the whole product."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def public_classes() -> dict[str, list[str]]:
    """Return the modules of each public class by its name."""
    found: dict[str, list[str]] = defaultdict(list)
    for top in ("cli", "hooks", "journal", "projections"):
        for path in sorted((ROOT / top).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if "\nclass " not in text:
                continue
            for statement in ast.parse(text).body:
                if isinstance(statement, ast.ClassDef) and not statement.name.startswith("_"):
                    found[statement.name].append(str(path.relative_to(ROOT)))
    return found


def test_no_public_class_name_stands_twice() -> None:
    """A class that is named in one place cannot be taken for another of the same name."""
    found = public_classes()
    assert len(found) > 100
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}
