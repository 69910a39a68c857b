"""The newest usage in a transcript."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from journal.transcript import usage as transcript
from journal.transcript.caught_up import caught_up
from journal.transcript.usage import last_usage
from tests.journal.transcript.lines import (
    AT,
    RECORDED,
    assistant,
    boundary,
    compact,
    result,
    write,
)

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["write"]


def tokens_of(path: str, **options: int) -> int | None:
    """Return only the size of the newest usage."""
    usage = last_usage(path, **options)
    return None if usage is None else usage.tokens


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("8b7ff688-664a-4bb8-9d78-349bdd2c6afa", 42065),
        ("9a752264-f193-4e66-af9a-1ed6ad3eec68", 42065),
        ("b375196e-511c-420e-a5c8-81fa43b9902d", 3065),
        ("c00f089c-b528-49db-9cf4-92a4658e0b0f", 42065),
    ],
)
def test_recorded_transcripts(name: str, tokens: int) -> None:
    """The size is the sum of the last reply's four parts; model and time are read too."""
    usage = last_usage(str(RECORDED / f"{name}.jsonl"))
    assert usage is not None
    assert (usage.tokens, usage.source, usage.model) == (tokens, "transcript", "claude-opus-5-5")
    assert usage.ts.startswith("2026-11-21T")


def test_recorded_boundary_is_current_until_the_next_reply(write) -> None:
    """In a recorded session cut right after its compaction, the boundary's size is the reading."""
    data = (RECORDED / "b375196e-511c-420e-a5c8-81fa43b9902d.jsonl").read_bytes()
    cut = data.index(b"\n", data.index(b"compact_boundary"))
    usage = last_usage(write(data[:cut]))
    assert usage is not None
    assert (usage.tokens, usage.source) == (2656, "boundary")


SKIPPED = {
    "sidechain": assistant(9, isSidechain=True),
    "sidechain that says it oddly": assistant(9, isSidechain="yes"),
    "synthetic": assistant(9, model="<synthetic>"),
    "api error": assistant(9, isApiErrorMessage=True),
    "all zero": assistant(usage={"input_tokens": 0, "output_tokens": 0}),
    "no usage": assistant(usage=None),
    "usage is a list": assistant(usage=[1]),
    "input is a string": assistant(usage={"input_tokens": "3000", "output_tokens": 1}),
    "input is true": assistant(usage={"input_tokens": True, "output_tokens": 1}),
    "input is missing": assistant(usage={"output_tokens": 100}),
    "input is negative": assistant(usage={"input_tokens": -3, "output_tokens": 100}),
    "input is a fraction": assistant(usage={"input_tokens": 3.5}),
    "input is absurd": assistant(usage={"input_tokens": 10**12}),
    "cache read is a string": assistant(usage={"input_tokens": 3, "cache_read_input_tokens": "9"}),
    "message is a string": assistant(message="usage"),
    "message is missing": {"type": "assistant", "usage": {"input_tokens": 7}},
    "another type with a usage": {**assistant(9), "type": "progress"},
    "another type about an assistant": {
        **assistant(9),
        "type": "progress",
        "of": {"type": "assistant"},
    },
    "task result with its own usage": result("ok", toolUseResult={"usage": {"input_tokens": 7}}),
    "tool output that reads like a line": result(json.dumps(assistant(9))),
    "tool output that reads like a boundary": result(json.dumps(boundary())),
    "tool result holding the line as an object": result("", toolUseResult=assistant(9)),
    "tool result holding a boundary as an object": result("", toolUseResult=boundary()),
    "boundary of a sidechain": boundary(isSidechain=True),
    "boundary by subtype alone": boundary(type="user"),
    "boundary of another kind": boundary(subtype="microcompact_boundary"),
    "half a line": compact(assistant(9))[:-20],
    "the end of a line": compact(assistant(9))[30:-1],
    "a half and a whole spliced": compact(assistant(9))[:60] + compact(assistant(9))[:-1],
    "two lines without a newline": compact(assistant(9))[:-1] * 2,
    "NULs inside": compact(assistant(9)).replace(b'"usage"', b'"usage"\0\0')[:-1],
    "deep nesting": b'{"type":"assistant","usage":' + b"[" * 100_000,
    "a huge number": b'{"type":"assistant","message":{"usage":{"input_tokens":'
    + b"9" * 9000
    + b"}}}",
    "a list": b'["usage",{"type":"assistant"}]',
    "NaN": compact(assistant(9))[:-1].replace(b":9,", b":NaN,"),
    "empty": b"",
    "blank": b"   ",
    "not UTF-8": b'\xff\xfe"usage""type":"assistant"',
}


@pytest.mark.parametrize("line", SKIPPED.values(), ids=SKIPPED.keys())
def test_lines_that_are_no_reading(write, line: dict | bytes) -> None:
    """A line that is not main-thread usage is skipped, and the reading before it stays current."""
    assert tokens_of(write(assistant(1000), line)) == 1065
    assert tokens_of(write(line)) is None


