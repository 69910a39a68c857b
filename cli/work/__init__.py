"""Commands about work under way: dev cycle, skill progress, units, checkpoints, guards.

Invariant: what a command decides from the views and what it appends happen under one lock, so two
commands at once cannot both begin, adopt or resume the same thing.
"""
