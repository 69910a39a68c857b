"""The status line: record the client's own reading, and print one line for the user."""
