"""`journal serve`: past sessions as a web page and an API, on this machine only.

Invariant: a convenience. No hook and no other command needs it, and everything it shows or records
is stored in the journal alone.
"""
