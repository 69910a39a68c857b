"""Tests of installing, examining and removing the journal."""
