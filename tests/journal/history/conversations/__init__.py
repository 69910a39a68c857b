"""Conversations: read from transcripts, from journals, and resumed."""
