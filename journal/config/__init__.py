"""Configuration: one table of keys, two files, one compiled cache for hooks.

Nothing is imported here: a hook pays for every module it loads.
"""
