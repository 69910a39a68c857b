"""`journal import`: bring past sessions in from Claude Code's transcripts."""
