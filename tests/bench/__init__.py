"""Benches: each prints its figures and what they were compared with."""
