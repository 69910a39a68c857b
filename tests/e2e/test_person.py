"""What the person decides in a terminal: a plan they approve, a call they refuse."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

import pytest

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


def press_until(terminal: Terminal, key: str, text: str) -> None:
    """Press a key until a text is on the screen: a dialog ignores the first keys after it opens."""
    for _ in range(20):
        terminal.press(key)
        time.sleep(0.5)
        if text in terminal.screen:
            return
    terminal.wait_for(text, 0)


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
        press_until(terminal, "Escape", "Interrupted")
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
    assert f'Plan the person approved: "Rounding moves into money.py" ({path})' in text
    assert f'Calls the person refused:\n- "Bash {PUSH}"' in text
    assert "Files changed" not in text
    assert "2. Call it from cart.total" not in text
    assert api.last.count("2. Call it from cart.total") == 1
