"""Read sessions, pressure and packs for the API and the page, and record what they add."""
