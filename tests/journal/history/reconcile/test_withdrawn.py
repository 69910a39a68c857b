"""What a rewind or another hook took out of a session is in none of its texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.history.replay.run import replay_all
from projections.digest import title_of
from projections.summary import summarize
from tests.journal.history.reconcile.recorded import Recorded

if TYPE_CHECKING:
    from pathlib import Path

    from projections.digest import Digest

WRONG = "Delete the parser and use BETA-2 from the library."
RIGHT = "Write the tests of the parser with GAMMA-3 now."
REFUSED = "UserPromptSubmit operation blocked by hook:\n[x]: no\n\nOriginal prompt: "


@pytest.fixture
def world(tmp_path: Path) -> Recorded:
    """Return a world with a session whose first answer is line "a0"."""
    world = Recorded(tmp_path / "world", inline=True)
    world.start()
    world.line("assistant", [{"type": "text", "text": "Hello."}], uuid="a0")
    return world


def ask(world: Recorded, text: str, after: str) -> None:
    """Do a turn whose prompt follows line `after`."""
    world.prompt(text)
    world.after(seconds=1).line("user", text, parentUuid=after)
    world.answer(f"Answered: {text}")


def block(world: Recorded, text: str) -> None:
    """Submit a prompt that another plugin's hook blocks."""
    world.prompt(text)
    world.after(seconds=1).line("system", subtype="informational", notice=REFUSED + text)


def digest_of(world: Recorded) -> Digest:
    """Return the session's digest."""
    found: Digest = (
        replay_all(str(world.directory), ("digests",)).states["digests"].sessions[world.sid]
    )
    return found


def test_a_rewind_without_a_compaction(world: Recorded) -> None:
    """Title, digest and summary leave it out, although each turn was compared on its own."""
    ask(world, WRONG, "a0")
    world.reconcile()
    assert title_of(digest_of(world)) == WRONG
    ask(world, RIGHT, "a0")
    assert len(world.reconcile()) == 1
    assert world.reconcile() == []
    digest = digest_of(world)
    assert title_of(digest) == RIGHT
    assert digest.messages == [f"Answered: {RIGHT}"]
    assert "BETA-2" not in summarize(digest).summary


def test_a_rewind_to_the_first_prompt(world: Recorded) -> None:
    """It has no line to follow; Claude Code marks the prompt after it, as after other rewinds."""
    ask(world, "Say hello.", "a0")
    ask(world, WRONG, "a1")
    world.reconcile()
    world.prompt(RIGHT)
    world.after(seconds=1).line("user", RIGHT, parentUuid="a2")
    world.line("last-prompt", leafUuid="00000000-0000-0000-0000-000000000000", explicit=True)
    world.answer(f"Answered: {RIGHT}")
    world.reconcile()
    assert world.reconcile() == []
    digest = digest_of(world)
    assert (title_of(digest), digest.prompts) == (RIGHT, [RIGHT])
    ask(world, WRONG, "a3")
    ask(world, "Now the names.", "a3")
    world.line("last-prompt", leafUuid="00000000-0000-0000-0000-000000000000", explicit=True)
    world.answer("Named.")
    world.reconcile()
    assert digest_of(world).prompts == [RIGHT, "Now the names."]


def test_a_blocked_prompt_without_a_compaction(world: Recorded) -> None:
    """A prompt that Claude never saw is neither title nor request."""
    block(world, WRONG)
    ask(world, RIGHT, "a0")
    world.reconcile()
    digest = digest_of(world)
    assert (title_of(digest), digest.prompts) == (RIGHT, [RIGHT])


def test_a_blocked_prompt_that_was_sent_again(world: Recorded) -> None:
    """A prompt that reached Claude at the second attempt is a request."""
    block(world, RIGHT)
    ask(world, RIGHT, "a0")
    assert world.reconcile() == []
    assert title_of(digest_of(world)) == RIGHT


def test_a_log_of_no_prompts_gets_none(world: Recorded) -> None:
    """Where prompts are not stored, no withdrawn ones are stored either."""
    block(world, WRONG)
    ask(world, RIGHT, "a0")
    before = len(world.events())
    world.reconcile(level="minimal")
    assert "BETA-2" not in str(world.events()[before:])
