"""Tests of `journal explain`."""
