"""Check that events come through the module, and that the formula matches Claude Code's figure.

Invariant: what is checked is what the log's last readings say; without readings there is no row.
"""

import os
from typing import Any

from cli.doctor.installation import Check, Installation
from cli.doctor.stored import last_records
from journal.log.record import ACTIVE
from journal.transcript.threshold import CLIENT, FORMULA

_NAME = "module"
_READINGS = 20


def module(install: Installation) -> list[Check]:
    """Return the row about the module, none without readings."""
    if not install.scope.settings["capture.warm"]:
        what = "off (capture.warm): command hooks record everything, more slowly"
        return [Check(_NAME, "note", what)]
    path = os.path.join(install.directory, ACTIVE)
    found = [item for item in last_records(path) if item.get("type") == "pressure.sampled"]
    found = found[-_READINGS:]
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
