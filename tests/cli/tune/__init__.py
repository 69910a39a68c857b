"""Tests of `journal tune`."""
