"""How full the context is: what the transcript and the status line say, and where compaction comes.

Nothing is loaded here: the capture path imports the one module it needs.
"""
