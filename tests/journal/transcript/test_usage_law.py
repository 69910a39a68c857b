"""Law: reading backwards gives the same as reading forwards, wherever the file is cut."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.transcript import usage
from journal.transcript.usage import last_usage
from tests.support.examples import examples

if TYPE_CHECKING:
    from collections.abc import Iterator


def forward(data: bytes, cap: int) -> tuple | None:
    """Read every whole line in the last `cap` bytes from first to last: the oracle."""
    if len(data) > cap:
        data = data[len(data) - cap :]
        data = data[data.index(b"\n") + 1 :] if b"\n" in data else b""
    current = None
    for line in data.split(b"\n"):
        try:
            record = json.loads(line.strip(b"\0 \t\r").decode("utf-8", "replace"), strict=False)
        except ValueError:
            continue
        if not isinstance(record, dict) or record.get("isSidechain"):
            continue
        if record.get("subtype") == "compact_boundary" and record.get("type") == "system":
            detail = record["compactMetadata"]
            post = detail.get("postTokens")
            current = None if post is None else ("boundary", post, record.get("timestamp", ""))
        elif record.get("type") == "assistant" and not record.get("isApiErrorMessage"):
            message = record["message"]
            usage = message["usage"]
            total = sum(value for value in usage.values() if isinstance(value, int))
            if message["model"] != "<synthetic>" and total:
                current = ("transcript", total, record.get("timestamp", ""))
    return current


@pytest.fixture(scope="module")
def backward(tmp_path_factory):
    """Return a function that reads `data` with the code under test."""
    path = tmp_path_factory.mktemp("law") / "session.jsonl"

    def answer(data: bytes, cap: int) -> tuple | None:
        path.write_bytes(data)
        usage = last_usage(str(path), cap)
        return usage and (usage.source, usage.tokens, usage.ts)

    return answer


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch) -> None:
    """Use blocks of a few bytes, so that every line crosses block boundaries."""
    monkeypatch.setattr(usage, "BLOCK", 48)


WORDS = st.sampled_from(
    [
        "",
        "done",
        '"usage"',
        "compact_boundary",
        '{"type":"assistant"}',
        "\0",
        "会話",
        "\u2028",
        "\\",
        "x" * 300,
    ]
)
NUMBER = st.integers(0, 200_000)


@st.composite
def spoken(draw) -> dict:
    """Draw an assistant line, trustworthy or not."""
    usage = {
        "input_tokens": draw(st.sampled_from([0, 3, 900])),
        "cache_creation_input_tokens": draw(st.sampled_from([0, 50])),
        "cache_read_input_tokens": draw(st.sampled_from([0, 120_000])),
        "output_tokens": draw(st.sampled_from([0, 40])),
    }
    model = draw(st.sampled_from(["claude-sonnet-4-5-20250929"] * 3 + ["<synthetic>"]))
    record = {
        "parentUuid": None,
        "isSidechain": draw(st.sampled_from([False, False, True])),
        "sessionId": "s",
        "type": "assistant",
        "message": {
            "model": model,
            "id": "msg_1",
            "role": "assistant",
            "content": [{"type": "text", "text": draw(WORDS)}],
            "usage": usage,
        },
        "timestamp": f"at {draw(NUMBER)}",  # tells one line from another
    }
    if draw(st.integers(0, 5)) == 0:
        record["isApiErrorMessage"] = True
    return record


@st.composite
def compacted(draw) -> dict:
    """Draw a compact_boundary line."""
    detail = {"trigger": "auto", "preTokens": draw(NUMBER)}
    if draw(st.booleans()):  # older clients left it out
        detail["postTokens"] = draw(NUMBER)
    return {
        "isSidechain": draw(st.sampled_from([False, False, False, True])),
        "type": "system",
        "subtype": "compact_boundary",
        "content": "Conversation compacted",
        "compactMetadata": detail,
    }


RESULT = st.builds(
    lambda text, extra: {
        "type": "user",
        "isSidechain": False,
        "message": {"role": "user", "content": [{"type": "tool_result", "content": text}]},
        "toolUseResult": extra,
    },
    WORDS,
    st.one_of(WORDS, spoken(), compacted()),
)
OTHER = st.sampled_from(
    [
        {"type": "mode", "mode": "normal"},
        {"type": "summary", "summary": "x"},
        {"type": "api-request", "body": "y" * 900},
    ]
)


def encoded(record: dict, blanks: bool) -> bytes:
    """Encode a line with or without spaces after its separators."""
    separators = (", ", ": ") if blanks else (",", ":")
    return json.dumps(record, ensure_ascii=False, separators=separators).encode()


RECORD = st.builds(
    encoded, st.one_of(spoken(), spoken(), compacted(), RESULT, OTHER), st.booleans()
)
DAMAGE = st.sampled_from(
    ["whole"] * 6 + ["torn", "headless", "nuls", "spliced", "garbage", "blank"]
)


@st.composite
def transcripts(draw) -> bytes:
    """Draw a file of such lines, some of them damaged."""
    out = bytearray()
    for line in draw(st.lists(RECORD, max_size=9)):
        how = draw(DAMAGE)
        cut = draw(st.integers(0, len(line)))
        out += {
            "whole": line + b"\n",
            "torn": line[:cut] + b"\n",
            "headless": line[cut:] + b"\n",
            "nuls": b"\0" * (cut % 200) + line + b"\n",
            "spliced": line[:cut] + line + b"\n",
            "garbage": b'\xff"usage"{"type":"assistant"\n',
            "blank": b"\n\r\n" + line + b"\n",
        }[how]
    return bytes(out)


@examples(150)
@given(data=transcripts(), cut=st.data(), cap=st.sampled_from([10**6, 10**6, 400, 1500]))
def test_backwards_equals_forwards(backward, data: bytes, cut: st.DataObject, cap: int) -> None:
    """The two agree for any mixture of lines, whole or damaged, at any cut and under any cap."""
    at = cut.draw(st.integers(0, len(data)))
    for end in {at, len(data)}:
        assert backward(data[:end], cap) == forward(data[:end], cap)


def session() -> Iterator[bytes]:
    """Return one session of the usual form: several lines a reply, large results, a compaction."""
    context = 20_000
    for turn in range(12):
        usage = {
            "input_tokens": 3,
            "cache_creation_input_tokens": 700,
            "cache_read_input_tokens": context,
            "output_tokens": 90,
            "cache_creation": {"ephemeral_5m_input_tokens": 700},
            "service_tier": "standard",
        }
        for block in ("thinking", "text", "tool_use"):
            message = {
                "model": "claude-opus-4-5-20251101",
                "id": f"msg_{turn}",
                "content": [{"type": block}],
            }
            side = turn % 5 == 3
            record = {
                "isSidechain": side,
                "type": "assistant",
                "message": {**message, "usage": usage},
            }
            yield encoded(record, blanks=False)
        body = "usage " * (40 if turn % 4 else 400)
        yield encoded(
            {"type": "user", "message": {"content": [{"type": "tool_result", "content": body}]}},
            False,
        )
        context += 790
        if turn == 6:
            detail = {"trigger": "auto", "preTokens": context, "postTokens": 24_000}
            yield encoded(
                {"type": "system", "subtype": "compact_boundary", "compactMetadata": detail}, False
            )
            yield encoded(
                {"type": "user", "isCompactSummary": True, "message": {"content": "Summary."}},
                False,
            )
            context = 24_000


def test_every_cut_of_a_session(backward) -> None:
    """For a session cut at any byte, reading backwards gives the same as forwards."""
    data = b"".join(line + b"\n" for line in session())
    answers = set()
    previous = None
    ends = [i for i in range(len(data) + 1) if i % 7 == 0 or data[i - 1 : i + 2].count(b"\n")]
    for end in ends:
        answer = backward(data[:end], 10**6)
        if answer != previous or end % 97 == 0:
            assert answer == forward(data[:end], 10**6), end
        previous = answer
        answers.add(answer)
    assert len(answers) == 1 + 10 + 1  # none yet, ten replies of the main thread, one boundary
