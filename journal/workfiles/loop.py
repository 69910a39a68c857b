"""Find the state file of a loop plugin, whose Stop hook continues turns until a promise is kept."""

from __future__ import annotations

import os

from journal.text import plain_line
from journal.workfiles.files import read_inside

_MOST = 64  # files of `.claude` that are checked


def active_loop(root: str) -> list[str]:
    """Return [name, iteration, maximum, promise] of the first active loop, or [].

    An active loop is a file `.claude/*loop*.local.md` whose front matter has an iteration and no
    `active: false`.
    """
    try:
        names = sorted(os.listdir(os.path.join(root, ".claude")))[:_MOST]
    except OSError:
        return []
    for name in names:
        if "loop" not in name.lower() or not name.endswith(".local.md"):
            continue
        found = read_inside(root, f".claude/{name}", 64 * 1024)
        fields = _front_matter(found[0]) if found else {}
        if "iteration" in fields and fields.get("active", "true").lower() != "false":
            return [
                plain_line(name.removesuffix(".local.md"), 60),
                plain_line(fields["iteration"], 12),
                plain_line(fields.get("max_iterations", ""), 12),
                plain_line(fields.get("completion_promise", ""), 120),
            ]
    return []


def _front_matter(text: str) -> dict[str, str]:
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---":
        return {}
    fields: dict[str, str] = {}
    for line in lines[1:40]:
        if line.strip() == "---":
            return fields
        name, colon, value = line.partition(":")
        if colon:
            fields[name.strip().replace("-", "_").lower()] = value.strip().strip("\"'")
    return {}
