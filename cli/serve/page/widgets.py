"""Elements of the page: plain text, a button, and two lists as Vue components of our own.

Both lists use the browser's own drag events. NiceGUI's sortable list moves an element from one list
to another; here a session stays in the tree, its key is dropped, the server decides the order, and
Vue redraws by key, so that the focus stays. On a touch screen and by keyboard, buttons do the same.

Invariant: a component shows its props as text, and changes nothing by itself.
"""

from collections.abc import Callable
from typing import Any

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.text_element import TextElement

# In the browser: a page may copy only while it handles the user's own click.
_COPY = """async () => {
  const text = document.querySelector('SOURCE').textContent;
  let done = false;
  try { await navigator.clipboard.writeText(text); done = true; } catch {
    const area = Object.assign(document.createElement('textarea'), { value: text });
    const focused = document.activeElement;
    document.body.append(area); area.select();
    try { done = document.execCommand('copy'); } catch {}
    area.remove(); focused?.focus();
  }
  emit(done);
}"""


class Text(TextElement):
    """An element of any tag that holds text."""

    def __init__(self, tag: str, text: str = "") -> None:
        super().__init__(tag=tag, text=text)


def button(text: str, act: Callable[[], Any] | None = None, *, main: bool = False) -> ui.button:
    """Build a button in the page's own colours."""
    made = ui.button(text, on_click=act, color=None).props("unelevated no-caps")
    return made.classes("j-btn is-main" if main else "j-btn")


def choice(label: str, options: dict[str, str], act: Callable[[], Any], size: str) -> ui.select:
    """Build a list to choose one entry from. size: the CSS class that sets its width."""
    value = next(iter(options), None)
    made = ui.select(options, value=value, label=label, on_change=act)
    return made.props("outlined dense options-dense").classes(size)


def copy_button(source: str, show: Callable[[bool], Any]) -> ui.button:
    """Build a button that copies the text of an element. source: its selector.

    show: called with whether the browser allowed it.
    """
    made = button("Copy")
    script = _COPY.replace("SOURCE", source)
    made.on("click", lambda event: show(event.args is True), js_handler=script)
    return made


class _Component(Element):
    """A Vue component of our own that shows its props."""

    def set(self, **props: Any) -> None:
        """Give it these props."""
        self.props.update(props)
        self.update()


class Tree(_Component, component="tree.js"):
    """Rows of sessions and groups.

    on_open(id), on_toggle(id): read a session, select it; on_expand(id): of any other row.
    Props: rows; of: names what the rows show, such as a search: another one begins at the top;
    busy: whether rows are being fetched.
    """

    def __init__(
        self,
        label: str,
        on_open: Callable[[str], Any],
        on_toggle: Callable[[str], Any],
        on_expand: Callable[[str], Any],
    ) -> None:
        super().__init__()
        self.props.update(label=label, rows=[])
        self.on("open", lambda event: on_open(str(event.args)))
        self.on("toggle", lambda event: on_toggle(str(event.args)))
        self.on("expand", lambda event: on_expand(str(event.args)))


class ConversationView(_Component, component="reader.js"):
    """A conversation. on_details(use): a tool call is opened; on_more(): more rows are wanted.

    Props: rows; more: label of the button for further rows; load: number that changes when the rows
    are of another reading, so that none of their parts is open; goal: (row to scroll to, number of
    the jump), a row of -1 for none.
    """

    def __init__(self, on_details: Callable[[str], Any], on_more: Callable[[], Any]) -> None:
        super().__init__()
        self.props.update(rows=[], more="")
        self.on("details", lambda event: on_details(str(event.args)))
        self.on("more", lambda _: on_more())


class SelectionList(_Component, component="selection.js"):
    """The selected sessions. on_insert(key, at), on_move(key, by), on_remove(key).

    empty: the sentence for none. Props: items: the selected ones as objects.
    """

    def __init__(
        self,
        label: str,
        empty: str,
        on_insert: Callable[[str, int], Any],
        on_move: Callable[[str, int], Any],
        on_remove: Callable[[str], Any],
    ) -> None:
        super().__init__()
        self.props.update(label=label, items=[], empty=empty)
        self.on("insert", lambda event: on_insert(str(event.args[0]), int(event.args[1])))
        self.on("move", lambda event: on_move(str(event.args[0]), int(event.args[1])))
        self.on("remove", lambda event: on_remove(str(event.args)))
