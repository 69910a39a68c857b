"""The complete list of our modules that a hook loads if it only records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.contract.test_imports import loaded

if TYPE_CHECKING:
    from tests.cases.world import World

ALWAYS = {
    "hooks", "hooks.capture", "hooks.context", "hooks.reading",
    "journal", "journal.checkpoint", "journal.clock", "journal.codec", "journal.errors",
    "journal.files", "journal.home",
    "journal.config",
    "journal.events", "journal.events.hook_input",
    "journal.log", "journal.log.append", "journal.log.record",
    "journal.redaction",
    "journal.redaction.markers",
    "projections", "projections.prefilter",
}  # fmt: skip
"""Modules of every call: input, facts, the log, redaction, the prefilter."""

TOOL = {"journal.events.hook_input.tool"}
READING = {f"journal.transcript{name}" for name in ("", ".threshold", ".usage")}


def ours(names: set[str]) -> set[str]:
    """Return those of the modules that belong to the product."""
    return {name for name in names if name.partition(".")[0] in ("hooks", "journal", "projections")}


def test_a_tool_call(inline: World) -> None:
    """A tool call below the info level also loads what takes a reading from the transcript."""
    inline.start()
    inline.reading(45)
    inline.prompt()
    names, answer = loaded(inline, inline.tool)
    assert answer == ""
    assert ours(names) == ALWAYS | TOOL | READING


def test_the_end_of_a_session(inline: World) -> None:
    """The end of a session loads only what the log needs."""
    inline.start()
    inline.prompt()  # the first call had no journal in which to store its settings
    names, answer = loaded(inline, inline.end)
    assert answer == ""
    assert ours(names) == ALWAYS | {"hooks.facts", "journal.events.hook_input.session"}
