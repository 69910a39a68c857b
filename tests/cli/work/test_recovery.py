"""What a compaction gives back of a session: save points and the recovery view."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.work.steps import begin

if TYPE_CHECKING:
    from tests.cases.world import World


def test_a_checkpoint_is_saved_with_its_unit(shop: World) -> None:
    """Its summary comes back after a compaction, and later automatic ones keep it."""
    begin(shop)
    said = shop.run("checkpoint", "--summary", "Create and Read work", "--json")
    event = shop.one("checkpoint.saved")
    assert said.data["checkpoint_id"] == f"cp-{event['seq']}"
    assert (event["cause"], event["unit"]) == ("asked", "user-entity")
    assert "Create and Read work" in shop.compact().context
    view = shop.view("recovery")
    assert view["summary"] == "Create and Read work"
    assert view["checkpoint_id"] == f"cp-{shop.one('checkpoint.saved')['seq']}"
    assert shop.one("checkpoint.saved")["cause"] == "compact"


@pytest.mark.parametrize(
    "words",
    [("Now", "Update"), ("-",), ("--summary", "Now Update"), ("--summary", "-")],
)
def test_ways_to_give_the_text_of_a_checkpoint(shop: World, words: tuple[str, ...]) -> None:
    """The text is words after the command, --summary, or stdin for -."""
    shop.run("checkpoint", *words, stdin="Now\nUpdate\n")
    assert shop.view("recovery")["summary"] == "Now Update"


def test_two_texts_of_a_checkpoint(shop: World) -> None:
    """A text given in both ways is a usage error."""
    assert shop.run("checkpoint", "now", "--summary", "later").code == 2
