"""Tests of what the product promises to Claude Code and to the user."""
