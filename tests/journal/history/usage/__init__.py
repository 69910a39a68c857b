"""Tests of tokens and cost."""
