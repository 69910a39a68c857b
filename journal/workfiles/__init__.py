"""The user's work files: flow, learnings and plan. Nothing here writes a byte outside them."""
