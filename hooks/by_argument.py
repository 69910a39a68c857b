"""The handlers that `hooks/run.py` starts by an argument: `background` and `permit`.

They are not in `run.py` because Python compiles a script at every start.
"""

from __future__ import annotations

import os
import sys


def handle(raw: bytes) -> str:
    """Run the handler that the argument names and return what goes to stdout ("" for silence)."""
    if sys.argv[1] == "permit":
        from hooks.permit import permit

        return permit(raw, os.environ)
    from hooks.background import run_background

    os.nice(10)
    run_background(raw, os.environ)
    return ""
