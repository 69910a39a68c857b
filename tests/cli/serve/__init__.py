"""Tests of `journal serve`: its API, its gate, its process."""
