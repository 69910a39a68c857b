"""How a command appends: under the writer's lock, with the snapshot brought up to date.

Invariant: what a command says it recorded is in the log; where it could not be, nothing is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from journal.log.append import Writer
from journal.log.prepare import prepare

if TYPE_CHECKING:
    from cli.scope import Scope

__all__ = ["append", "stored"]

_PATIENCE = 5.0  # seconds a person's command waits for the lock


def append(scope: Scope, *events: dict[str, Any]) -> list[int]:
    """Append events (as `Scope.event` gives them); give their seqs. JournalOffError, Busy."""
    # Heavy modules before the lock, so that no hook waits for an import.
    from hooks.answer import load_fold, save_fold

    sync = scope.settings["append.sync"]
    with Writer(scope.directory, scope.iso, sync=sync, deadline=_PATIENCE) as writer:
        seqs = writer.append(*events)
        save_fold(writer, load_fold(writer))
    return seqs


def stored(event: dict[str, Any]) -> dict[str, Any]:
    """Return the members of an event as the log holds them: redacted, and cut to fit a record."""
    fields = prepare(event, "").fields
    return {name: fields[name] for name in event}
