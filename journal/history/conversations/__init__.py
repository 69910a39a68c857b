"""A session as a conversation: prompts, answers, tool calls, compactions, decisions.

`source.conversation_of` reads it, from the transcript while there is one and from the journal
afterwards. Invariant: every text in a conversation is redacted, bounded, and without what a person
marked as private; how it is shown is the business of whoever shows it.
"""
