"""The command that explains the others."""

from typing import Annotated

import typer

__all__ = ["app"]

app = typer.Typer()


def _command_names() -> list[str]:
    from cli.app import command

    return list(command().commands)


@app.command("help", rich_help_panel="Help")
def show_help(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="COMMAND", help="Command to explain.", autocompletion=_command_names
        ),
    ] = None,
    man: Annotated[bool, typer.Option("--man", help="Print the man page of all commands.")] = False,
) -> int:
    """Explain a command, or list all of them."""
    if man:
        from cli.man import man_page

        print(man_page(), end="")
    else:
        from cli.app import help_of

        print(help_of(words or []))
    return 0
