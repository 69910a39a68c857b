"""The search index of past sessions: an SQLite file that follows the logs, and its queries."""
