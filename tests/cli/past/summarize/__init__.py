"""Tests of `journal summarize`."""
