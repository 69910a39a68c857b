"""`journal import`: import past sessions from Claude Code's transcripts."""
