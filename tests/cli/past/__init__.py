"""Past sessions: digests, summaries, search, selection, export."""
