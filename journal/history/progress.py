"""The callback type by which long operations report progress to a person."""

from collections.abc import Callable

Progress = Callable[[str], None]
"""Called with a message for the user."""


def ignore_progress(_message: str) -> None:
    """Drop a message: the default where nobody waits."""
