"""The project, settings and clock of a hook call."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from hooks.context import Context, is_switched_off

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World


@pytest.mark.parametrize(
    ("env", "headless"),
    [({}, False), ({"CLAUDE_CODE_SESSION_ATTENDED": "1"}, False),
     ({"CLAUDE_CODE_SESSION_ATTENDED": "0"}, True), ({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, True),
     ({"CLAUDE_CODE_ENTRYPOINT": "cli"}, False)],
)  # fmt: skip
def test_where_the_person_sees_messages(
    make_world: Callable[..., World], env: dict[str, str], headless: bool
) -> None:
    """With -p or an SDK a start shows nothing, so the first prompt carries its messages."""
    world = make_world()
    context = Context({**world.env(), **env}, str(world.project))
    assert context.headless is headless
    assert context.visible_hook == ("UserPromptSubmit" if headless else "SessionStart")


@pytest.mark.parametrize(("level", "records"), [("full", True), ("minimal", True), ("off", False)])
def test_a_project_may_switch_recording_off(
    make_world: Callable[..., World], level: str, records: bool
) -> None:
    """`capture.level` decides, also in the project's own file."""
    world = make_world()
    (world.project / ".claude").mkdir()
    (world.project / ".claude" / "journal.toml").write_text(f'[capture]\nlevel = "{level}"\n')
    assert Context(world.env(), str(world.project)).records is records


def test_the_clock_is_fixed_by_the_environment(make_world: Callable[..., World]) -> None:
    """JOURNAL_NOW gives the time; measurements that would differ are then left out."""
    world = make_world()
    context = Context(world.env(), str(world.project))
    assert (context.fixed, context.iso) == (True, "2026-11-21T09:00:00.000Z")
    assert not Context({**world.env({"JOURNAL_NOW": None})}, str(world.project)).fixed


@pytest.mark.parametrize(("value", "off"), [("", False), ("0", False), ("1", True), ("no", True)])
def test_journal_off(value: str, off: bool) -> None:
    """Any value but an empty one and 0 switches the hooks off."""
    assert is_switched_off({"JOURNAL_OFF": value}) is off
    assert not is_switched_off({})
