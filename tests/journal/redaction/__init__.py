"""Tests of `journal.redaction`."""
