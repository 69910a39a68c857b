"""Regular expressions of the product find the same under every supported Python."""

from __future__ import annotations

import re

from tests.cases.world import ROOT

_REPEATED_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{[0-9,]+\}+)\+")


def test_no_group_is_repeated_possessively() -> None:
    """Python 3.11.0 to 3.11.4 (Debian 12) do not match `(?:…)*+` whose group can backtrack."""
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for top in ("cli", "hooks", "journal", "projections")
        for path in sorted((ROOT / top).rglob("*.py"))
        for line in path.read_text(encoding="utf-8").splitlines()
        if _REPEATED_GROUP.search(line)
    ]
    assert found == []
