"""Transcripts that grow, are cut, spliced and copied: a fact is there once, and none is lost."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journal.errors import JournalError
from journal.history.importer.transcript import lines as reading
from tests.backfill.conftest import SID, Desk, totals
from tests.tools.transcripts import write

if TYPE_CHECKING:
    from pathlib import Path


def reply(
    message: str,
    out: int = 10,
    *,
    stop: str | None = "tool_use",
    second: int = 0,
    sid: str = SID,
    **more: Any,
) -> dict[str, Any]:
    """Give one line of a reply."""
    return {
        "parentUuid": None, "isSidechain": False, "type": "assistant", "uuid": f"u-{message}-{second}-{out}", "sessionId": sid,
        "timestamp": f"2026-11-20T10:00:{second:02d}.000Z", "cwd": "/home/dev/shop", "requestId": f"req-{message}",
        "message": {"id": message, "model": "claude-opus-5-5", "role": "assistant", "stop_reason": stop, "content": [],
                    "usage": {"input_tokens": 5, "output_tokens": out, "cache_read_input_tokens": 1000}}, **more,
    }  # fmt: skip


def prompt(text: Any = "hello", number: int = 1, **more: Any) -> dict[str, Any]:
    """Give a line of the person's."""
    return {"parentUuid": None, "type": "user", "uuid": f"p-{number}", "sessionId": SID, "timestamp": "2026-11-20T10:00:00.000Z",
            "cwd": "/home/dev/shop", "message": {"role": "user", "content": text}, **more}  # fmt: skip


def outputs(desk: Desk) -> dict[str, int]:
    """Output tokens by message, the last record of each counting."""
    return {event["message"]: event["output_tokens"] for event in desk.events("usage.recorded")}


def test_the_last_line_of_a_reply_counts(desk: Desk) -> None:
    """One record per reply, with the figures and the time of its last line."""
    desk.write(
        reply("m1", 1, stop=None),
        reply("m1", 7, stop=None, second=1),
        reply("m1", 42, second=2),
        prompt(),
    )
    desk.run()
    (event,) = desk.events("usage.recorded")
    assert (event["output_tokens"], event["ts"]) == (42, "2026-11-20T10:00:02.000Z")


def test_a_reply_that_grows_between_two_runs(desk: Desk) -> None:
    """What was told of an unfinished reply is told anew when it is whole, under the same key."""
    desk.write(reply("m1", 1, stop=None))
    desk.run()
    assert outputs(desk) == {"m1": 1}
    desk.write(reply("m1", 42, second=2), reply("m2", 3, second=3))
    desk.run()
    assert outputs(desk) == {"m1": 42, "m2": 3}
    assert len({event["key"] for event in desk.events("usage.recorded")}) == 2


@pytest.mark.parametrize("order", [1, -1], ids=["copy first", "original first"])
def test_a_copy_cut_within_a_reply(desk: Desk, order: int) -> None:
    """The whole reply counts, whichever file is read first."""
    copy = desk.file.with_name("d" + SID[1:] + ".jsonl")
    desk.write(reply("m1", 1, stop=None), reply("m1", 42, second=9), reply("m2", 5, second=10))
    desk.write(reply("m1", 1, stop=None), prompt(sessionId=copy.stem), to=copy)
    for path, age in ((desk.file, 0), (copy, order)):
        os.utime(path, (1_795_000_000 - age,) * 2)
    desk.run()
    assert [
        (e["message"], e["output_tokens"], e["ts"][17:19]) for e in desk.events("usage.recorded")
    ] == [("m1", 42, "09"), ("m2", 5, "10")]


def test_a_call_and_its_result_apart(desk: Desk) -> None:
    """A result that comes after the first run still knows its tool; nothing is told twice."""
    block = {
        "type": "tool_use",
        "id": "t1",
        "name": "Edit",
        "input": {"file_path": "/home/dev/shop/cart.py"},
    }
    call = reply("m1", 4)
    call["message"]["content"] = [block]
    desk.write(prompt(), call)
    desk.run()
    assert not desk.events("tool.finished")
    desk.write(prompt([{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}], 2))
    desk.run()
    (event,) = desk.events("tool.finished")
    assert (event["tool"], event["target"], event["changed"]) == ("Edit", "cart.py", True)
    assert len(desk.events()) == len({event["key"] for event in desk.events()}) == 4


