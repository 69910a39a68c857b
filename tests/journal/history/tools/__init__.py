"""Tests of the four tools."""
