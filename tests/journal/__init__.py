"""Tests of the library `journal`."""
