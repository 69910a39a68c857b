"""`journal serve`: past sessions as a web page and an API, on this machine only.

Invariant: no hook and no other command needs it, and everything that it shows or records is stored
only in the journal.
"""
