"""`journal explain`: why a hook said what it said at an event, or why it kept silent.

case → reason → show. Invariant: the answer is recomputed by the hooks' own function from the log;
nothing here decides anything itself.
"""
