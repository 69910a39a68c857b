"""Tests of the messages hooks put before Claude and the person."""
