"""Tests of `journal.history.tools`."""
