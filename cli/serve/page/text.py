"""Describe damage and errors in words for the page. Pure."""

import re
from collections.abc import Mapping, Sequence

from cli.error import expected_error
from cli.serve.errors import ConflictError, MissingError
from journal.history.logs import ProjectNames, without_digest
from journal.home import journal_home


def describe_damage(damage: Sequence[str], losses: Sequence[str]) -> str:
    """Return what is damaged or missing, one line each; "" if the logs are complete.

    Each item begins with the name of its project.
    """
    lines = ["The journal is damaged, so this page is not complete:"] if damage else []
    for item in damage:
        name = f"--project {item.partition(':')[0]}"
        lines.append(f"{item}. Run journal verify {name}, then journal repair {name}.")
    return "\n".join([*lines, *(f"Known losses: {item}." for item in losses)])


def describe_error(error: Exception, env: Mapping[str, str]) -> str:
    """Return what went wrong and, if known, what to do.

    It names a project or the journal, never a file in it.
    """
    if isinstance(error, (MissingError, ConflictError)):
        return error.what  # the remedy is about the API
    shown, home = expected_error(error, env), journal_home(env)
    if shown is None:
        what = _name_projects(f"{type(error).__name__}: {error}", home)
        return f"Something went wrong ({what}). To find the cause, run journal doctor."
    what = _name_projects(str(shown), home)
    return f"{what}: {shown.remedy}" if shown.remedy else what


def _name_projects(text: str, home: str) -> str:
    """Replace each path in a journal home by the project whose journal it is in."""

    def name(found: re.Match[str]) -> str:
        folder = found[1] or ""
        if folder in ("", "cache"):
            return "the journal's cache" if folder else "the journal"
        return f"the journal of {ProjectNames(home).all().get(folder, without_digest(folder))}"

    return re.sub(rf"{re.escape(home)}(?:/([^/\s:'\"]+))?[^\s:'\"]*(?::\d+)?", name, text)
