"""Tests of the tables of `journal sql`."""
