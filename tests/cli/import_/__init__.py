"""Tests of `journal import`."""
