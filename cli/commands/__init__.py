"""The commands: plain typed functions, one module per heading of `journal --help`.

A command with subcommands (`journal pack make`) is a typer application in that module, or in one of
its own name below `work/`.
A function here is the command line of one command: its parameters are the options, its docstring
is the help. The work is done by the function it calls, imported when the command runs. To add a
command: write such a function in the module of its heading; docs/cli.md follows with
`python -m tests.tools.cli_page > docs/cli.md`.
"""
