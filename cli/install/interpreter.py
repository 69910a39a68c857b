"""Find out which Python the client starts, and how long starting it takes.

A shim (pyenv, asdf) is a script that looks up the interpreter at every start, which takes longer
than the whole hook. Invariant: interpreters run isolated and with a time limit.
"""

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

FLOOR = ("-I", "-S", "-c", "pass")
_WHO = "import sys; print(sys.executable, '%d.%d.%d' % sys.version_info[:3], sep='\\n')"


def run(
    command: Sequence[str],
    given: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run a command with `given` on stdin; raise OSError or, after 30 s, TimeoutExpired."""
    return subprocess.run(  # noqa: S603 (the interpreter under examination, the installed command)
        list(command), input=given, env=env, cwd=cwd, capture_output=True, timeout=30, check=False
    )


def is_shim(path: str) -> bool:
    """Return whether `path` is a script or a version manager's link, not an interpreter."""
    if f"{os.sep}shims{os.sep}" in path:
        return True
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def describe(python: str) -> tuple[str, str]:
    """Return (sys.executable, version) of an interpreter; ("", "") if it does not start."""
    try:
        done = run([python, "-I", "-S", "-c", _WHO])
    except (OSError, subprocess.TimeoutExpired):
        return "", ""
    lines = os.fsdecode(done.stdout).split("\n")
    return (lines[0], lines[1]) if done.returncode == 0 and len(lines) > 1 else ("", "")


@dataclass(frozen=True)
class StartupCost:
    """Medians in milliseconds: of a command, and of the bare interpreter measured in between."""

    command: float
    floor: float

    @property
    def ratio(self) -> float:
        """Return how many interpreter starts the command costs."""
        return self.command / self.floor

    def __str__(self) -> str:
        times = f"{self.ratio:.1f} times the bare interpreter"
        return f"{self.command:.0f} ms, {times} ({self.floor:.0f} ms)"


def compare(
    command: Sequence[str], payload: bytes, env: Mapping[str, str], cwd: str, rounds: int = 7
) -> StartupCost:
    """Time `command` and the bare interpreter in turn, so that noise affects both alike."""
    spent: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(rounds):
        for floor in (True, False):
            argv = [command[0], *FLOOR] if floor else list(command)
            start = time.perf_counter()
            run(argv, payload, env, cwd)
            spent[floor].append(1000 * (time.perf_counter() - start))
    middle = rounds // 2
    return StartupCost(command=sorted(spent[False])[middle], floor=sorted(spent[True])[middle])
