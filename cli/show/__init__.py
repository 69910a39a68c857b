"""`journal show`: a session as a conversation, in a terminal, as Markdown, HTML or JSON."""
