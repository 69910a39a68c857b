"""`journal show`."""
