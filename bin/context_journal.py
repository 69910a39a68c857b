"""The package a wheel installs: it holds `journal`, `projections`, `hooks` and `cli`.

Only its own name is public: names as common as `cli` and `hooks` do not belong in site-packages.
This file is its `__init__.py` (pyproject.toml puts it there). Invariant: the four packages that our
process imports are those in this folder, whatever the working directory or PYTHONPATH holds.
"""

from __future__ import annotations

import os
import sys

__all__ = ["main"]


def main() -> int:
    """Run the command line `journal` of this installation and return its exit code."""
    # A relative entry of PYTHONPATH names whatever project one stands in.
    given = os.environ.get("PYTHONPATH", "")
    named = given.split(os.pathsep) if given else []
    theirs = {os.path.abspath(entry) for entry in named if not os.path.isabs(entry)}
    sys.path[:] = [
        os.path.dirname(os.path.abspath(__file__)),
        *(entry for entry in sys.path if entry not in theirs),
    ]
    from cli.__main__ import main as run

    return run()
