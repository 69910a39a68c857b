"""One visit of the page: what it may do, what lies in its context area, how it asks the model.

Invariant: a visit writes only after it has shown the token; what the journal refuses is told in
the pane it concerns, and nothing blocks the loop that all visits share.
"""

from __future__ import annotations

from inspect import isawaitable
from typing import TYPE_CHECKING, Any

from nicegui import background_tasks, run, ui

from cli.serve.place import ConflictError, MissingError
from journal.errors import JournalError

if TYPE_CHECKING:
    from collections.abc import Callable

    from cli.serve.model import Model
    from cli.serve.page.basket import Basket

__all__ = ["READ_ONLY", "Notice", "Visit"]

READ_ONLY = (
    "Read only: this page was opened without its token, so nothing can be saved or sent. "
    "Open the address that `journal serve` printed."
)


class Visit:
    """A browser tab. writes: it holds the token; dark: how it looks.

    heard: called when the basket is another one, painted: when the colours are. titles: of the
    sessions it has shown, by key.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.writes = False
        self.dark = False
        self.basket: Basket = ()
        self.titles: dict[str, str] = {}
        self.heard: list[Callable[[], Any]] = []
        self.painted: list[Callable[[], Any]] = []

    def keep(self, basket: Basket) -> bool:
        """Take a new basket; tell everyone if it is another one."""
        if basket == self.basket:
            return False
        self.basket = basket
        _call(self.heard)
        return True

    def paint(self, *, dark: bool) -> None:
        """Take over how the page looks."""
        self.dark = dark
        _call(self.painted)

    async def ask(self, work: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """Do work with files in a thread; raises what it raises."""
        return await run.io_bound(work, *args, **named)


def _call(listeners: list[Callable[[], Any]]) -> None:
    for listener in listeners:
        done = listener()
        if isawaitable(done):
            background_tasks.create(done)


class Notice:
    """A line in a pane that tells what happened; what failed is an alert."""

    def __init__(self) -> None:
        self.label = ui.label().classes("j-said").props("role=status aria-live=polite")

    def tell(self, text: str) -> None:
        """Tell something that went well, or nothing."""
        self.label.classes(remove="j-bad")
        self.label.set_text(text)

    def warn(self, text: str) -> None:
        """Tell something that did not go well."""
        self.label.classes("j-bad")
        self.label.set_text(text)

    def fail(self, error: Exception) -> None:
        """Tell what went wrong, with what can be done about it."""
        self.warn(words_of(error))


def words_of(error: Exception) -> str:
    """Put an error in a sentence."""
    if isinstance(error, (MissingError, ConflictError)):
        return error.what  # the remedy speaks of the API
    if isinstance(error, JournalError):
        return f"{error}: {error.remedy}" if error.remedy else str(error)
    return f"Something went wrong ({type(error).__name__}: {error}). `journal doctor` may know why."
