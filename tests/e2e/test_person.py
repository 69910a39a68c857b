"""What the person decides in a terminal: a plan they approve, a call they refuse."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from . import logbook as names
from .api import call
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


def rewind(terminal: Terminal, listed: str, gone: str) -> None:
    """Rewind the conversation to the prompt that the dialog lists so; `gone` is not shown then."""
    terminal.enter("/rewind")
    terminal.wait_for("Restore the code")
    terminal.press_until(lambda: listed in terminal.screen, ("Up",))
    terminal.press_until(lambda: "Restore conversation" in terminal.screen, ("Enter",))
    terminal.press_until(lambda: "Restore conversation" not in terminal.screen, ("Enter",))
    terminal.wait_until(lambda: gone not in terminal.screen, "the rewind")
    terminal.wait_until(lambda: bool(terminal.box), "the prompt, to be edited")
    terminal.press_until(lambda: not terminal.box, ("C-u",))


def test_a_plan_and_a_refusal_outlive_a_compaction(
    client: Client, api: Api, logbook: Logbook, tmux: None
) -> None:
    """Claude Code gives the plan back; the journal says that it was approved, and what was not."""
    with Terminal(client, "--permission-mode", "plan") as terminal:
        api.script("It needs one file.")
        terminal.enter("Plan how to round prices in one place")
        terminal.wait_for("It needs one file.")
        (path,) = set(re.findall(r"/\S+/\.claude/plans/\S+?\.md", api.talk[0].text))
        api.script(
            call("Write", file_path=path, content=PLAN),
            call("ExitPlanMode"),
            call("Bash", command=PUSH, description="push"),
        )
        terminal.enter("write the plan down")
        terminal.wait_for("Would you like to proceed?")
        # Approve the plan, and each edit by itself.
        terminal.press_until(lambda: f"{PROMPT} 2. Yes" in terminal.screen, ("Down",))
        terminal.press_until(lambda: "Do you want to proceed?" in terminal.screen, ("Enter",))
        terminal.press_until(lambda: f"{PROMPT} 2. Yes" in terminal.screen, ("Down",))
        terminal.press_until(lambda: "Interrupted" in terminal.screen, ("Escape",))
        terminal.enter("/compact")
        terminal.wait_for("Compacted")
        ended = logbook.counts()["turn.ended"]
        terminal.enter("go on then")
        terminal.wait_until(lambda: logbook.counts()["turn.ended"] > ended, "the last turn")
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


@pytest.mark.long
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
        done = {count: client.root / f"typed-{count}" for count in (2, 5)}
        slow = [
            call("Bash", command=f"until [ -e {path} ]; do sleep 0.1; done", description="d")
            for path in done.values()
        ]
        api.script(slow[0], "One.", slow[1])
        for count, text in enumerate(typed, 1):
            terminal.enter(text)
            if count in done:
                done[count].touch()
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
