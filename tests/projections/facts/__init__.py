"""Tests of the facts: extractors, judge, composer."""
