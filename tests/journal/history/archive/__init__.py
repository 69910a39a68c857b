"""Tests of `journal.history`: import, tables, search, summaries, export."""
