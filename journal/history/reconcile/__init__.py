"""Append the events of a session's transcript that no hook recorded: once, late, and marked."""
