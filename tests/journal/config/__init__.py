"""Tests of `journal.config`."""