READ = {
    "plain": (compact(assistant(2000))[:-1], 2065),
    "with blanks after the colons": (json.dumps(assistant(2000)).encode(), 2065),
    "no isSidechain at all": (assistant(2000, isSidechain=None), 2065),
    "caches left out": (assistant(usage={"input_tokens": 70, "output_tokens": 7}), 77),
    "caches null": (assistant(usage={"input_tokens": 70, "cache_read_input_tokens": None}), 70),
    "input zero, all from the cache": (
        assistant(usage={"input_tokens": 0, "cache_read_input_tokens": 900}),
        900,
    ),
    "NULs before": (b"\0" * 4096 + compact(assistant(2000))[:-1], 2065),
    "CRLF": (compact(assistant(2000))[:-1] + b"\r", 2065),
    "NUL in a string": (compact(assistant(2000, text="X"))[:-1].replace(b"X", b"\0"), 2065),
    "broken UTF-8 in a text": (
        compact(assistant(2000, text="X"))[:-1].replace(b"X", b"\xff"),
        2065,
    ),
    "text that names a boundary": (assistant(2000, text='{"subtype":"compact_boundary"}'), 2065),
    "one megabyte of text": (assistant(2000, text="usage " * 200_000), 2065),
    "boundary": (boundary(), 2646),
    "boundary of size zero": (boundary(0), 0),
}


@pytest.mark.parametrize(("line", "tokens"), READ.values(), ids=READ.keys())
def test_lines_that_are_a_reading(write, line: dict | bytes, tokens: int) -> None:
    """The newest reading wins, whatever lines are before and after it."""
    assert tokens_of(write(assistant(1000), line, result("x" * 70_000))) == tokens


@pytest.mark.parametrize(
    "broken",
    [
        boundary(post=None),
        boundary(post="2646"),
        boundary(post=-1),
        boundary(compactMetadata=None),
        boundary(compactMetadata=[1]),
    ],
    ids=["missing", "string", "negative", "no metadata", "a list"],
)
def test_a_boundary_without_a_size_is_unknown(write, broken: dict) -> None:
    """After a compaction without a readable size, older usage is not current: the size is unknown."""
    assert last_usage(write(assistant(1000), broken)) is None
    assert tokens_of(write(assistant(1000), broken, assistant(7))) == 72


def test_fields_of_a_reading(write) -> None:
    """A reading has the model as the API names it and as the user chose it."""
    usage = last_usage(write(assistant(7)))
    assert usage is not None
    assert (usage.tokens, usage.output) == (7 + 10 + 5 + 50, 50)
    assert (usage.model, usage.requested_model) == ("claude-opus-5-5", "claude-opus-5-5[1m]")
    assert usage.ts == AT


@pytest.mark.parametrize("stamp", [None, 5, "", "yesterday"], ids=str)
def test_a_line_without_a_time_is_still_a_reading(write, stamp: object) -> None:
    """Without a timestamp the size is known and the time unknown."""
    usage = last_usage(write(assistant(7, timestamp=stamp)))
    assert usage is not None
    assert usage.tokens == 72


@pytest.mark.parametrize(
    "kind", ["missing", "folder", "empty", "NUL", "surrogate", "fifo", "device"]
)
def test_what_is_no_transcript_is_unknown_at_once(tmp_path: Path, kind: str) -> None:
    """Anything that is no transcript is unknown immediately: no error, and no waiting on a FIFO."""
    path = tmp_path / kind
    if kind == "folder":
        path.mkdir()
    elif kind == "empty":
        path.touch()
    elif kind == "fifo":
        os.mkfifo(path)
    name = {"NUL": "a\0b", "surrogate": "\ud800", "device": "/dev/zero"}.get(kind, str(path))
    assert last_usage(name) is None
    assert caught_up(name, "Done.") is False


def test_no_descriptor_is_left_open(write, tmp_path: Path) -> None:
    """However a search ends, it leaves no file open."""
    paths = [write(assistant(1), assistant(2)), str(tmp_path), str(tmp_path / "none")]
    before = len(os.listdir("/dev/fd"))
    for path in paths * 5:
        last_usage(path)
        caught_up(path, "Done.")
    assert len(os.listdir("/dev/fd")) == before


def test_the_cap_ends_the_search(write) -> None:
    """A reading is found only if its whole line is within the cap."""
    path = write(assistant(1000), result("x" * 5000))
    size = os.path.getsize(path)
    assert tokens_of(path, cap=size - 1) is None
    assert tokens_of(path, cap=size) == 1065


def test_reads_at_most_the_cap_of_a_huge_file(tmp_path: Path, monkeypatch) -> None:
    """Of 200 MB without a newline at most the cap is read; if the end suffices, one block."""
    path = tmp_path / "huge.jsonl"
    with path.open("wb") as file:
        file.truncate(200_000_000)
    read: list[int] = []
    real = os.pread
    monkeypatch.setattr(transcript.os, "pread", lambda fd, n, at: read.append(n) or real(fd, n, at))
    assert last_usage(str(path)) is None
    assert 0 < sum(read) <= transcript.CAP
    with path.open("ab") as file:
        file.write(b"\n" + compact(assistant(1000)))
    read.clear()
    assert tokens_of(str(path)) == 1065
    assert read == [transcript.BLOCK]


def test_lines_of_no_interest_are_not_parsed(write, monkeypatch) -> None:
    """Request lines that contain a usage and an assistant's message are not parsed."""
    request = {
        "type": "api-request",
        "body": {
            "messages": [{"role": "assistant", "content": "x" * 70_000}],
            "usage": {"input_tokens": 5},
        },
    }
    path = write(assistant(1000), *[request] * 8, result('{"type":"assistant","usage":{}}'))
    parsed: list[int] = []
    real = transcript.loads
    monkeypatch.setattr(transcript, "loads", lambda line: parsed.append(len(line)) or real(line))
    assert tokens_of(path) == 1065
    assert len(parsed) == 1
