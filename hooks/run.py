"""Entry of every hook: `python3 -I -S hooks/run.py`, the hook's input on stdin.

With the argument `background` it is the second handler of a start, which nobody waits for; with
`permit` it answers whether the plugin's own command may run.

Invariant: exit 0 on every path, and nothing on stdout but a whole answer: stray output would
become the model's context.
"""

from __future__ import annotations

import gc
import os
import sys

# Under -I nothing of the user's is on the path, and nothing may be before this package.
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def _other(raw: bytes) -> str:
    if sys.argv[1] == "permit":
        from hooks.permit import permit

        return permit(raw, os.environ)
    from hooks.background import run_background

    os.nice(10)
    run_background(raw, os.environ)
    return ""


def main() -> None:
    """Read, capture, perhaps answer; or do what can be done in the background."""
    # A hook lives for milliseconds: collecting cycles would cost an answer 6 % and free nothing.
    gc.disable()
    try:
        raw = sys.stdin.buffer.read()
        if sys.argv[1:]:
            answer = _other(raw)
        else:
            from hooks.capture import capture

            answer = capture(raw, os.environ)
        if answer:
            sys.stdout.buffer.write(answer.encode("utf-8", "replace"))
            sys.stdout.buffer.flush()
    except BaseException as error:  # noqa: BLE001 (a hook never harms)
        try:
            from hooks.errors import note

            note(os.environ, "", error)
        except BaseException:  # noqa: BLE001, S110 (there is nowhere left to report to)
            pass
    finally:
        # Skips the interpreter's teardown; all files are closed by then.
        os._exit(0)


if __name__ == "__main__":
    main()
