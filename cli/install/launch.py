"""Start the command line from the code beside this file, whatever the working directory.

Run by `bin/journal` as `python -E -P launch.py ARGUMENTS`. Invariant: the code that runs is the one
this file lies in, so an environment holds packages only and never an old copy of ours.
"""

from __future__ import annotations

import os
import sys


def launch(arguments: list[str]) -> int:
    """Run the command line; if its packages are missing, rebuild the environment once."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    sys.path.insert(0, root)
    sys.argv = ["journal", *arguments]
    try:
        from cli.__main__ import main

        return int(main() or 0)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("cli", "journal", "projections", "hooks"):
            raise
        return _again(root, arguments, error.name or "")


def _again(root: str, arguments: list[str], module: str) -> int:
    """Start again with a rebuilt environment: its packages may not fit an upgraded Python."""
    command = os.path.join(root, "bin", "journal")
    stamp = os.path.join(sys.prefix, ".journal-run")
    if os.path.exists(stamp) and os.path.exists(command) and "JOURNAL_AGAIN" not in os.environ:
        os.unlink(stamp)
        os.execve(command, [command, *arguments], {**os.environ, "JOURNAL_AGAIN": "1"})  # noqa: S606
    print(
        f"journal: error: {sys.executable} has no package {module}\n"
        f"  install it there, or run {command} with that Python off PATH",
        file=sys.stderr,
    )
    return 3


if __name__ == "__main__":
    sys.exit(launch(sys.argv[1:]))
