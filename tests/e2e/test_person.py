"""What the person decides in a terminal: a plan they approve, a call they refuse."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from . import logbook as names
from .api import call
from .client import PATIENCE
from .terminal import PROMPT, Terminal

if TYPE_CHECKING:
    from .api import Api
    from .client import Client
    from .logbook import Logbook

pytestmark = pytest.mark.client

PLAN = """# Rounding moves into money.py

## Context
- Totals are off by a cent

## Approach
1. Add money.py
2. Call it from cart.total

## Not in scope
- Discounts
"""
PUSH = "git push --force origin main"


def press_until(terminal: Terminal, key: str, text: str) -> None:
    """Press a key until a text is on the screen: a dialog may ignore keys while it opens."""
    for _ in range(10):
        terminal.press(key)
        with suppress(AssertionError):
            terminal.wait_for(text, PATIENCE / 10)  # on a loaded machine a key takes seconds
            return
    terminal.wait_for(text, 0)


def rewind(terminal: Terminal, listed: str, gone: str) -> None:
    """Rewind the conversation to the prompt that the dialog lists so; `gone` is not shown then."""
    terminal.enter("/rewind")
    terminal.wait_for("Restore the code")
    press_until(terminal, "Up", listed)
    terminal.press("Enter")
    terminal.wait_for("Restore conversation")
    terminal.press("Enter")
    terminal.wait_until(lambda: gone not in terminal.screen, "the rewind")
    terminal.wait_until(lambda: bool(terminal.box), "the prompt, to be edited")
    terminal.press("C-u")
    terminal.wait_until(lambda: not terminal.box, "the prompt stays")


def test_a_plan_and_a_refusal_outlive_a_compaction(
    client: Client, api: Api, logbook: Logbook, tmux: None
) -> None:
    """Claude Code gives the plan back; the journal says that it was approved, and what was not."""
    with Terminal(client, "--permission-mode", "plan") as terminal:
        terminal.enter("Plan how to round prices in one place")
        api.wait_for(1)
        (path,) = set(re.findall(r"/\S+/\.claude/plans/\S+?\.md", api.talk[0].text))
        api.script(
            call("Write", file_path=path, content=PLAN),
            call("ExitPlanMode"),
            call("Bash", command=PUSH, description="push"),
        )
        terminal.enter("write the plan down")
        terminal.wait_for("Would you like to proceed?")
        press_until(
            terminal, "Down", f"{PROMPT} 2. Yes"
        )  # approve the plan, and each edit by itself
        terminal.press("Enter")
        terminal.wait_for("Do you want to proceed?")
        press_until(terminal, "Down", f"{PROMPT} 2. Yes")  # from here on it takes keys
        terminal.press("Escape")
        terminal.wait_for("Interrupted")
        terminal.enter("/compact")
        terminal.wait_for("Compacted")
        terminal.enter("go on then")
        api.wait_for(5)
        terminal.enter("/exit")
    (sid,) = logbook.sids()
    (done,) = [event for event in logbook.events("tool.finished") if "plan" in event]
    assert done["plan"] == ["Rounding moves into money.py", "1. Add money.py",
                            "2. Call it from cart.total"]  # fmt: skip
    (text,) = client.context_texts(sid, "SessionStart")
    assert f'Plan the user approved: "Rounding moves into money.py" ({path})' in text
    assert f'Calls the user refused or interrupted:\n- "Bash {PUSH}"' in text
    assert "Files changed" not in text
    assert "2. Call it from cart.total" not in text
    assert api.last.count("2. Call it from cart.total") == 1


def test_a_rewind_to_the_first_prompt(
    client: Client, api: Api, logbook: Logbook, tmux: None
) -> None:
    """What preceded it is told no more than what any other rewind takes out."""
    with Terminal(client) as terminal:
        api.script("One.", "Two.", "Three.", "Four.")
        terminal.enter("Create the parser with ALPHA-1 and keep it small")
        terminal.wait_for("One.")
        terminal.enter("Now use BETA-2 from the library")
        terminal.wait_for("Two.")
        rewind(terminal, f"  {PROMPT} Create the parser", "One.")
        terminal.enter("Write the docs with GAMMA-3 now")
        terminal.wait_for("Three.")
        terminal.enter("And their names")
        terminal.wait_for("Four.")
        terminal.enter("/compact")
        terminal.wait_for("Compacted")
        terminal.enter("/exit")
    (sid,) = logbook.sids()
    (text,) = client.context_texts(sid, "SessionStart")
    assert "GAMMA-3" in text
    assert "ALPHA-1" not in text
    assert "BETA-2" not in text


def test_prompts_typed_while_claude_works(
    client: Client, api: Api, logbook: Logbook, tmux: None
) -> None:
    """Each is one prompt in the log, whichever turn Claude Code names in the hook's input."""
    typed = ["Run the long test", "also use decimals", "and name them", "then the docs", "last one"]

    def recorded() -> list[str]:
        return [event[names.TEXT] for event in logbook.events("prompt.submitted")]

    with Terminal(client, "--permission-mode", "default", "--allowedTools", "Bash") as terminal:
        slow = call("Bash", command="sleep 2", description="d")
        api.script(slow, "One.", slow)
        for text in typed:
            terminal.enter(text)
        terminal.wait_until(lambda: set(typed) <= set(recorded()), "the last prompt")
        terminal.wait_until(lambda: "esc to interrupt" not in terminal.screen, "its turn's end")
        terminal.enter("/exit")
        terminal.wait_until(lambda: bool(logbook.events("session.ended")), "the end")
    (sid,) = logbook.sids()
    client.say("resumed", sid)
    assert sorted(recorded()) == sorted([*typed, "resumed"])


def test_a_rewind_outlives_a_compaction(
    client: Client, api: Api, logbook: Logbook, tmux: None
) -> None:
    """What /rewind took out of the conversation is not told again."""
    with Terminal(client) as terminal:
        api.script("One.", "Two.", "Three.", "Four.")
        terminal.enter("Create the parser with ALPHA-1 and keep it small")
        terminal.wait_for("One.")
        terminal.enter("Delete the parser again and use BETA-2 from the library")
        terminal.wait_for("Two.")
        rewind(terminal, f"{PROMPT} Delete the parser", "Two.")
        terminal.enter("Write the tests of the parser with GAMMA-3 now")
        terminal.wait_for("Three.")
        terminal.enter("And their names")  # the transcript may lack a turn's end until the next
        terminal.wait_for("Four.")
        terminal.wait_until(lambda: bool(logbook.events("prompts.withdrawn")), "the comparison")
        terminal.enter("/compact")
        terminal.wait_for("Compacted")
        terminal.enter("/exit")
    (event,) = logbook.events("prompts.withdrawn")
    assert event["withdrawn"] == ["Delete the parser again and use BETA-2 from the library", "Two."]
    (sid,) = logbook.sids()
    (text,) = client.context_texts(sid, "SessionStart")
    assert "ALPHA-1" in text
    assert "GAMMA-3" in text
    assert "BETA-2" not in text
