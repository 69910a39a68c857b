"""Tests of `journal stats`."""
