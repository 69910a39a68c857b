"""`journal serve`: past sessions as an API and a page, on this machine alone.

Invariant: a convenience. No hook and no other command needs it, and nothing it shows or records is
kept anywhere but in the journal.
"""
