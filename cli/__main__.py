"""`journal`, also as `python -m cli`."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> int:
    """Run the command line of this process and give its exit code."""
    from cli.quick import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
