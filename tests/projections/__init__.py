"""Tests: projections."""
