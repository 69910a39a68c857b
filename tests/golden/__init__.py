"""Frozen journals and the views of them; `tests.golden.make` says how they are made."""
