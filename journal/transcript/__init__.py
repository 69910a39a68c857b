"""Read how full the context is, and compute where Claude Code compacts by itself.

This package imports nothing: the capture path imports the one module that it needs.
"""
