"""Append to a log what a session's transcript has and no hook recorded: once, late, and marked."""
