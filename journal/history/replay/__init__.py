"""Folded states kept at places of a log, so that the end of a long history is near.

shape → store → run. A cache: every file of it may be missing, damaged or of another build, which
costs time and nothing else. Invariant: what a command shows with it is what it shows without it.
"""
