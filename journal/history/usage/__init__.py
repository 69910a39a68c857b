"""Tokens and cost of replies: the price list, and sums by day, session, model and so on."""

PERIODS = ("day", "week", "month")
BY = (*PERIODS, "block", "session", "project", "branch", "model")
"""The dimensions that replies can be grouped by."""

TOKENS = tuple(
    "input_tokens output_tokens cache_creation_input_tokens cache_creation_1h_input_tokens "
    "cache_read_input_tokens".split()
)
"""The columns of a reply's tokens, in the order of `prices.Tokens`; with the prefix `compact_`, the
part of them that a compaction caused."""
