"""The tables of `journal sql`."""
