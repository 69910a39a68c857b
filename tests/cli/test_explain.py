"""Why a hook answered or stayed silent: its messages' checks, as `journal explain` shows them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from journal.log.append import Writer
from projections.messages import HOOK_OF
from tests.cli.conftest import SID, START, Workspace

GOLDEN = Path(__file__).parent / "golden" / "explain.txt"


def write(workspace: Workspace, *events: dict[str, Any]) -> None:
    """Append events to the project's journal, one second apart."""
    workspace.journal("note", "begin", "--session", SID)
    with Writer(str(workspace.directory), START) as writer:
        for at, event in enumerate(events):
            ts = f"2026-11-21T09:{at // 60:02d}:{at % 60:02d}.000Z"
            writer.append({"v": 1, "sid": SID, "ts": ts, **event})


def sampled(tokens: int, **more: Any) -> dict[str, Any]:
    """Build a reading."""
    return {"type": "pressure.sampled", "tokens": tokens, "window": 200_000, "point": 167_000, "source": "transcript",
            "terms": [["window", "200000", "Claude Code"]], **more}  # fmt: skip


PROMPT = {"type": "prompt.submitted", "origin": "human", "text": "go on"}
TOLD = {
    "type": "advice.given",
    "what": "pressure",
    "level": "info",
    "tokens": 125_000,
    "point": 167_000,
    "hook": "UserPromptSubmit",
}
EDITED = {"type": "tool.finished", "tool": "Edit", "path": "cart.py", "changed": True}
ENDED = {"type": "turn.ended"}
URGENT = {**TOLD, "level": "urgent", "tokens": 160_000}

