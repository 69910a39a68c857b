"""Replay: what each event changed, and the hooks' answers reproduced to the digest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hooks.capture import capture
from tests.cli.conftest import SID

ROOT = Path(__file__).parents[2]
PAYLOADS = ROOT / "tests" / "fixtures" / "payloads"
STREAMS = ("headless-auto-compact-mid-turn", "headless-work-and-manual-compact",
           "interactive-compact-command-clear-exit")  # fmt: skip
LOG = "# Progress\n\n## 2026-11-21 Rounding\n\n## 2026-11-20 Cart\n"
SLOW = ("PreToolUse", "PostToolBatch")  # not hooks of the journal


def feed(workspace, name: str) -> list[str]:
    """Run a recorded stream through the hooks; return what they printed."""
    said = []
    for line in (PAYLOADS / f"{name}.jsonl").read_text().splitlines():
        call = json.loads(line)
        if call["in"]["hook_event_name"] in SLOW:
            continue
        path = PAYLOADS / "transcripts" / Path(call["in"]["transcript_path"]).name
        text = json.dumps(call["in"]).replace(call["in"]["transcript_path"], str(path))
        workspace.at((call["ms"] - 1795251600000) / 1000)
        text = text.replace("/home/dev/shop", str(workspace.project))
        said.append(capture(text.encode(), workspace.env))
    return [text for text in said if text]


@pytest.mark.parametrize("name", STREAMS)
def test_answers_are_those_of_the_hooks(name, workspace):
    """Replay reproduces every text a real hook printed, with the recorded digest."""
    folder = workspace.project / ".claude" / "context"
    folder.mkdir(parents=True)
    (folder / "progress.md").write_text(LOG)
    printed = feed(workspace, name)
    assert printed
    result = workspace.journal("replay", "--answers", "--json")
    assert result.code == 0, [step for step in result.data if step["verdict"] not in ("same", None)]
    spoken = [step["said"] for step in result.data if step["said"]]
    assert {step["verdict"] for step in result.data if step["said"]} == {"same"}
    for text, said in zip(printed, spoken, strict=True):
        known = json.loads(text) if text.startswith("{") else {"plain": text}
        context = known.get("hookSpecificOutput", {}).get("additionalContext", "")
        assert context == said["context"]
        assert known.get("systemMessage", "") == said["message"]


def test_other_settings_show_as_differences(played):
    """Under other settings replay shows the answers that would differ, and exits with 1."""
    (played.home / "config.toml").write_text("[pressure]\ninfo = 0.8\n")
    result = played.journal("replay", "--answers")
    assert result.code == 1
    assert "now it would send none" in result.out


def test_an_answer_that_was_not_given_is_marked(played):
    """An answer the function gives but no hook gave is marked as well."""
    found = [
        line for line in played.segment.read_bytes().split(b"\n") if b'"advice.given"' not in line
    ]
    played.segment.write_bytes(b"\n".join(found))
    data = played.journal("replay", "--answers", "--json").data
    assert "unsaid" in {step["verdict"] for step in data}


def test_a_changed_digest_is_marked(played):
    """A recorded digest that differs from the function's text is shown as a difference."""
    from journal.log.record import frame, unframe

    found = played.segment.read_bytes().split(b"\n")
    for at, line in enumerate(found):
        if b'"context.injected"' in line and b'"recovery"' in line:
            fields = unframe(line)
            seq = fields.pop("seq")
            found[at] = frame(seq, {**fields, "digest": "b2:0000000000000000"}).rstrip(b"\n")
    played.segment.write_bytes(b"\n".join(found))
    result = played.journal("replay", "--answers")
    assert result.code == 1
    assert "DIFFERS from what was recorded" in result.out


@pytest.mark.parametrize(
    "words, says",
    [
        (("--view", "stage"), "None of these events changed the view stage."),
        (("--until", "2020-01-01"), "None of these events matches: leave out --until"),
    ],
)
def test_no_step_is_said(words, says, played):
    """A replay that shows no event says so, and names no zone for times it does not have."""
    shown = played.journal("replay", *words)
    assert (shown.code, says in shown.out, "Times are" in shown.out) == (0, True, False)


def test_replay_ends_where_the_view_stands(played):
    """Applying all changes of a replay gives the states behind the views."""
    state: dict = {}
    for step in played.journal("replay", "--json").data:
        for change in step["changed"].get("sessions", ()):
            at = state
            *way, name = change["path"]
            for part in way:
                at = at.setdefault(part, {})
            at[name] = change["after"]
    session = state["sessions"][SID]
    shown = played.journal("view", "sessions").data["sessions"][0]
    for name in ("prompts", "tools", "failures", "files", "tokens", "last", "model"):
        assert session[name] == shown[name], name
    done = [item for item in session["compacted"] if item.get("done_seq")]
    assert len(done) == shown["compactions"]


@pytest.mark.parametrize("words, seqs", [
    (["--view", "learnings"], []),
    (["--view", "recovery", "--until", "6"], [4, 5, 6]),
    (["--session", "c00f", "--until", "3"], [2, 3]),
    (["--until", "0"], []),
], ids=lambda value: " ".join(map(str, value)))  # fmt: skip
def test_steps_chosen(words, seqs, played):
    """View, session and until select the steps."""
    data = played.journal("replay", "--json", *words).data
    assert [step["event"]["seq"] for step in data] == seqs
