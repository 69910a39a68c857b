"""Tests of `journal.history.summaries`."""
