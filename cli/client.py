"""`journal hook | statusline`: start the program that Claude Code runs, in place of this process.

Nothing of `hooks` is imported. Invariant: like those programs, these two commands exit 0.
"""

import os
import sys

_PROGRAMS = {"hook": "run.py", "statusline": "statusline.py"}


def hand_over(name: str) -> int:
    """Become the program of `name` ("hook" or "statusline"), which reads stdin.

    Returns:
        0, and only where the program could not be started.

    """
    code = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    program = os.path.join(code, "hooks", _PROGRAMS[name])
    try:
        os.execv(sys.executable, [sys.executable, "-I", "-S", program])  # noqa: S606
    except OSError:
        return 0
