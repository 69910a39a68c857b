"""The archive: conversations that outlive their transcripts.

Claude Code deletes a transcript after some weeks. An import stores the conversation of each session
beside the log of its project: prompts, answers, calls of tools with the beginning of what they got,
compactions. It is redacted and compressed, and not derived state: once the transcript is gone,
nothing can make it again.

    for line in conversation(directory, sid):   # journal.history.importer.records.TranscriptLine
        ...

`directory` is the directory of a project's journal. The lines are those of the transcript, in their
order, with the members that `TranscriptLine` has; so one reader serves a transcript and its copy.
"""

from __future__ import annotations

from journal.history.archive.files import conversation, stored_bytes

__all__ = ["conversation", "stored_bytes"]
