"""Commands that a message tells to type: a shell reads each path in them as one word."""

from __future__ import annotations

import re

from tests.contract.test_formatting import PRODUCT

_COMMAND = re.compile(r"(?:\brm -r|\bmv|\bchmod \S+|\bcd) \{(?!shlex\.quote|0\})")


def test_paths_are_quoted() -> None:
    """`rm -r` of a path with a space would remove something else."""
    found = [path.name for path in PRODUCT if _COMMAND.search(path.read_text("utf-8"))]
    assert found == []
    assert _COMMAND.search('f"to delete it: rm -r {home}"')
