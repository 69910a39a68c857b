"""Tests of the states kept at places of a log."""
