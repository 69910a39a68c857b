"""Tests of the events that hooks build."""
