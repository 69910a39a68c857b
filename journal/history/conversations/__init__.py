"""Sessions as conversations: prompts, answers, tool calls, compactions, decisions.

`source.conversation_of` reads one, from the transcript while it exists and from the journal after
that. Invariant: every text in a conversation is redacted, bounded and without the parts that the
user marked as private. How to show it is up to the caller.
"""
