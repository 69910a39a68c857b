"""The work around a compaction: what is taken out of a work file."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World


def test_bytes_that_are_no_text_are_marked_in_the_journal(make_world: Callable[..., World]) -> None:
    """A trimmed entry has U+FFFD where the file has bytes that are not UTF-8, as every record."""
    world = make_world(inline=True)
    path = world.flow(11)
    path.write_bytes(path.read_bytes().rstrip(b"\n") + b" caf\xe9\n")
    world.start()
    world.compact()
    assert "caf\ufffd" in world.one("flow.trimmed")["text"]
