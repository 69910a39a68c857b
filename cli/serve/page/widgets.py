"""Elements of the page: plain text, a button, and two lists as Vue components of our own.

Drag is the browser's own (HTML5 drag events), in both lists. NiceGUI's sortable moves an element
out of one list into another; here a session stays in the tree and a copy of its key is dropped,
the server decides the order, and Vue redraws by key, so that focus stays where the person is. A
touch screen has no such drag: there, and by keyboard, the buttons do the same.

Invariant: a component shows its props, as text; it changes nothing by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cli.serve.page.selection import Selection

__all__ = ["ConversationView", "SelectionList", "Text", "Tree", "button"]


class Text(TextElement):
    """An element of any tag that holds text."""

    def __init__(self, tag: str, text: str = "") -> None:
        super().__init__(tag=tag, text=text)


def button(text: str, act: Callable[[], Any] | None = None, *, main: bool = False) -> ui.button:
    """Build a button in the page's own colours."""
    made = ui.button(text, on_click=act, color=None).props("unelevated no-caps")
    return made.classes("j-btn is-main" if main else "j-btn")


class Tree(Element, component="tree.js"):
    """Rows of sessions and groups.

    on_open(id), on_toggle(id): read a session, select it; on_expand(id): of any other row.
    """

    def __init__(
        self,
        label: str,
        on_open: Callable[[str], Any],
        on_toggle: Callable[[str], Any],
        on_expand: Callable[[str], Any],
    ) -> None:
        super().__init__()
        self.props["label"] = label
        self.props["rows"] = []
        self.on("open", lambda event: on_open(str(event.args)))
        self.on("toggle", lambda event: on_toggle(str(event.args)))
        self.on("expand", lambda event: on_expand(str(event.args)))

    def show(self, rows: Sequence[dict[str, Any]]) -> None:
        """Show these rows."""
        self.props["rows"] = list(rows)
        self.update()

    def set_busy(self, *, busy: bool) -> None:
        """Show that rows are being fetched."""
        self.props["busy"] = busy
        self.update()


class ConversationView(Element, component="reader.js"):
    """A conversation. on_details(use): a tool call is opened; on_more(): more rows are wanted."""

    def __init__(self, on_details: Callable[[str], Any], on_more: Callable[[], Any]) -> None:
        super().__init__()
        self.props["rows"] = []
        self.props["more"] = ""
        self.on("details", lambda event: on_details(str(event.args)))
        self.on("more", lambda _: on_more())

    def show(self, rows: Sequence[dict[str, Any]], more: str, *, goal: int = -1) -> None:
        """Show these rows. more: what the button for further ones says; goal: row to scroll to."""
        self.props["rows"] = list(rows)
        self.props["more"] = more
        self.props["goal"] = goal
        self.update()


class SelectionList(Element, component="selection.js"):
    """The selected sessions. on_insert(key, at), on_move(key, by), on_remove(key)."""

    def __init__(
        self,
        label: str,
        on_insert: Callable[[str, int], Any],
        on_move: Callable[[str, int], Any],
        on_remove: Callable[[str], Any],
    ) -> None:
        super().__init__()
        self.props["label"] = label
        self.props["items"] = []
        self.props["empty"] = ""
        self.on("insert", lambda event: on_insert(str(event.args[0]), int(event.args[1])))
        self.on("move", lambda event: on_move(str(event.args[0]), int(event.args[1])))
        self.on("remove", lambda event: on_remove(str(event.args)))

    def show(self, selection: Selection, empty: str) -> None:
        """Show a selection, or the sentence for an empty one."""
        self.props["items"] = [item._asdict() for item in selection]
        self.props["empty"] = empty
        self.update()
