"""The tables of a team."""
