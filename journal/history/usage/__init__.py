"""Tokens and cost of replies: the price list, and sums by day, session, model and so on."""

PERIODS = ("day", "week", "month")
BY = (*PERIODS, "block", "session", "project", "branch", "model")
"""The dimensions that replies can be grouped by."""
