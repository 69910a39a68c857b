"""Tests of `cli.render`."""
