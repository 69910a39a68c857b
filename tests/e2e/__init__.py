"""Tests through the real Claude Code client."""
