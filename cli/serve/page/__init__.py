"""The page of `journal serve`: find past sessions, combine them into packs, draw pressure.

Invariant: a text of a journal reaches the browser as text alone, never as markup, and the page
fetches nothing but from the server it came from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from nicegui import Client

    from cli.serve.data.service import Service
    from cli.serve.token import Token

# A sawtooth: how the context of a session fills and is compacted.
_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">'
    '<rect width="32" height="32" rx="7" fill="#0b5fcc"/>'
    '<path d="M5 24 14 9v15l9-15v15l4-6" fill="none" stroke="#fff" stroke-width="3" '
    'stroke-linejoin="round" stroke-linecap="round"/></svg>'
)

UNCONNECTED = 20  # pages built for browsers that have not connected yet


def add_page(service: Service, token: Token) -> None:
    """Register the page "/" with NiceGUI; once in a process. ImportError without the extra."""
    from nicegui import Client, ui

    from cli.serve.page.layout import build_page

    async def page() -> None:
        for client in surplus(Client.instances.values()):
            client.delete()
        await build_page(service, token)

    # A page left behind is dropped after seconds; one that nobody connects to after a minute.
    ui.page("/", title="Journal", language="en-US", favicon=_ICON)(page)


def surplus(pages: Iterable[Client]) -> list[Client]:
    """Return the pages to drop, oldest first: unconnected ones beyond the limit."""
    waiting = [page for page in pages if page.environ is None]
    return waiting[: max(0, len(waiting) - UNCONNECTED)]
