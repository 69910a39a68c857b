"""The archive: conversations that outlive their transcripts.

Claude Code deletes a transcript after some weeks. An import stores the conversation of each session
beside the log of its project: prompts, answers, tool calls with the beginning of their results,
compactions. It is redacted and compressed. It is not derived state: once the transcript is gone,
nothing can rebuild it.

    for line in files.conversation(directory, sid):   # importer.records.TranscriptLine
        ...

`directory` is the directory of a project's journal. The lines are those of the transcript, in
order, with the members of `TranscriptLine`, so one reader serves both a transcript and its copy.
"""
