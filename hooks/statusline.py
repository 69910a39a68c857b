"""Entry of the status line: `python3 -I -S hooks/statusline.py`, Claude Code's input on stdin.

Invariant: exit 0 on every path, nothing on stderr, and a line on stdout even if the journal cannot
be written: with empty output the user would see no status line.
"""

from __future__ import annotations

import os
import sys

# -I leaves the script's folder out of sys.path; this package must come first.
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main() -> None:
    """Read stdin, record the reading, and print the line."""
    try:
        raw = sys.stdin.buffer.read()
        from hooks.status_line.line import show

        text = show(raw, os.environ)
    except BaseException as error:  # noqa: BLE001 (a line whatever happens)
        text = f"journal off: {type(error).__name__}\n"
        try:
            from hooks.errors import note

            note(os.environ, "statusline", error)
        except BaseException:  # noqa: BLE001, S110 (there is nowhere left to report to)
            pass
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "replace"))
        sys.stdout.buffer.flush()
    finally:
        # Skip the interpreter's teardown; all files are closed.
        os._exit(0)


if __name__ == "__main__":
    main()
