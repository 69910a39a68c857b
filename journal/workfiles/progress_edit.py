"""Read progress files for hooks: the session's own after an edit, or one without a session.

Invariant: only the session's own file counts as its progress.
"""

from __future__ import annotations

import os

from journal.text import plain_line
from journal.workfiles.files import read_inside, without_surrogates
from journal.workfiles.progress_file import FOLDER, LEGACY, changes, file_name, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from journal.events.hook_input import Call

_LIMIT = 256 * 1024
_EDITING = frozenset(("Write", "Edit", "MultiEdit"))


def saved(call: Call, root: str) -> list[dict[str, Any]]:
    """Build the `progress.saved` events of a tool call that edits the session's progress file.

    root: of the project. Return [] for any other call.
    """
    if not call.full or not call.sid or call.word("tool_name") not in _EDITING:
        return []
    path = call.object_of("tool_input").get("file_path")
    own_path = f"{FOLDER}/{file_name(call.sid)}"
    if not isinstance(path, str) or os.path.basename(path) != os.path.basename(own_path):
        return []
    if os.path.realpath(os.path.dirname(path)) != os.path.realpath(os.path.join(root, FOLDER)):
        return []
    found = read_inside(root, own_path, _LIMIT)
    after = parse(without_surrogates(found[0])) if found else None
    if after is None:
        return []
    original = call.object_of("tool_response").get("originalFile")
    previous = parse(without_surrogates(original)) if isinstance(original, str) else None
    return changes(previous, after, own_path)


def unowned(root: str) -> list[str]:
    """Return [path, skill, phase] of the progress file without a session ([path] if it is invalid).

    Return [] if there is no such file.
    """
    path = f"{FOLDER}/{LEGACY}"
    found = read_inside(root, path, _LIMIT)
    if found is None:
        return []
    facts = parse(without_surrogates(found[0]))
    if facts is None:
        return [path]
    phase = f"{facts['phase']} {facts['name']}"
    return [path, plain_line(facts["skill"], 60), plain_line(phase, 80)]
