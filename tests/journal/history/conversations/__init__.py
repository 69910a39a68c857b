"""Tests of conversations: read from transcripts and journals, and resumed."""
