"""Past sessions: listed, chosen, printed, exported, searched and summarized."""
