"""Installing the journal as a plugin of the client, and taking it away again.

Plain functions that answer with data; the application prints it. Invariant: what setup wrote is
known and undone by uninstall, and the journal itself is never part of that.
"""

from __future__ import annotations

from cli.install.installing import setup
from cli.install.model import Options, Result, Step
from cli.install.removing import uninstall

__all__ = ["Options", "Result", "Step", "setup", "uninstall"]
