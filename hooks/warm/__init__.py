"""The warm child: one process per Claude Code process that captures events without starting up."""