# earlier events, the event, the failed check (None: it speaks), its text
CASES: dict[str, tuple[list[dict[str, Any]], dict[str, Any], str | None, str]] = {
    "no reading": ([], PROMPT, "reading", "no reading of this session yet"),
    "below": ([sampled(100_000)], PROMPT, "level", "100,000 / 167,000 = 59.9% of the threshold; info from 72% (120,240)"),
    "at info": ([sampled(121_000)], PROMPT, None, ": info"),
    "told": ([sampled(125_000), TOLD, sampled(126_000)], PROMPT, "warned before", "info already"),
    "fell and rose": ([sampled(125_000), TOLD, sampled(90_000), sampled(126_000)], PROMPT, None, "fell to 53.9% since"),
    "urgent after info": ([sampled(125_000), TOLD, sampled(155_000)], PROMPT, None, ": urgent"),
    "urgent told": ([sampled(160_000), URGENT, sampled(161_000)], PROMPT, "warned before", "urgent already"),
    "a compound ran": ([sampled(160_000), {"type": "compound.ran"}], PROMPT, "compound", "ran since this reading"),
    "compacted": ([sampled(160_000), {"type": "compact.started", "trigger": "auto"}, {"type": "session.started", "source": "compact"}],
                  PROMPT, "reading", "compacted, no reply since"),
    "stale": ([sampled(160_000, at="2026-11-21T07:00:00.000Z")], {**PROMPT, "type": "tool.finished", "tool": "Bash"}, "age", "more than 300 s"),
    "no point": ([sampled(160_000, point=0)], PROMPT, "threshold", "unknown"),
    "a subagent's": ([sampled(160_000)], {**PROMPT, "agent": "a1"}, "thread", "subagent a1"),
    "imported": ([sampled(160_000)], {**PROMPT, "imported": True}, "origin", "transcript"),
    "no hook": ([], {"type": "decision.recorded", "text": "x"}, "hook", "no hook answers"),
    "kept going": ([], {"type": "turn.ended", "continued": True}, "messages", "a Stop hook"),
    "a task runs": ([], {"type": "turn.ended", "background": 2}, "background", "2 tasks"),
    "nothing waits": ([{"type": "compound.ran"}], {"type": "turn.ended"}, "work log", "0 not saved as learnings"),
    "a note waits": ([PROMPT, EDITED, ENDED, PROMPT], ENDED, None, "1 note,"),
    "a first turn": ([PROMPT, EDITED], ENDED, "turn", "number 1 of this session"),
    "no room known": ([{"type": "stage.started", "cycle": "c", "stage": "sprint"}, {"type": "stage.finished", "cycle": "c", "stage": "sprint"}],
                      {"type": "turn.ended"}, None, "unknown; audit needs 50%"),
    "room": ([{"type": "stage.started", "cycle": "c", "stage": "sprint"}, {"type": "stage.finished", "cycle": "c", "stage": "sprint"},
              sampled(40_000)], {"type": "turn.ended"}, None, "(167,000 - 40,000) / 167,000: 76.0% left until compaction; audit needs 50%: enough"),
    "no room": ([{"type": "stage.started", "cycle": "c", "stage": "sprint"}, {"type": "stage.finished", "cycle": "c", "stage": "sprint"},
                 sampled(140_000)], {"type": "turn.ended"}, None, "16.2% left until compaction; audit needs 50%: too little"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_why(workspace: Workspace, name: str) -> None:
    """The check that kept the hook silent is named with its figures; if it spoke, none failed.

    What a check rests on is an event: one that is unknown is not listed.
    """
    before, event, failed, words = CASES[name]
    write(workspace, *before, event)
    seq = len(before) + 3
    found = workspace.journal("explain", str(seq), "--json").data
    silent = [item["what"] for item in found["reasons"] if item["passed"] is False]
    assert silent[:1] == ([failed] if failed else [])
    assert words in " | ".join(item["value"] for item in found["reasons"])
    assert (found["said"] is None) == bool(failed)
    assert all(seq > 0 for item in found["reasons"] for seq in item["seqs"])


def test_it_agrees_with_the_log(played: Workspace) -> None:
    """For each event of a recorded session: the recorded answer, or a reason for silence."""
    spoke = 0
    for event in played.journal("events", "--json").data:
        result = played.journal("explain", str(event["seq"]), "--json")
        assert (result.code, result.data["differs"]) == (0, False), event
        by_message: dict[str, list[object]] = {}
        for item in result.data["reasons"]:
            by_message.setdefault(item["message"], []).append(item["passed"])
        spoke_here = [name for name, passed in by_message.items() if name and False not in passed]
        assert bool(spoke_here) == (result.data["said"] is not None), event
        assert spoke_here or any(False in passed for passed in by_message.values()), event
        spoke += result.data["said"] is not None and event["type"] in HOOK_OF
    assert spoke == 4  # a start, two levels of pressure and a recovery


def test_an_advice_leads_to_its_event(played: Workspace) -> None:
    """For the record of a message it explains the event the hook answered."""
    for event in played.journal("events", "--json", "--type", "advice.given").data:
        found = played.journal("explain", str(event["seq"]), "--json").data
        assert HOOK_OF[found["fact"]["type"]] == event["hook"]
        digests = [item.get("digest") for item in found["said"]["says"]]
        assert event["digest"] in digests


def test_other_settings(played: Workspace) -> None:
    """If the current settings give another result it says so and exits with 1."""
    played.home.joinpath("config.toml").write_text("[pressure]\ninfo = 0.8\n")
    result = played.journal("explain", "12")
    assert result.code == 1
    assert "the hook sent a message then; now it would send none" in result.out
    assert "pressure.info = 0.8" in result.out


def test_the_text(played: Workspace) -> None:
    """The text fits 80 columns; `GOLDEN=write` rewrites it."""
    text = played.plain(played.journal("explain", "12").out)
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.write_text(text, encoding="utf-8")
    assert max(map(len, text.splitlines())) <= 80
    assert text == GOLDEN.read_text(encoding="utf-8")
    narrow = played.journal("explain", "12", COLUMNS="40").out
    assert max(map(len, narrow.splitlines())) <= 40


def test_mistakes(played: Workspace) -> None:
    """An unknown event exits with 2, a missing journal with 3."""
    for seq in ("0", "999999"):
        assert played.journal("explain", seq).code == 2
    assert "no event 999999" in played.journal("explain", "999999").err
    assert played.journal("explain", "x").code == 2
    assert played.journal("explain", "#12").out == played.journal("explain", "12").out
    assert played.journal("explain", "1", "--project", str(played.top)).code == 3
    assert json.loads(played.journal("explain", "1", "--json").out)["said"] is None


def test_a_reason_stands_once(workspace: Workspace) -> None:
    """What kept the hook silent is in the list of checks, and not in the headline too."""
    write(workspace, PROMPT)
    out = workspace.journal("explain", "3").out
    assert "No message; - marks the reason" in out
    assert out.count("no reading of this session yet") == 1
