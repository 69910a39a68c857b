"""The facts of a session: extract them, find those a summary left out, compose a text of them.

text          extracts facts from one text: instructions, refusals, reasons, ids, commands
transcript    extracts facts that only a transcript has
session       what is kept of a session while it runs
gathering     collects it from prompts, calls and answers
compaction    the facts at a compaction, and those that its summary left out
presence      decides whether a text mentions a fact
compose       builds a text of bounded size from parts
"""
