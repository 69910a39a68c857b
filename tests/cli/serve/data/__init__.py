"""Tests of what the API and the page read and record."""
