"""The console of `journal serve`: one line for what goes wrong, no traceback.

Invariant: whatever a request, a page or a lost connection causes, at most one line of it is
printed, escaped, and the same line at most once a minute; JOURNAL_DEBUG=1 adds the traceback.
"""

import logging
from collections.abc import Mapping

from cli.error import report, warn

_QUIET = 60.0  # seconds until the same line is printed again
_LIMIT = 300  # characters of a line


class Lines(logging.Handler):
    """Print each warning and error of the server and its libraries as a line."""

    def __init__(self, env: Mapping[str, str]) -> None:
        super().__init__(logging.WARNING)
        self.env = env
        self.last = ("", 0.0)

    def emit(self, record: logging.LogRecord) -> None:
        """Print a record; a browser that went away is none."""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, ConnectionError):
            return
        text = repr(error) if error else (record.getMessage().splitlines() or [""])[0][:_LIMIT]
        if text == self.last[0] and record.created < self.last[1] + _QUIET:
            return
        self.last = (text, record.created)
        if error is None:
            warn(text)
        else:
            report(error, self.env)


def install_console(env: Mapping[str, str]) -> None:
    """Send what the server's libraries log to the console, a line each."""
    logging.basicConfig(handlers=[Lines(env)], level=logging.WARNING, force=True)
    logging.getLogger("nicegui").setLevel(logging.ERROR)  # it warns of every wrong address
