"""Helpers for tests of all areas."""
