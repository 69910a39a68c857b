"""Check that events come through the module, and that the formula fits Claude Code's figure.

Invariant: what is checked is what the log's last readings say; without readings there is no row.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from cli.doctor.rows import Check
from cli.doctor.stored import last_part
from journal.config import CACHE_FILE, settings
from journal.home import client_dir
from journal.transcript.threshold import CLIENT, FORMULA

if TYPE_CHECKING:
    from cli.doctor.installed import Installation

__all__ = ["module"]

_NAME = "module"
_READINGS = 20


def module(install: Installation) -> list[Check]:
    """Check both."""
    cache = os.path.join(install.home, install.project.name, CACHE_FILE)
    root = install.project.root or None
    own = settings(cache, install.home, root, client_dir(install.env), store=False)
    if not own["capture.warm"]:
        what = "off (capture.warm): command hooks record everything, more slowly"
        return [Check(_NAME, "note", what)]
    path = os.path.join(install.home, install.project.name, "active.jsonl")
    found = _readings(path)
    if not found:
        return []
    warm = [reading for reading in found if reading.get("source") == "client"]
    if not warm:
        what = "Claude Code does not run it: command hooks record everything, more slowly"
        remedy = "it needs Claude Code 2.1.287 or newer that may load modules"
        return [Check(_NAME, "note", what, path, remedy)]
    return [_formula(warm, path)]


def _formula(readings: list[dict[str, Any]], path: str) -> Check:
    """Return the row for the newest reading that has Claude Code's own threshold."""
    for reading in reversed(readings):
        terms = {str(term[0]): term for term in reading.get("terms", ()) if len(term) == 3}
        if terms.get("compaction threshold", ["", "", ""])[2] != CLIENT:
            continue
        point = int(reading.get("point") or 0)
        if FORMULA not in terms:
            what = f"records; Claude Code compacts at {point:,} tokens, as by the formula"
            return Check(_NAME, "ok", what, path)
        what = f"Claude Code compacts at {point:,} tokens, the formula says {terms[FORMULA][1]}"
        return Check(_NAME, "warn", what, path, "where the module does not run, pressure is off")
    return Check(_NAME, "ok", "records", path)


def _readings(path: str) -> list[dict[str, Any]]:
    """Return the last readings of the log, the oldest first."""
    found = []
    for line in last_part(path).splitlines():
        if b'"type":"pressure.sampled"' not in line:
            continue
        try:
            found.append(json.loads(line))
        except ValueError:
            continue  # a torn or corrupt line is the business of `findings`
    return found[-_READINGS:]
