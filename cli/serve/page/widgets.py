"""What the page is made of: plain text, a button, and its two lists as Vue components of our own.

Drag is the browser's own (HTML5 drag events), in both lists alike. The toolkit's sortable moves an
element out of one list into another; here a session stays in the tree and a copy of its key is
dropped, the server decides what then stands where, and Vue redraws by key, so focus stays where
the person is. A touch screen has no such drag: there, and by keyboard, the buttons do the same.

Invariant: what a component shows is its props, as text; it changes nothing by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cli.serve.page.basket import Basket

__all__ = ["Text", "Tray", "Tree", "button"]


class Text(TextElement):
    """An element of any tag that holds text."""

    def __init__(self, tag: str, text: str = "") -> None:
        super().__init__(tag=tag, text=text)


def button(text: str, act: Callable[[], Any] | None = None, *, main: bool = False) -> ui.button:
    """Make a button in the page's own colours."""
    made = ui.button(text, on_click=act, color=None).props("unelevated no-caps")
    return made.classes("j-btn is-main" if main else "j-btn")


class Tree(Element, component="tree.js"):
    """Rows of `tree.browse` or `tree.found`. pick(id) is called for a session, flip(id) else."""

    def __init__(self, label: str, pick: Callable[[str], Any], flip: Callable[[str], Any]) -> None:
        super().__init__()
        self.props["label"] = label
        self.props["rows"] = []
        self.on("pick", lambda event: pick(str(event.args)))
        self.on("flip", lambda event: flip(str(event.args)))

    def show(self, rows: Sequence[dict[str, Any]]) -> None:
        """Show these rows."""
        self.props["rows"] = list(rows)
        self.update()

    def busy(self, *, on: bool) -> None:
        """Say that rows are being fetched."""
        self.props["busy"] = on
        self.update()


class Tray(Element, component="tray.js"):
    """The sessions of a basket. place(key, at), shift(key, by) and remove(key) are called."""

    def __init__(
        self,
        label: str,
        place: Callable[[str, int], Any],
        shift: Callable[[str, int], Any],
        remove: Callable[[str], Any],
    ) -> None:
        super().__init__()
        self.props["label"] = label
        self.props["items"] = []
        self.props["empty"] = ""
        self.on("place", lambda event: place(str(event.args[0]), int(event.args[1])))
        self.on("shift", lambda event: shift(str(event.args[0]), int(event.args[1])))
        self.on("remove", lambda event: remove(str(event.args)))

    def show(self, basket: Basket, empty: str) -> None:
        """Show a basket, or the sentence for an empty one."""
        self.props["items"] = [item._asdict() for item in basket]
        self.props["empty"] = empty
        self.update()
