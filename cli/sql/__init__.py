"""`journal sql` and `journal schema`: questions in SQL over the journals of all projects."""