def test_a_compaction_and_its_summary_apart(desk: Desk) -> None:
    """The summary finds its compaction in a later run; tokens before and after are kept."""
    meta = {"trigger": "manual", "preTokens": 70_090, "postTokens": 2_646}
    desk.write(
        {
            **prompt(),
            "type": "system",
            "subtype": "compact_boundary",
            "compactMetadata": meta,
            "uuid": "b",
        }
    )
    desk.run()
    desk.write(prompt("the summary", 3, isCompactSummary=True))
    desk.run()
    (started,), (finished,) = desk.events("compact.started"), desk.events("compact.finished")
    assert (started["trigger"], started["tokens"]) == ("manual", 70_090)
    assert (finished["trigger"], finished["tokens"], finished["summary"]) == (
        "manual",
        2_646,
        "the summary",
    )
    assert not desk.events("prompt.submitted")


BAD: dict[str, tuple[list[dict[str, Any] | bytes], int]] = {
    "a torn line before a whole one": ([b'{"parentUuid":null,"type":"user","mess', reply("m2")], 2),
    "two lines without a newline": ([json.dumps(reply("m2")).encode(), reply("m3")], 3),
    "a run of NULs before a line": ([b"\0" * 5000, reply("m2")], 2),
    "NULs within a line": ([b'{"type":"user","x":"\0\0\0"}\n', reply("m2")], 2),
    "a reply cut by another": ([json.dumps(reply("m9")).encode()[:-90], reply("m2")], 2),
    "invalid UTF-8": ([b'{"type":"user","message":{"content":"\xff\xfe"}}\n', reply("m2")], 2),
    "half a surrogate": ([b'{"type":"user","uuid":"z","timestamp":"2026-11-20T10:00:00.000Z","message":{"content":"\\ud83d"}}\n', reply("m2")], 2),
    "not an object": ([b'["user"]\n"user"\n17\n\n', reply("m2")], 2),
    "members of other types": ([{"type": "user", "message": 3, "uuid": [], "timestamp": {}, "cwd": 7}, reply("m2")], 2),
    "a deep one": ([b'{"type":"user","message":' + b"[" * 90_000 + b"\n", reply("m2")], 2),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_lines(desk: Desk, name: str) -> None:
    """A bad line costs itself; what is whole around and inside of it is kept."""
    lines, count = BAD[name]
    desk.write(reply("m1"), *lines, reply("m8", second=9))
    desk.run()
    assert len(outputs(desk)) == count + 1
    assert {"m1", "m2", "m8"} <= set(outputs(desk))


def test_a_bad_line_is_told(desk: Desk) -> None:
    """In the middle it is a finding; at the end it is how a killed client leaves a file."""
    desk.write(reply("m1"), b'{"type":"user","x\n', reply("m2"), b'{"type":"assistant","mess')
    done = desk.run()
    assert [(offset > 0, saved) for _, offset, saved in done.bad] == [(True, 0)]
    assert done.torn == 1


def test_a_line_too_long(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line past the limit is counted and passed over; the next one is read."""
    monkeypatch.setattr(reading, "LONGEST", 4096)
    desk.write(reply("m1"), prompt("x" * 9000), reply("m2"))
    done = desk.run()
    assert (done.long, set(outputs(desk))) == (1, {"m1", "m2"})


def test_a_last_line_without_newline(desk: Desk) -> None:
    """A whole record counts without its newline, and once."""
    desk.write(reply("m1"), json.dumps(reply("m2")).encode())
    assert desk.run().torn == 0
    desk.write(b"\n", reply("m3"))
    desk.run()
    assert len(desk.events("usage.recorded")) == 3


def test_a_file_that_was_replaced(desk: Desk) -> None:
    """Another content of the same name is read from its beginning."""
    desk.write(reply("m1"), reply("m2"))
    desk.run()
    desk.file.write_bytes(b"")
    desk.write(reply("m3"), reply("m4"), reply("m5"))
    desk.run()
    assert set(outputs(desk)) == {"m1", "m2", "m3", "m4", "m5"}


TEXTS: dict[str, tuple[Any, str | None]] = {
    "human": ("fix the cart", "human"),
    "blocks": ([{"type": "text", "text": "see this"}, {"type": "image", "source": {}}], "human"),
    "command": (
        "<command-message>compound</command-message>\n<command-name>/journal:compound</command-name>",
        "command",
    ),
    "task": ("<task-notification>done</task-notification>", "task-notification"),
    "local output": ("<local-command-stdout>x</local-command-stdout>", None),
    "bash": ("<bash-input>ls</bash-input>", None),
    "interrupted": ([{"type": "text", "text": "[Request interrupted by user]"}], None),
    "blank": ("  \n", None),
}


@pytest.mark.parametrize("name", TEXTS)
def test_whose_words(desk: Desk, name: str) -> None:
    """A prompt is what was said to Claude; what the client writes in the person's name is none."""
    text, origin = TEXTS[name]
    desk.write(prompt(text), prompt("meta", 2, isMeta=True), reply("m1"))
    desk.run()
    assert [event["origin"] for event in desk.events("prompt.submitted")] == (
        [origin] if origin else []
    )


def test_synthetic_replies_cost_nothing(desk: Desk) -> None:
    """What the client made up itself and what the API refused is no reply."""
    made_up = reply("m1")
    made_up["message"]["model"] = "<synthetic>"
    desk.write(made_up, reply("m2", isApiErrorMessage=True), reply("m3"))
    desk.run()
    assert set(outputs(desk)) == {"m3"}


def test_titles(desk: Desk) -> None:
    """A title is told when it changes; the last one is the session's."""
    for title in ("one", "one", "two", "one"):
        desk.write({"type": "custom-title", "customTitle": title, "sessionId": SID})
    desk.write(reply("m1"))
    desk.run()
    desk.write({"type": "custom-title", "customTitle": "one", "sessionId": SID})
    desk.run()
    assert [event["title"] for event in desk.events("session.titled")] == ["one", "two", "one"]


def test_since(desk: Desk) -> None:
    """Only what happened from then on; a later run without the bound brings the rest."""
    desk.write(
        reply("m1", second=1), reply("m2", second=30), prompt(timestamp="2026-11-20T10:00:31.000Z")
    )
    desk.run(since="2026-11-20T10:00:20Z")
    assert set(outputs(desk)) == {"m2"}
    desk.run()
    assert set(outputs(desk)) == {"m1", "m2"}
    assert len(desk.events("prompt.submitted")) == 1


@pytest.mark.parametrize(
    "level, texts, count", [("full", ["hello"], 1), ("minimal", [""], 1), ("off", [], 0)]
)
def test_the_capture_level(desk: Desk, level: str, texts: list[str], count: int) -> None:
    """What hooks would not keep is not imported."""
    desk.home.mkdir(mode=0o700)
    (desk.home / "config.toml").write_text(f'[capture]\nlevel = "{level}"\n')
    desk.write(prompt(), reply("m1"))
    desk.run()
    assert [event.get("text", "") for event in desk.events("prompt.submitted")] == texts
    assert len(outputs(desk)) == count


def test_the_project_of_a_session(desk: Desk) -> None:
    """All of a session goes to the project of the directory it began in."""
    top = desk.top / "shop"
    (top / ".git").mkdir(parents=True)
    (top / "src").mkdir()
    elsewhere = str(desk.top / "other")
    desk.write(prompt(cwd=str(top / "src")), reply("m1", cwd=elsewhere))
    desk.run()
    assert [path.parent.name.rpartition("-")[0] for path in desk.home.glob("*/imported")] == [
        "shop"
    ]
    assert [event.get("cwd") for event in desk.events("usage.recorded")] == [elsewhere]


def test_two_at_once(desk: Desk) -> None:
    """A second import into the same home is refused, not interleaved."""
    from journal.history.importer.run import _alone

    desk.home.mkdir(mode=0o700)
    desk.write(reply("m1"))
    with _alone(str(desk.home)), pytest.raises(JournalError, match="under way"):
        desk.run()
    desk.run()
    assert set(outputs(desk)) == {"m1"}


@settings(max_examples=15)
@given(data=st.data(), seed=st.integers(0, 10_000))
def test_cut_anywhere(
    data: st.DataObject, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """However a corpus comes to be in pieces, its totals in the end are the truth."""
    desk = Desk(tmp_path_factory.mktemp("cut"))
    truth = write(desk.client, sessions=3, entries=30, seed=seed, torn=0, copies=0.5, projects=2)
    whole: dict[Path, bytes] = {
        path: path.read_bytes() for path in sorted(desk.client.rglob("*.jsonl"))
    }
    grown = dict.fromkeys(whole, 0)
    for _ in range(data.draw(st.integers(1, 3))):
        for path, content in whole.items():
            grown[path] = data.draw(st.integers(grown[path], len(content)))
            path.write_bytes(content[: grown[path]])
        desk.run()
        if data.draw(st.booleans()):
            desk.forget()
    for path, content in whole.items():
        path.write_bytes(content)
    desk.run()
    last = {event["message"]: event for event in desk.events("usage.recorded")}
    found = totals(list(last.values()))
    assert found["totals"] == truth["totals"]
    assert found["per_model"] == truth["per_model"]
    assert len(desk.events("prompt.submitted")) == truth["prompts"]
    assert len(desk.events("tool.finished") + desk.events("tool.failed")) == truth["tool_results"]
    assert len(desk.events("compact.started")) == truth["compactions"]
