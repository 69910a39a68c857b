"""Benches: each prints its figure and what it was measured against."""
