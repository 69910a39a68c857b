"""Tests of the documentation; its examples are run."""
