"""Tests of `cli.work`."""
