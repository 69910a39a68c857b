"""Options: wrong values, missing values, and what excludes another."""

from __future__ import annotations

import pytest

from cli.app import run
from tests.support.command import all_commands
from tests.support.rows import each

COMMANDS = {name: found for _, name, found in all_commands()}


def options(found) -> set[str]:
    """Return the options of a command, as they are typed."""
    return {option for parameter in found.params for option in parameter.opts}


WITH_ALL = [name for name, found in COMMANDS.items() if "--all" in options(found)]


def test_several_commands_take_all() -> None:
    """The next rule is checked on more than a few commands."""
    assert len(WITH_ALL) > 5


@pytest.mark.parametrize("name", WITH_ALL)
@pytest.mark.parametrize("turned", [False, True])
def test_all_projects_and_one(name, turned, workspace):
    """No command takes --all beside --project, in either order: it says so and does nothing."""
    both = ["--project", "x"], ["--all"]
    words = both[1] + both[0] if turned else both[0] + both[1]
    said = workspace.journal(*name.split(), *words)
    assert (said.code, said.out) == (2, "")
    assert "--all and --project cannot be combined" in said.err


def is_number(parameter) -> bool:
    """Return whether a parameter takes a number; older typers have its type in `type`."""
    descriptor = getattr(parameter, "type_descriptor", None)
    if descriptor is not None:
        return descriptor.annotation in (int, float)
    return parameter.type.name.startswith(("int", "float"))


@each("name", COMMANDS)
def test_numbers_have_bounds(name):
    """Each number has bounds that the code behind it can hold."""
    for parameter in filter(is_number, COMMANDS[name].params):
        kind = getattr(parameter, "type", parameter)
        assert kind.min in (0, 1), parameter.opts
        assert kind.max <= 1_000_000_000, parameter.opts


@pytest.mark.parametrize("name", COMMANDS)
def test_help_names_a_default_once(name):
    """The text of an option names its default, and typer adds none to it."""
    for parameter in COMMANDS[name].params:
        text = getattr(parameter, "help", None) or ""
        adds = parameter.default and getattr(parameter, "show_default", False)
        assert not (adds and "default" in text), parameter.opts


@pytest.mark.parametrize(("words", "what"), [
    (["events", "--limit", "x"], "not a whole number"),
    (["events", "--limit", "-1"], "must be greater than or equal to 0"),
    (["sessions", "--status", "x"], "'x' is not one of 'completed', 'open'"),
    (["status", "--project", ""], "is empty: leave the option out, or give a value"),
    (["usage", "--project", ""], "is empty"),
    (["view", "--session", ""], "is empty"),
    (["sessions", "--since", ""], "is empty"),
    (["events", "--until", ""], "is empty"),
], ids=str)  # fmt: skip
def test_wrong_value(words, what, capsys):
    """The error names the option and what it takes in plain words."""
    assert run(words) == 2
    error = capsys.readouterr().err
    assert f"'{words[1]}': " in error
    assert what in error


def test_an_option_without_its_value(capsys):
    """The error names the help of the command."""
    assert run(["show", "--html"]) == 2
    assert "see: journal show --help" in capsys.readouterr().err
