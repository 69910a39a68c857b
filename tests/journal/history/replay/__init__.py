"""Tests of `journal.history.replay`: fold states stored for positions of a log."""
