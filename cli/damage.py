"""The rule for every command that reads: report losses of the logs it read, and fail on damage.

A command names the logs it reads (`add_logs`); after its answer, `report_damage` prints on stderr
what is damaged (exit code 1) and what is known to be missing (exit code 0). Invariant: no command
can omit this, because `cli.app.run` calls it for all of them.
"""

import sys
from collections.abc import Iterable

from cli.error import FINDINGS, OK, warn
from journal.errors import JournalError
from journal.log.findings import Findings
from journal.log.read import FAILED
from journal.text import escaped

_SHOWN = 3  # projects whose damage is shown one by one
_read: list[tuple[str, tuple[str, ...]]] = []  # home and projects that this command reads; () all
_found: dict[str, Findings] = {}


def reset() -> None:
    """Clear what an earlier command of this process has read."""
    _read.clear()
    _found.clear()
    FAILED.clear()


def add_logs(home: str, projects: Iterable[str] = ()) -> None:
    """Note that the command reads the logs of these projects; without names, of all projects."""
    _read.append((home, tuple(projects)))


def add_findings(directory: str, found: Findings) -> None:
    """Note the findings of a log that the command has read completely, or did not need to."""
    _found[directory] = found


def report_damage() -> int:
    """Print the damage of the logs that were read on stderr, and return the exit code."""
    if not _read:
        return OK
    from journal.history.damage import states_of  # it loads the views, which few commands need
    from journal.history.logs import ProjectNames

    states = {}  # directory of a log → name of its project, state
    for home, projects in dict.fromkeys(_read):
        name_of = ProjectNames(home)
        try:
            for item in states_of(home, projects, _found | FAILED):
                states[item.directory] = name_of(item.project), item
        except OSError as error:
            what = f"cannot be listed: {error.strerror}"
            raise JournalError(home, what, "run: journal doctor") from error
    reset()
    sys.stdout.flush()
    damaged = [(name, item) for name, item in states.values() if item.is_damaged]
    for name, item in damaged[:_SHOWN]:
        warn(f"warning: {name} is damaged, so this answer is not complete:")
        named = f"--project {name}"
        for line in (*item.places, f"run: journal verify {named}, then journal repair {named}"):
            print(f"  {escaped(line)}", file=sys.stderr)
    if len(damaged) > _SHOWN:
        warn(f"warning: {len(damaged) - _SHOWN} more logs are damaged: name a project to see where")
    if losses := [f"{name}: {item.losses}" for name, item in states.values() if item.losses]:
        more = f" (and {len(losses) - _SHOWN} more logs)" if len(losses) > _SHOWN else ""
        warn(f"note: known losses: {'. '.join(losses[:_SHOWN])}{more}")
    return FINDINGS if damaged else OK
