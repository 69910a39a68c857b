"""The command that explains the others."""

from typing import Annotated

import typer

from cli.options import argument, flag

app = typer.Typer()


def _command_names(context: typer.Context) -> list[str]:
    from cli.manual import subcommands

    return list(subcommands(context.find_root().command))


@app.command("help", rich_help_panel="Help")
def show_help(
    context: typer.Context,
    words: Annotated[
        list[str] | None, argument("COMMAND", "The command.", autocompletion=_command_names)
    ] = None,
    man: Annotated[bool, flag("--man", "Print the man page of all commands.")] = False,
) -> int:
    """Show the help of a command, or list all commands."""
    top = context.find_root()
    if man:
        from cli.manual import man_page

        print(man_page(top.command), end="")
    else:
        from cli.manual import help_of

        print(help_of(top, words or []))
    return 0
