"""The state of one browser tab, and the line in which a pane reports what happened.

Invariant: a tab writes only after its browser has sent the token; an error is shown in the pane it
concerns, and work with files runs in a thread, so that no tab blocks another.
"""

from collections.abc import Callable, Mapping
from typing import Any

from nicegui import Event, run, ui

from cli.serve.data.service import Service
from cli.serve.data.spent import Spent
from cli.serve.page.selection import Selection, toggle
from cli.serve.page.session_rows import ListEntry
from cli.serve.page.text import describe_error

READ_ONLY = (
    "Read only: this page was opened without its token, so nothing can be saved or sent. "
    "Open the address that journal serve printed."
)
IMPORTING = (
    "Importing past sessions from Claude Code's transcripts in the background; "
    "they are listed here as they come in."
)
UNKNOWN_USER = (
    "This system does not say which user opened this page, so the page needs its token. "
    "Open the address that journal serve printed."
)


class PageState:
    """What the panes of a tab share.

    can_write: the browser sent the token; entries: the sessions shown so far, by key. selection:
    keys of the chosen ones, in order. reading: key of the session that is open, "" for none. spent:
    what sessions cost, by key; None until that is read.
    """

    def __init__(self, service: Service) -> None:
        self.service = service
        self.can_write = False
        self.selection: Selection = ()
        self.entries: dict[str, ListEntry] = {}
        self.reading = ""
        self.spent: dict[str, Spent] | None = None
        self.selection_changed: Event[[]] = Event()
        self.reading_changed: Event[[]] = Event()
        self.spent_changed: Event[[]] = Event()

    def select(self, selection: Selection) -> bool:
        """Replace the selected sessions; return whether that changes them or their order."""
        if selection == self.selection:
            return False
        self.selection = selection
        self.selection_changed.emit()
        return True

    def toggle(self, key: str) -> None:
        """Select a session that was shown, or remove it from the selection."""
        if key in self.entries:
            self.select(toggle(self.selection, key))

    def title_of(self, key: str) -> str:
        """Return the title of a session that was shown, "" of any other."""
        entry = self.entries.get(key)
        return entry.label if entry else ""

    def read(self, key: str) -> None:
        """Open a session; "" closes the one that is open."""
        self.reading = key
        self.reading_changed.emit()

    def set_spent(self, spent: dict[str, Spent]) -> None:
        """Replace what sessions cost."""
        if spent != self.spent:
            self.spent = spent
            self.spent_changed.emit()


class StatusLine:
    """A line in a pane that says what happened. env: the server's environment."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self.env = env
        self.label = ui.label().classes("j-status").props("role=status aria-live=polite")

    def show(self, text: str, *, error: bool = False) -> None:
        """Show a text, "" for none."""
        self.label.classes(**{"add" if error else "remove": "j-bad"})
        self.label.set_text(text)

    async def run(self, work: Callable[..., Any], *args: Any, **named: Any) -> Any:
        """Run work in a thread and return its result; if it fails, show why and return None."""
        try:
            return await run.io_bound(work, *args, **named)
        except Exception as error:  # noqa: BLE001 - shown to the user, whatever it is
            self.show(describe_error(error, self.env), error=True)
            return None
