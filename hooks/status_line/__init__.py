"""The status line: the client's own reading for the journal, and one line for the person."""
