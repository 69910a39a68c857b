"""Whatever an event contains, the terminal gets plain text."""

from __future__ import annotations

import json
import subprocess
import sys
import unicodedata

import pytest

from tests.cases.world import ROOT
from tests.cli.conftest import SID
from tests.support.examples import third

ESCAPE = "\x1b[2J\x1b]0;title\x07"
RTL = "\u202egnp.exe\u2066\u200f"
TEXTS = {
    "ansi": f"clear {ESCAPE} done",
    "newlines": "one\ntwo\r\nthree\x0b\x0c\x85\u2028four",
    "bidi": f"photo{RTL}",
    "c1": "\x9b31mred\x9c",
    "del": "a\x7fb\x00c",
    "wide": "端数処理は一度だけ行う" * 20,
    "tags": "\U000e0041\U000e0042 invisible",
}  # fmt: skip
READERS = [["status"], ["events"], ["events", "--json"], ["view", "recovery"], ["view", "sessions"],
           ["replay", "--diff", "--answers"], ["replay", "--json"], ["view", "compound"],
           ["learning", "list"], ["status", "--json"]]  # fmt: skip


def unprintable(text: str) -> set[str]:
    """Return the characters of an output that a terminal could interpret."""
    return {c for c in text if c != "\n" and (not c.isprintable() or unicodedata.bidirectional(c)
            in ("RLO", "LRO", "RLE", "LRE", "RLI", "LRI", "FSI", "PDI", "PDF"))}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_nothing_unprintable_comes_out(name, workspace):
    """No control, bidirectional or other unprintable character of an event reaches stdout."""
    text = TEXTS[name]
    workspace.hook("SessionStart", source="startup", session_title=text, model=text)
    workspace.hook("UserPromptSubmit", prompt=text)
    workspace.hook("PostToolUse", tool_name=text, tool_use_id="t", tool_response={},
               tool_input={"file_path": f"{workspace.project}/{text}"})  # fmt: skip
    workspace.hook("PostToolUseFailure", tool_name="Bash", tool_use_id="u", error=text,
               tool_input={"command": text})  # fmt: skip
    workspace.hook("Stop", stop_hook_active=False, last_assistant_message=text)
    workspace.hook("PreCompact", trigger="auto", custom_instructions=text)
    workspace.hook("SessionStart", source="compact", model=text)
    assert workspace.journal("note", text).code == 0
    for words in third(READERS, name):
        result = workspace.journal(*words)
        assert result.code == 0, (words, result.err)
        assert unprintable(result.out) == set(), words
        marked = "…" in result.out or "·" in result.out
        assert result.out.isascii() or name == "wide" or marked, words


@pytest.mark.parametrize("words", [["show", "last"], ["stats"]], ids=" ".join)
def test_nothing_unprintable_is_in_a_page(words, workspace):
    """A page of HTML has no such character either, and no markup from an event."""
    text = TEXTS["ansi"] + TEXTS["bidi"] + "<script>"
    workspace.hook("SessionStart", source="startup", session_title=text, model=text)
    workspace.hook("UserPromptSubmit", prompt=text)
    workspace.hook("Stop", stop_hook_active=False, last_assistant_message=text)
    workspace.hook("SessionEnd", reason="exit")
    path = workspace.top / "page.html"
    result = workspace.journal(*words, "--html", str(path))
    assert result.code == 0, result.err
    page = path.read_text(encoding="utf-8")
    assert "&lt;script" in page
    assert (unprintable(page), "<script" in page) == (set(), False)


@pytest.mark.parametrize("words", [("note",), ("checkpoint",), ("export", "--dry-run", "--to"), ("get",), *(
    pytest.param(words, marks=pytest.mark.long) for words in (("decide",), ("export", "--to"), ("show",)))], ids=" ".join)  # fmt: skip
def test_what_was_typed_comes_back_printable(words, played):
    """A text, a path and an ID that were typed reach stdout and stderr escaped."""
    result = played.journal(*words, TEXTS["ansi"] + TEXTS["bidi"] + TEXTS["c1"])
    assert (unprintable(result.out), unprintable(result.err)) == (set(), set())
    assert "done" in result.out + result.err


def test_the_check_can_see(workspace):
    """Sibling: the check above does find such characters."""
    assert unprintable(TEXTS["ansi"] + TEXTS["bidi"]) >= {"\x1b", "\u202e", "\u2066"}


def test_json_gives_the_very_text(workspace):
    """Text escaped in JSON reads back unchanged."""
    workspace.hook("UserPromptSubmit", prompt=TEXTS["bidi"])
    event = workspace.journal("events", "--json", "--type", "prompt.submitted").data[0]
    assert event["text"] == TEXTS["bidi"]


def test_a_raw_line_is_escaped_in_errors(played):
    """The excerpt of a damaged line is escaped and bounded."""
    with played.segment.open("ab") as file:
        file.write(ESCAPE.encode() * 50 + b"\n")
    result = played.journal("verify")
    assert result.code == 1
    assert unprintable(result.out) == set()
    assert all(len(line) <= 400 for line in result.out.splitlines())
    assert "\\x1b[2J" in result.out


@pytest.mark.parametrize(
    "words",
    [
        ("note", "-"),
        pytest.param(("checkpoint", "--summary", "-"), marks=pytest.mark.long),
        ("sql", "-"),
    ],
)
def test_stdin_need_not_be_text(words, played):
    """Bytes that are not UTF-8 are replaced, whatever the locale."""
    code = "import sys; from cli.app import run; sys.exit(run(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, *words], input=b"select 'a\xff' as x", cwd=played.project,
        env={**played.env, "PYTHONIOENCODING": "utf-8:strict", "PYTHONPATH": str(ROOT)},
        capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, b"error" in done.stderr) == (0, False)
    assert "a\ufffd".encode() in done.stdout


def test_session_ids_are_text_too(workspace):
    """A hostile id is printed as its digest, and can be found by it."""
    workspace.hook("UserPromptSubmit", sid="../../etc/passwd\x1b[2J", prompt="x")
    event = workspace.journal("events", "--json", "--limit", "1").data[0]
    assert event["sid"].startswith("b2-")
    assert workspace.journal("view", "sessions", "--session", event["sid"][:6]).code == 0


def test_an_id_that_is_asked_for_is_escaped(played):
    """An id the person typed is escaped in the error."""
    result = played.journal("view", "pressure", "--session", "x\x1b[2J")
    assert result.code == 2
    assert unprintable(result.err) == set()


@pytest.mark.parametrize("body", [
    {"type": "prompt.submitted", "v": 1, "sid": SID, "text": 5, "size": "x"},
    {"type": "tool.finished", "v": 1, "sid": SID, "tool": ["a"], "ms": "x", "items": 3},
    {"type": "compact.started", "v": 1, "sid": 7, "tokens": "many"},
    {"type": "x" * 300, "v": 1, "sid": SID},
    {"type": "session.started", "v": "one"},
])  # fmt: skip
def test_bodies_of_another_shape(body, played):
    """A record whose body has another shape is listed, without an exception."""
    from journal.log.append import Writer

    with Writer(str(played.directory), "2026-11-21T10:00:00.000Z") as writer:
        writer.append(body)
    for words in (["events"], ["status"], ["replay", "--answers"], ["view", "sessions"]):
        result = played.journal(*words)
        assert (result.code, result.err) == (0, ""), words
    assert (
        json.loads(played.journal("events", "--json", "--limit", "1").out)[0]["type"]
        == body["type"]
    )
