"""Entry of every hook: `python3 -I -S hooks/run.py`, the hook's input on stdin.

An argument names another handler: `background`, `permit`, or a job that a hook started; see
`hooks/by_argument.py`. Python compiles this file at every call, so it is short.

Invariant: exit 0 on every path, and nothing on stdout but a complete answer, since Claude Code
puts stdout into the model's context.
"""

from __future__ import annotations

import gc
import os
import sys

# -I leaves the script's folder out of sys.path; this package must come first.
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# All of ours is in folders, not built in, frozen or in an archive: 0.5 M instructions less to find.
sys.path_hooks.reverse()
sys.meta_path.reverse()


def main(raw: bytes = b"") -> None:
    """Read stdin and handle the call, or run the handler that an argument names."""
    # A hook lives for milliseconds: garbage collection costs 6 % of an answer, frees nothing.
    gc.disable()
    try:
        raw = raw or sys.stdin.buffer.read()
        if sys.argv[1:]:
            from hooks.by_argument import handle

            answer = handle(raw)
        else:
            from hooks.capture import capture

            answer = capture(raw, os.environ)
        if answer:
            sys.stdout.buffer.write(answer.encode("utf-8", "replace"))
            sys.stdout.buffer.flush()
    except BaseException as error:  # noqa: BLE001 (a hook must never fail)
        sys.pycache_prefix = os.devnull  # a compiled module may be cut short
        from hooks.errors import note

        if note(os.environ, "", error):
            main(raw)
    finally:
        # Also of an error in noting one. Skip the teardown; all files are closed.
        os._exit(0)


if __name__ == "__main__":
    main()
