"""Tests of `journal mcp`."""
