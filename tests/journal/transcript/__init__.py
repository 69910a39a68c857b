"""Tests of `journal.transcript`."""
