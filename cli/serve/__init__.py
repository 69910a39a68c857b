"""`journal serve`: past sessions as an API and a page, on this machine alone.

Invariant: a convenience. No hook and no other command needs it, and everything it shows or records
is stored in the journal alone.
"""
