"""Fold a log from its last checkpoint on, so that a long history costs what is new in it.

Invariant: what is folded with checkpoints is what is folded without; deleting them costs time only.
"""
