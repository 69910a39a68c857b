"""`journal export`."""
