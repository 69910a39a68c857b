"""`journal tune`: what hooks would have said under other thresholds, weighed against history.

Invariant: a setting is proposed, never set.
"""
