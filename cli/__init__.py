"""The `journal` command: everything a person or a script asks the journal for.

`app` builds the typer application from the modules of `commands`, whose functions parse a command
line and call plain functions that do the work. No other package imports this one.
"""
