"""How commands print: text, tables, events, differences."""
