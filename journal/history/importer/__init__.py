"""Import of past sessions from Claude Code's transcripts: `journal import`.

find → read (lines → records → parser → facts), in this process or in several → sink. The events go
into a second log of the same format, `imported/` in the project's journal. Invariant: an event is
there once, however often and from however many copies its transcript is read; no hook ever reads
that log.
"""

SUMMARIZER = "acompact"
"""Beginning of the ID of a subagent that summarizes for a compaction."""
