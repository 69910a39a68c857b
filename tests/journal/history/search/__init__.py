"""Tests of the search of past sessions: terms, index, ranking, command."""
