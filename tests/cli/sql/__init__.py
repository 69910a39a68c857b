"""`journal sql` and `journal schema`."""
