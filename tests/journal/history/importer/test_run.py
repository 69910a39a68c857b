"""Transcripts grow, are cut, spliced and copied: each fact is recorded once, and none is lost."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.errors import JournalError
from journal.history.conversations.transcript import read_transcript
from journal.history.importer import lines as reading
from tests.journal.history.importer.conftest import SID, Sandbox, totals
from tests.journal.history.importer.lines import prompt, reply
from tests.support.examples import examples
from tests.tools.transcripts import write

if TYPE_CHECKING:
    from pathlib import Path


def outputs(sandbox: Sandbox) -> dict[str, int]:
    """Return the output tokens by message; the last record of each counts."""
    return {event["message"]: event["output_tokens"] for event in sandbox.events("usage.recorded")}


def test_the_last_line_of_a_reply_counts(sandbox: Sandbox) -> None:
    """A reply has one record, with the figures and time of its last line."""
    sandbox.write(
        reply("m1", 1, stop=None),
        reply("m1", 7, stop=None, second=1),
        reply("m1", 42, second=2),
        prompt(),
    )
    sandbox.run()
    (event,) = sandbox.events("usage.recorded")
    assert (event["output_tokens"], event["ts"]) == (42, "2026-11-20T10:00:02.000Z")


def test_a_reply_that_grows_between_two_runs(sandbox: Sandbox) -> None:
    """An unfinished reply is recorded again when it is complete, under the same key."""
    sandbox.write(reply("m1", 1, stop=None))
    sandbox.run()
    assert outputs(sandbox) == {"m1": 1}
    sandbox.write(reply("m1", 42, second=2), reply("m2", 3, second=3))
    sandbox.run()
    assert outputs(sandbox) == {"m1": 42, "m2": 3}
    assert len({event["key"] for event in sandbox.events("usage.recorded")}) == 2


@pytest.mark.parametrize("order", [1, -1], ids=["copy first", "original first"])
def test_a_copy_cut_within_a_reply(sandbox: Sandbox, order: int) -> None:
    """The whole reply counts, whichever file is read first."""
    copy = sandbox.file.with_name("d" + SID[1:] + ".jsonl")
    sandbox.write(reply("m1", 1, stop=None), reply("m1", 42, second=9), reply("m2", 5, second=10))
    sandbox.write(reply("m1", 1, stop=None), prompt(sessionId=copy.stem), to=copy)
    for path, age in ((sandbox.file, 0), (copy, order)):
        os.utime(path, (1_795_000_000 - age,) * 2)
    sandbox.run()
    assert [
        (e["message"], e["output_tokens"], e["ts"][17:19]) for e in sandbox.events("usage.recorded")
    ] == [("m1", 42, "09"), ("m2", 5, "10")]


def test_a_call_and_its_result_apart(sandbox: Sandbox) -> None:
    """A result in a later run still has its tool, and nothing is recorded twice."""
    block = {
        "type": "tool_use",
        "id": "t1",
        "name": "Edit",
        "input": {"file_path": "/home/dev/shop/cart.py"},
    }
    call = reply("m1", 4)
    call["message"]["content"] = [block]
    sandbox.write(prompt(), call)
    sandbox.run()
    assert not sandbox.events("tool.finished")
    sandbox.write(prompt([{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}], 2))
    sandbox.run()
    (event,) = sandbox.events("tool.finished")
    assert (event["tool"], event["target"], event["changed"]) == ("Edit", "cart.py", True)
    assert len(sandbox.events()) == len({event["key"] for event in sandbox.events()}) == 4


def test_a_compaction_and_its_summary_apart(sandbox: Sandbox) -> None:
    """A summary in a later run is joined to its compaction, with tokens before and after."""
    meta = {"trigger": "manual", "preTokens": 70_090, "postTokens": 2_646}
    sandbox.write(
        {
            **prompt(),
            "type": "system",
            "subtype": "compact_boundary",
            "compactMetadata": meta,
            "uuid": "b",
        }
    )
    sandbox.run()
    sandbox.write(prompt("the summary", 3, isCompactSummary=True))
    sandbox.run()
    (started,), (finished,) = sandbox.events("compact.started"), sandbox.events("compact.finished")
    assert (started["trigger"], started["tokens"]) == ("manual", 70_090)
    assert (finished["trigger"], finished["tokens"], finished["summary"]) == (
        "manual",
        2_646,
        "the summary",
    )
    assert not sandbox.events("prompt.submitted")


BAD: dict[str, tuple[list[dict[str, Any] | bytes], int]] = {
    "a torn line before a whole one": ([b'{"parentUuid":null,"type":"user","mess', reply("m2")], 2),
    "two lines without a newline": ([json.dumps(reply("m2")).encode(), reply("m3")], 3),
    "a run of NULs before a line": ([b"\0" * 5000, reply("m2")], 2),
    "NULs within a line": ([b'{"type":"user","x":"\0\0\0"}\n', reply("m2")], 2),
    "a reply cut by another": ([json.dumps(reply("m9")).encode()[:-90], reply("m2")], 2),
    "invalid UTF-8": ([b'{"type":"user","message":{"content":"\xff\xfe"}}\n', reply("m2")], 2),
    "half a surrogate": ([b'{"type":"user","uuid":"z","timestamp":"2026-11-20T10:00:00.000Z","message":{"content":"\\ud83d"}}\n', reply("m2")], 2),
    "half a surrogate in a name": ([json.dumps({**prompt(), "type": "\ud83d", "sessionId": "\ud83d"}).encode() + b"\n", reply("m2")], 2),
    "not an object": ([b'["user"]\n"user"\n17\n\n', reply("m2")], 2),
    "members of other types": ([{"type": "user", "message": 3, "uuid": [], "timestamp": {}, "cwd": 7}, reply("m2")], 2),
    "a deep one": ([b'{"type":"user","message":' + b"[" * 90_000 + b"\n", reply("m2")], 2),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_lines(sandbox: Sandbox, name: str) -> None:
    """A bad line costs no other line; whole records around and inside it are kept."""
    lines, count = BAD[name]
    sandbox.write(reply("m1"), *lines, reply("m8", second=9))
    sandbox.run()
    assert len(outputs(sandbox)) == count + 1
    assert {"m1", "m2", "m8"} <= set(outputs(sandbox))


def test_a_bad_line_is_told(sandbox: Sandbox) -> None:
    """A bad line in the middle is a finding; at the end it is a torn line of a killed client."""
    sandbox.write(reply("m1"), b'{"type":"user","x\n', reply("m2"), b'{"type":"assistant","mess')
    done = sandbox.run()
    assert [(offset > 0, saved) for _, offset, saved in done.bad] == [(True, 0)]
    assert done.torn == 1


def test_a_line_too_long(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line past the limit is counted and skipped; the next one is read."""
    monkeypatch.setattr(reading, "LONGEST", 4096)
    sandbox.write(reply("m1"), prompt("x" * 9000), reply("m2"))
    done = sandbox.run()
    assert (done.long, set(outputs(sandbox))) == (1, {"m1", "m2"})


