"""The `journal` command: everything a person or a script asks the journal for.

`app` is the shell (the only place that knows typer), `table` and `command/` say which commands
there are, and plain functions do the work. Nobody imports this package but itself.
"""
