"""The program that Claude Code runs at each hook event."""
