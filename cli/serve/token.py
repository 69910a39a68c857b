"""The token a write needs: made at each start, stored in a file only the user can read.

How the page gets it: `journal serve` prints the page's address with `#token=…` behind it. A browser
never sends that part, so the token is in no request line, log or Referer; the page's script
(`TAB_SCRIPT`) moves it into the tab's own storage, which belongs to this very host and port, and
removes it from the address. A cookie would be sent to every server on 127.0.0.1, whatever its port.

Invariant: the token is compared in constant time, and is gone from the disk when the server stops.
"""

import hmac
import os
import re
import secrets
from collections.abc import Mapping
from contextlib import suppress

from journal.errors import UsageError
from journal.home import ensure_directory
from journal.replace_file import write_atomic

ENV = "JOURNAL_SERVE_TOKEN"

TAB_SCRIPT = """
(() => {
  const key = 'journal-token';
  const found = /^#token=([A-Za-z0-9_-]+)$/.exec(window.location.hash);
  if (found) {
    window.sessionStorage.setItem(key, found[1]);
    window.history.replaceState(null, '', window.location.pathname + window.location.search);
  }
  return window.sessionStorage.getItem(key) || '';
})()
"""
"""Run in the page: returns the token of the tab, "" for none."""


class Token:
    """The token of a running server. path: its file, "" before it is written."""

    def __init__(self, value: str) -> None:
        self.value = value
        self.path = ""

    def matches(self, given: object) -> bool:
        """Return whether `given` is the token, in a time that does not depend on how much is."""
        if not isinstance(given, str) or not given:
            return False
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.value.encode())

    def write_file(self, home: str, port: int) -> str:
        """Write it to a file (0600) for scripts of this user; return the path."""
        directory = os.path.join(home, "cache")
        ensure_directory(directory)
        self.path = os.path.join(directory, f"serve-{port}.token")
        write_atomic(self.path, f"{self.value}\n".encode("ascii"))
        return self.path

    def write_page(self, address: str) -> str:
        """Write a page (0600) that redirects to the server's with the token; return the path."""
        path = self.path + ".html"
        page = f'<meta http-equiv="refresh" content="0;url={address}/#token={self.value}">'
        write_atomic(path, page.encode("ascii"))
        return path

    def remove_files(self) -> None:
        """Remove the files."""
        if self.path:
            for path in (self.path, self.path + ".html"):
                with suppress(OSError):
                    os.unlink(path)
            self.path = ""


def new_token(env: Mapping[str, str]) -> Token:
    """Return the token given by JOURNAL_SERVE_TOKEN, else a new one."""
    value = env.get(ENV, "")
    if not value:
        return Token(secrets.token_urlsafe(24))
    if not re.fullmatch(r"[A-Za-z0-9_-]{16,}", value):
        raise UsageError(f"{ENV} is not a token", "at least 16 letters, digits, - or _")
    return Token(value)
