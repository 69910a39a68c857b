"""The library: log, events, configuration, redaction, transcripts and history.

It imports nothing, since a hook pays for every module it loads.
"""
