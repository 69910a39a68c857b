"""Tests of the tables of a team."""
