"""Tests of the comparison of a log with transcripts."""
