"""`journal sql` and `journal schema`: history as tables."""
