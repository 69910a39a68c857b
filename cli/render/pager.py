"""Show lines in a pager if stdout is a terminal, as Git does; otherwise print them.

Invariant: only the user's own PAGER is run, without a shell, and never if stdout is piped.
"""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress

from cli.render.text import emit


def pager_of(env: Mapping[str, str]) -> list[str]:
    """Return the command of the pager: PAGER, else less if it is installed; [] for none."""
    less = "less" if shutil.which("less", path=env.get("PATH")) else ""
    try:
        words = shlex.split(env.get("PAGER", less))
    except ValueError:
        return []
    known = {"less": ["less", "-R"], "cat": []}
    return known.get(words[0], words) if len(words) == 1 else words


def page(lines: Iterable[str], env: Mapping[str, str]) -> None:
    """Print lines: in a pager if stdout is a terminal, else on stdout."""
    command = pager_of(env) if sys.stdout.isatty() and env.get("TERM") != "dumb" else []
    if not command:
        emit(lines)
        return
    sys.stdout.flush()
    # As Git does: less ends by itself if all lines fit on the screen, and shows colours.
    own = {**os.environ, "LESS": env.get("LESS", "FRX")}
    try:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, env=own)  # noqa: S603 (the user's pager)
    except OSError:
        emit(lines)
        return
    assert process.stdin is not None
    with suppress(BrokenPipeError, KeyboardInterrupt), process.stdin as pipe:
        for line in lines:
            pipe.write((line + "\n").encode("utf-8", "backslashreplace"))
    while process.poll() is None:
        with suppress(KeyboardInterrupt):  # the pager decides what Ctrl-C means
            process.wait()