def test_a_last_line_without_newline(sandbox: Sandbox) -> None:
    """A whole record without a newline counts, and only once."""
    sandbox.write(reply("m1"), json.dumps(reply("m2")).encode())
    assert sandbox.run().torn == 0
    sandbox.write(b"\n", reply("m3"))
    sandbox.run()
    assert len(sandbox.events("usage.recorded")) == 3


def test_a_file_that_was_replaced(sandbox: Sandbox) -> None:
    """A file with new content under the same name is read from its beginning."""
    sandbox.write(reply("m1"), reply("m2"))
    sandbox.run()
    sandbox.file.write_bytes(b"")
    sandbox.write(reply("m3"), reply("m4"), reply("m5"))
    sandbox.run()
    assert set(outputs(sandbox)) == {"m1", "m2", "m3", "m4", "m5"}


TEXTS: dict[str, tuple[Any, str | None]] = {
    "human": ("fix the cart", "human"),
    "blocks": ([{"type": "text", "text": "see this"}, {"type": "image", "source": {}}], "human"),
    "command": (
        "<command-message>compound</command-message>\n<command-name>/journal:compound</command-name>",
        "command",
    ),
    "own command of the client": (
        "<command-name>/exit</command-name>\n<command-message>exit</command-message>",
        None,
    ),
    "task": ("<task-notification>done</task-notification>", "task-notification"),
    "local output": ("<local-command-stdout>x</local-command-stdout>", None),
    "bash": ("<bash-input>ls</bash-input>", None),
    "interrupted": ([{"type": "text", "text": "[Request interrupted by user]"}], None),
    "blocked by a hook": ("Operation stopped by hook: Shadow branch conflict", None),
    "blank": ("  \n", None),
    "an image alone": ([{"type": "image", "source": {}}], "human"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_whose_words(sandbox: Sandbox, name: str) -> None:
    """A prompt is what the user sent to Claude; other lines the client writes as the user are not."""
    text, origin = TEXTS[name]
    sandbox.write(prompt(text), prompt("meta", 2, isMeta=True), reply("m1"))
    sandbox.run()
    assert [event["origin"] for event in sandbox.events("prompt.submitted")] == (
        [origin] if origin else []
    )


def steering(text: Any, mode: str = "prompt", **more: Any) -> dict[str, Any]:
    """Return the line of what Claude got in the middle of a turn."""
    given = {
        "type": "queued_command",
        "prompt": text,
        "commandMode": mode,
        "origin": {"kind": "human"},
    }
    return {**prompt(number=2), "type": "attachment", "message": None, "attachment": given | more}


@pytest.mark.parametrize(("line", "recorded"), [
    (steering("use decimals"), ["hello", "use decimals"]),
    (steering("<task-notification>done</task-notification>", "task-notification"), ["hello"]),
    (steering("use decimals", type="note", seen="queued_command"), ["hello"]),
    (steering([{"type": "image"}]), ["hello"]),
], ids=["prompt", "task", "other", "image"])  # fmt: skip
def test_a_prompt_in_the_middle_of_a_turn(
    sandbox: Sandbox, line: dict[str, Any], recorded: list[str]
) -> None:
    """What the person typed while Claude worked is an attachment, and a prompt like any other."""
    sandbox.write(prompt(), reply("m1"), line, reply("m2", stop="end_turn"))
    sandbox.run()
    assert [event["text"] for event in sandbox.events("prompt.submitted")] == recorded
    shown = read_transcript(str(sandbox.file))
    assert [entry.text for entry in shown.entries if entry.kind == "prompt"] == recorded


def test_synthetic_replies_cost_nothing(sandbox: Sandbox) -> None:
    """Synthetic replies and API errors are not recorded as replies."""
    made_up = reply("m1")
    made_up["message"]["model"] = "<synthetic>"
    sandbox.write(made_up, reply("m2", isApiErrorMessage=True), reply("m3"))
    sandbox.run()
    assert set(outputs(sandbox)) == {"m3"}


def test_titles(sandbox: Sandbox) -> None:
    """A title is recorded when it changes."""
    for title in ("one", "one", "two", "one"):
        sandbox.write({"type": "custom-title", "customTitle": title, "sessionId": SID})
    sandbox.write(reply("m1"))
    sandbox.run()
    sandbox.write({"type": "custom-title", "customTitle": "one", "sessionId": SID})
    sandbox.run()
    assert [event["title"] for event in sandbox.events("session.titled")] == ["one", "two", "one"]


def test_since(sandbox: Sandbox) -> None:
    """With `since` only later facts are imported; a later run without it imports the rest."""
    sandbox.write(
        reply("m1", second=1), reply("m2", second=30), prompt(timestamp="2026-11-20T10:00:31.000Z")
    )
    sandbox.run(since="2026-11-20T10:00:20Z")
    assert set(outputs(sandbox)) == {"m2"}
    sandbox.run()
    assert set(outputs(sandbox)) == {"m1", "m2"}
    assert len(sandbox.events("prompt.submitted")) == 1


@pytest.mark.parametrize(
    "level, texts, count", [("full", ["hello"], 1), ("minimal", [""], 1), ("off", [], 0)]
)
def test_the_capture_level(sandbox: Sandbox, level: str, texts: list[str], count: int) -> None:
    """The capture level limits an import as it limits hooks."""
    sandbox.home.mkdir(mode=0o700)
    (sandbox.home / "config.toml").write_text(f'[capture]\nlevel = "{level}"\n')
    sandbox.write(prompt(), reply("m1"))
    sandbox.run()
    assert [event.get("text", "") for event in sandbox.events("prompt.submitted")] == texts
    assert len(outputs(sandbox)) == count


def test_the_project_of_a_session(sandbox: Sandbox) -> None:
    """A whole session belongs to the project of the directory it began in."""
    top = sandbox.top / "shop"
    (top / ".git").mkdir(parents=True)
    (top / "src").mkdir()
    elsewhere = str(sandbox.top / "other")
    sandbox.write(prompt(cwd=str(top / "src")), reply("m1", cwd=elsewhere))
    sandbox.run()
    assert [path.parent.name.rpartition("-")[0] for path in sandbox.home.glob("*/imported")] == [
        "shop"
    ]
    assert [event.get("cwd") for event in sandbox.events("usage.recorded")] == [elsewhere]


def test_two_at_once(sandbox: Sandbox) -> None:
    """A second import into the same home at the same time is refused."""
    from journal.history.importer.run import import_lock

    sandbox.home.mkdir(mode=0o700)
    sandbox.write(reply("m1"))
    with import_lock(str(sandbox.home)), pytest.raises(JournalError, match="under way"):
        sandbox.run()
    sandbox.run()
    assert set(outputs(sandbox)) == {"m1"}


@examples(15)
@given(data=st.data(), seed=st.integers(0, 10_000))
def test_cut_anywhere(
    data: st.DataObject, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """However a corpus is split over several runs, the final totals are the truth."""
    sandbox = Sandbox(tmp_path_factory.mktemp("cut"))
    truth = write(sandbox.client, sessions=3, entries=30, seed=seed, torn=0, copies=0.5, projects=2)
    whole: dict[Path, bytes] = {
        path: path.read_bytes() for path in sorted(sandbox.client.rglob("*.jsonl"))
    }
    grown = dict.fromkeys(whole, 0)
    for _ in range(data.draw(st.integers(1, 3))):
        for path, content in whole.items():
            grown[path] = data.draw(st.integers(grown[path], len(content)))
            path.write_bytes(content[: grown[path]])
        sandbox.run()
        if data.draw(st.booleans()):
            sandbox.delete_state()
    for path, content in whole.items():
        path.write_bytes(content)
    sandbox.run()
    last = {event["message"]: event for event in sandbox.events("usage.recorded")}
    found = totals(list(last.values()))
    assert found["totals"] == truth["totals"]
    assert found["per_model"] == truth["per_model"]
    assert len(sandbox.events("prompt.submitted")) == truth["prompts"]
    assert (
        len(sandbox.events("tool.finished") + sandbox.events("tool.failed"))
        == truth["tool_results"]
    )
    assert len(sandbox.events("compact.started")) == truth["compactions"]


def test_what_a_rewind_took_out(sandbox: Sandbox) -> None:
    """An imported session tells what its rewinds took out, also when it comes in two parts."""
    wrong, right = "Delete the parser and use BETA.", "Write the tests of the parser."
    links = {"parentUuid": "a0"}
    sandbox.write(prompt(wrong, 1, **links), reply("m1", stop="end_turn", second=1))
    sandbox.run()
    sandbox.write(prompt(right, 2, **links), reply("m2", stop="end_turn", second=2))
    for _ in range(2):
        sandbox.run()
        (event,) = sandbox.events("prompts.withdrawn")
        assert event["withdrawn"] == [wrong]
