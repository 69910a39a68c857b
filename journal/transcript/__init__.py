"""Read how full the context is, and compute where Claude Code compacts by itself.

Nothing is loaded here: the capture path imports the one module it needs.
"""
