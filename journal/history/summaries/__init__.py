"""Summaries of ended sessions: the backlog, the engines, and the groups of a session's work."""
