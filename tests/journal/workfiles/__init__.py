"""Tests of the work files."""
