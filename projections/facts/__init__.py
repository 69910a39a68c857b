"""Facts of a session by class: what extracts them, what judges their presence, what composes them.

text          from one text: instructions, refusals, reasons, ids, the core of a command
presence      whether a summary says a fact
session       facts gathered while a session goes on, and what of them a summary left out
compose       a text of bounded size from parts, by value
"""
