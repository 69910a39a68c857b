"""Tests of the views that commands print."""
