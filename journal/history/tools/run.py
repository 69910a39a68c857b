"""Call a tool: check its input, run it, return a text.

The schemas of the inputs are in `tools.json`. Invariant: every call returns a bounded text; if it
fails, the text says what to do next. `problem` checks every JSON Schema keyword that a schema uses.
"""

import os
from collections.abc import Mapping
from functools import cache
from pkgutil import resolve_name
from typing import Any, NamedTuple

from journal.codec import loads
from journal.errors import JournalError
from journal.files import read_regular
from journal.history.scope import ProjectScope
from journal.log.append import Busy
from journal.text import shorten

_FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools.json")
_LIMIT = 64 * 1024
_TYPES: dict[str, type] = {"object": dict, "string": str, "integer": int, "boolean": bool}
_A = {"object": "an object", "string": "a text", "integer": "a whole number", "boolean": "a switch"}

MOST = 8_000
"""Characters of a result."""


class Result(NamedTuple):
    """The result of a call. failed: whether the text is an error."""

    text: str
    failed: bool = False


def call(
    name: str, arguments: Any, env: Mapping[str, str], *, cwd: str | None = None, session: str = ""
) -> Result:
    """Call a tool.

    Args:
        name: of the tool.
        arguments: its input, parsed from JSON and not checked.
        env: the environment, which names the journal home.
        cwd: directory of the project, if the environment names none.
        session: of the caller; without it, the environment's.

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


@cache
def described() -> tuple[dict[str, Any], ...]:
    """Return the descriptions of all tools, in order."""
    tools: Any = loads(read_regular(_FILE, _LIMIT))
    return tuple(tools)


def problem(schema: dict[str, Any], value: Any, name: str = "the input") -> str:
    """Return what is wrong with an input, "" if nothing."""
    expected = schema["type"]
    kind: Any = type(value)
    if kind is not _TYPES[expected]:  # True is not a number here
        return f"{name} is not {_A[expected]}"
    if expected == "object":
        return _in_members(schema, value)
    if (allowed := schema.get("enum")) and value not in allowed:
        return f"{name} is none of: {', '.join(allowed)}"
    size, unit = (len(value), " characters") if expected == "string" else (value, "")
    least = schema.get("minLength", schema.get("minimum", size))
    most = schema.get("maxLength", schema.get("maximum", size))
    if expected == "string" and least and not value.strip():
        return f"{name} is empty"
    return "" if least <= size <= most else f"{name} has {size:,}{unit}: from {least} to {most:,}"


def _in_members(schema: dict[str, Any], value: dict[str, Any]) -> str:
    members = schema["properties"]
    for name in schema.get("required", ()):
        if name not in value:
            return f"{name} is missing"
    for name, member in value.items():
        if name not in members:
            allowed = ", ".join(members) or "none"
            return f"there is no input {name[:40]!r}; there is: {allowed}"
        if reason := problem(members[name], member, name):
            return reason
    return ""
