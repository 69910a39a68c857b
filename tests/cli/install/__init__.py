"""Tests of setting up, examining and removing the journal."""
