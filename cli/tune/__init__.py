"""`journal tune`: how other thresholds would have warned in past sessions.

Invariant: it proposes settings, and changes none.
"""
