"""Tests of the facts: extractors, the check of what a summary holds, and the composer."""
