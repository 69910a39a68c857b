"""Call a tool: check its input, run it, return a text.

Invariant: every call returns a bounded text; that of an error says what to do next.
"""

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Any, NamedTuple

from journal.errors import JournalError
from journal.history.scope import ProjectScope
from journal.history.tools.schema import described, problem
from journal.log.append import Busy
from journal.text import shorten

MOST = 8_000
"""Characters of a result."""


class Result(NamedTuple):
    """The result of a call. failed: whether the text is an error."""

    text: str
    failed: bool = False


def call(
    name: str,
    arguments: Any,
    env: Mapping[str, str],
    *,
    cwd: str | None = None,
    session: str = "",
) -> Result:
    """Call a tool.

    Args:
        name: of the tool.
        arguments: its input, parsed from JSON and not checked.
        env: the environment; it says where the journal is.
        cwd: directory whose project is meant, where the environment names none.
        session: of the caller; without it that of the environment.

    Returns:
        The text for the model, and whether the call failed.

    Raises:
        KeyError: there is no such tool.

    """
    tool = {tool["name"]: tool for tool in described()}[name]
    if reason := problem(tool["inputSchema"], arguments):
        return Result(f"{name}: {reason}.", failed=True)
    scope = ProjectScope(env, cwd=cwd, session=session, stores=not tool["readOnly"])
    try:
        damage = _damage(scope, every=bool(arguments.get("all"))) if tool["readOnly"] else ""
        return Result(damage + shorten(_run(name, scope, arguments), MOST - len(damage)))
    except JournalError as error:
        remedy = f" Next: {error.remedy}." if error.remedy else ""
        return Result(shorten(f"{name}: {error}.{remedy}", MOST), failed=True)
    except Busy:
        why = "another process is writing to the journal. Try again in a moment"
        return Result(f"{name}: {why}.", failed=True)
    except OSError as error:
        why = f"the journal cannot be read: {error.strerror or error}"
        return Result(f"{name}: {why}.", failed=True)


def _run(name: str, scope: ProjectScope, arguments: dict[str, Any]) -> str:
    if name != "note" and not scope.exists() and not arguments.get("all"):
        return "This project has no journal yet, so nothing is recorded."
    return str(resolve_name(f"{__package__}.{name}:{name}")(scope, **arguments))


def _damage(scope: ProjectScope, *, every: bool) -> str:
    """Return a line about unrepaired damage of the logs that a tool reads, "" if there is none."""
    from journal.history.damage import states_of

    projects = () if every else (scope.project.name,)
    states = states_of(scope.home, projects, stores=False)
    found = {scope.names(item.project): item.damage for item in states if item.is_damaged}
    if not found:
        return ""
    text = shorten("; ".join(f"{name}: {what}" for name, what in found.items()), MOST // 8)
    then = f"journal verify --project {next(iter(found))}"
    return f"The journal is damaged, so this is not complete ({text}). Next: {then}.\n\n"
