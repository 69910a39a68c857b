"""Tests of `journal.history.archive`."""
