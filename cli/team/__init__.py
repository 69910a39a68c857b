"""`journal team`."""
