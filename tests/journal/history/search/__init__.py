"""The search of past sessions: terms, index, ranking, command."""
