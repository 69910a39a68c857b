"""Tests of `journal.log`."""
