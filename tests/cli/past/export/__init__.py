"""Tests of `journal export-session`."""
