"""journal sql, journal schema, journal export."""
