"""The log: records framed as JSON lines, appended under a lock, read back with a verdict each.

Nothing is imported here: a hook pays for every module it loads.
"""
