"""Summaries of ended sessions: the backlog, the writers, the groups of a session's work."""
