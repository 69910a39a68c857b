"""Tests of `journal export`."""
