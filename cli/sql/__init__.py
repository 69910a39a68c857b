"""`journal sql` and `journal schema`: SQL queries over the journals of all projects."""
