"""Tokens and cost of replies: the price list, and sums by day, session, model and the like."""

__all__ = ["BY", "PERIODS"]

PERIODS = ("day", "week", "month")
BY = (*PERIODS, "block", "session", "project", "branch", "model")
"""What replies can be grouped by."""
