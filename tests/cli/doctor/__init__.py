"""Tests of `journal doctor`."""
