"""Fold a log from its last checkpoint on, so that only new records of a long history are read.

Invariant: a fold from a checkpoint gives the same result as one without; deleting checkpoints costs
time only.
"""
