"""The doctor of the tests: it runs no hook, or times hooks once instead of seven times.

No test is about the figure, and each round is two processes.
"""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from cli.install import interpreter, probe

_COMPARE = interpreter.compare


def _once(*arguments: Any, **_rounds: int) -> interpreter.StartupCost:
    return _COMPARE(*arguments[:4], rounds=1)


def no_hook_run() -> Any:
    """Return a context in which no hook is run: for commands, as the tests of that row examine."""
    return patch.object(probe, "feed", lambda *_: interpreter.StartupCost(30.0, 15.0))


def one_round() -> Any:
    """Return a context in which hooks are timed once."""
    return patch.object(interpreter, "compare", _once)
