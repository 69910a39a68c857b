"""Backfill from the client's transcripts: `journal import`.

find → tell (lines → shape → teller → pack) → reading, in one process or in several → sink. What a
transcript tells goes into a second log of the same format, `imported/` in the project's journal.
Invariant: a fact is there once however often, from however many copies and in however many runs it
is read; no hook ever reads that log.
"""

from __future__ import annotations

__all__ = ["IMPORTED"]

IMPORTED = "imported"
"""Folder of the second log, in the directory of a project's journal."""
