"""A conversation read from a transcript: what it contains, omits and cannot read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.history.conversations.transcript import read_lines, read_transcript
from journal.history.importer.records import line_from
from projections.prose import CONTINUED
from tests.support.rows import each

from .lines import SID, compacted, got, line, prompt_line, reply_line, use, written

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "sk-ant-api03-" + "Ab3dEf6hIj" * 9


def read(*lines: dict[str, Any], **options: Any) -> Any:
    """Read a conversation from lines."""
    return read_lines((line_from(one) for one in lines), **options)


def outline(*lines: dict[str, Any]) -> list[tuple[str, str]]:
    """Return kind and text of each entry."""
    return [(entry.kind, entry.text) for entry in read(*lines).entries]


PROMPTS = {
    "typed": (prompt_line(1, "fix it"), ("prompt", "fix it")),
    "blocks": (prompt_line(1, [{"type": "text", "text": "fix"}, {"type": "text", "text": "it"}]), ("prompt", "fix\nit")),
    "picture": (prompt_line(1, [{"type": "text", "text": "see"}, {"type": "image"}]), ("prompt", "see\n[image]")),
    "numbered picture": (prompt_line(1, [{"type": "text", "text": "see [Image #1]"}, {"type": "image"}]), ("prompt", "see [Image #1]")),
    "stopped by a hook": (prompt_line(1, "Operation stopped by hook: The barn is locked."), ("note", "a hook stopped the prompt: The barn is locked.")),
    "stopped without a reason": (prompt_line(1, "Operation stopped by hook"), ("note", "a hook stopped the prompt")),
    "blocked by a hook": (line("system", 1) | {"content": "UserPromptSubmit operation blocked by hook:\nlocked\n\nOriginal prompt: open it"}, ("note", "a hook stopped the prompt: open it")),
    "failed command": (line("system", 1, subtype="local_command") | {"content": "<local-command-stderr>Error during compaction</local-command-stderr>"}, ("note", "Error during compaction")),
    "output of a local command": (line("system", 1, subtype="local_command") | {"content": "<local-command-stdout>Renamed</local-command-stdout>"}, None),
    "synthetic": (reply_line(1, "Try again later.", isApiErrorMessage=True), ("note", "Try again later.")),
    "synthetic without content": (reply_line(1, "No response requested.", isApiErrorMessage=True), None),
    "command": (prompt_line(1, "<command-name>/deploy</command-name><command-args>now</command-args>"), ("prompt", "/deploy now")),
    "shell": (prompt_line(1, "<bash-input>ls -l</bash-input>"), ("prompt", "! ls -l")),
    "task": (prompt_line(1, "<task-notification><summary>tests ran</summary></task-notification>"), ("note", "tests ran")),
    "interrupted": (prompt_line(1, "[Request interrupted by user]"), ("note", "interrupted by the user")),
    "reminder beside": (prompt_line(1, "fix it\n<system-reminder>be brief</system-reminder>"), ("prompt", "fix it")),
    "wide": (prompt_line(1, "在庫を直す"), ("prompt", "在庫を直す")),
    "private": (prompt_line(1, "use <private>my name</private> here"), ("prompt", "use [private] here")),
    "private, never closed": (prompt_line(1, "use <PRIVATE>my name"), ("prompt", "use [private]")),
    "meta": (prompt_line(1, "a skill's text", isMeta=True), None),
    "output of a command": (prompt_line(1, "<local-command-stdout>x</local-command-stdout>"), None),
    "reminder": (prompt_line(1, [{"type": "text", "text": "<system-reminder>x</system-reminder>"}]), None),
    "blank": (prompt_line(1, "  "), None),
    "duration of a turn": (line("system", 1, subtype="turn_duration"), None),
}  # fmt: skip


@each("case", PROMPTS.values(), ids=PROMPTS.keys())
def test_what_stands_as_a_prompt(case: Any) -> None:
    """What the user wrote is a prompt; what Claude Code wrote is a note or no entry."""
    given, expected = case
    assert outline(given) == ([expected] if expected else [])


def test_a_turn() -> None:
    """A reply in several lines is one answer whose tokens count once, and a call has its result."""
    found = read(
        prompt_line(1, "fix the cart"),
        reply_line(2, "I look.", name="m1", out=1),
        reply_line(2, "Then I fix.", name="m1", out=7),
        reply_line(3, use("Bash", "t1", command="pytest -q", description="run"), name="m1", out=9),
        got(4, "t1", "a\nb\nc\n"),
        reply_line(
            5, use("Edit", "t2", file_path="/home/dev/shop/cart.py", old_string="a"), name="m2"
        ),
        got(6, "t2", "Exit code 3\noops", error=True),
        reply_line(7, "Done."),
    )
    assert [(entry.kind, entry.text) for entry in found.entries] == [
        ("prompt", "fix the cart"),
        ("answer", "I look.\n\nThen I fix."),
        ("tool", ""), ("tool", ""),
        ("answer", "Done."),
    ]  # fmt: skip
    first, second = (entry.tool for entry in found.entries if entry.tool)
    assert (first.name, first.about, first.ok, first.outcome) == (
        "Bash",
        "pytest -q",
        True,
        "3 lines",
    )
    assert (second.ok, second.outcome) == (False, "Exit code 3 oops")
    assert first.input == first.output == ""
    assert found.files == []  # the only edit failed
    assert found.tokens["output_tokens"] == 9 + 10 + 10
    assert found.entries[-1].context == 1015


def test_a_rewind() -> None:
    """A note before the prompt that follows a rewind names what it took back."""
    above = [prompt_line(1, "plan it") | {"parentUuid": "a"}, reply_line(2, "Planned."),
             line("system", 3, subtype="compact_boundary"), prompt_line(4, "use BETA")]  # fmt: skip
    note = 'no longer in the conversation: "use BETA", "plan it", "Planned."'
    other = prompt_line(5, "use ALPHA") | {"parentUuid": "a"}
    assert outline(*above, other)[-2:] == [("note", note), ("prompt", "use ALPHA")]
    mark = {"type": "last-prompt", "leafUuid": "00000000-0000-0000-0000-000000000000"}
    to_first = outline(*above, other | {"parentUuid": "b"}, mark)
    assert to_first[-1] == ("prompt", "use ALPHA")
    assert sorted(to_first[-2][1]) == sorted(note)
    assert outline(*above, other | {"parentUuid": "b"})[-2] == ("prompt", "use BETA")


def test_details_are_read_where_they_are_asked_for() -> None:
    """Details are read for all calls or for the named ones; long ones are cut and say so."""
    lines = [reply_line(1, use("Bash", "t1", command="make"), use("Read", "t2", file_path="x")),
             got(2, "t1", "y" * 9_000), got(3, "t2", "z")]  # fmt: skip
    first, second = (entry.tool for entry in read(*lines, details=True).entries if entry.tool)
    assert first.input == "command: make"
    assert first.output.endswith("y\n… 1,000 characters more")
    assert second.output == "z"
    first, second = (entry.tool for entry in read(*lines, details={"t2"}).entries if entry.tool)
    assert (first.output, second.output) == ("", "z")


@pytest.mark.parametrize(
    ("text", "summary"),
    [(f"{CONTINUED} that ran out of context.\n\nThe barn is red.", "The barn is red."),
     (f"{CONTINUED}.", f"{CONTINUED}."), ("The barn is red.\nThe door too.",) * 2],
)  # fmt: skip
def test_the_clients_line_above_a_summary(text: str, summary: str) -> None:
    """A summary is what the model wrote, without Claude Code's line above it."""
    made = read(*compacted(5, text)).entries[0].compaction
    assert made is not None
    assert made.summary == summary


def test_a_compaction() -> None:
    """A compaction has its tokens and summary, and follows the command that requested it."""
    entries = read(
        prompt_line(1, "go"),
        *compacted(5, "what was done", trigger="manual"),
        prompt_line(4, "<command-name>/compact</command-name>"),
        prompt_line(6, "<command-name>/compact</command-name>"),  # there was nothing to compact
    ).entries
    assert [entry.kind for entry in entries] == ["prompt", "prompt", "compaction", "prompt"]
    made = entries[-2].compaction
    assert made is not None
    assert (made.trigger, made.before, made.after) == ("manual", 167_000, 12_000)
    assert made.summary == "what was done"


@pytest.mark.parametrize("where", ["prompt", "answer", "input", "output", "title", "summary"])
def test_secrets_are_redacted_everywhere(where: str) -> None:
    """A secret in any member of a transcript appears in no member of the conversation."""
    text = {where: f"the key is {SECRET} and"}.get
    found = read(
        line("custom-title", 0, customTitle=text("title", "")),
        prompt_line(1, text("prompt", "x")),
        reply_line(2, text("answer", "y"), use("Bash", "t1", command=text("input", "z"))),
        got(3, "t1", text("output", "w")),
        *compacted(4, text("summary", "v")),
        details=True,
    )
    shown = repr([found.title, found.entries])
    assert SECRET not in shown
    assert "[redacted:" in shown


def test_a_secret_at_the_cut_is_not_shown_in_part() -> None:
    """A text is redacted before it is cut."""
    found = read(prompt_line(1, "x" * 99_990 + " " + SECRET)).entries[0]
    assert "sk-ant" not in found.text
    assert found.cut


def test_broken_lines_are_counted(tmp_path: Path) -> None:
    """A broken, spliced or torn line, or one of NULs, is counted and costs no other line."""
    path = written(
        tmp_path / f"{SID}.jsonl", prompt_line(1, "one"), '{"type":"user", broken', b"\0\0\0",
        '{"type":"assi' + '{"type":"user","timestamp":"2026-11-20T10:00:02.000Z","message":{"content":"two"}}',
        "[" * 5000 + '"user"', prompt_line(3, "three"),
    )  # fmt: skip
    with path.open("ab") as file:
        file.write(b'{"type":"user","message":{"con')
    found = read_transcript(str(path))
    assert [entry.text for entry in found.entries] == ["one", "two", "three"]
    assert found.skipped.torn == 1
    assert found.skipped.broken >= 3


def test_subagents_are_attributed(tmp_path: Path) -> None:
    """A subagent's transcript follows the call that started it; if that is unknown, it goes by time."""
    folder = tmp_path / SID / "subagents"
    main = written(tmp_path / f"{SID}.jsonl", prompt_line(1, "go"), reply_line(2, use("Agent", "t1", description="look")),
                   got(9, "t1", "found"), reply_line(10, "Done."))  # fmt: skip
    written(folder / "agent-a1.jsonl", prompt_line(3, "look around", isSidechain=True, agentId="a1"),
            reply_line(4, "It is in cart.py.", isSidechain=True, agentId="a1"))  # fmt: skip
    (folder / "agent-a1.meta.json").write_text('{"toolUseId": "t1"}')
    written(folder / "agent-b2.jsonl", reply_line(11, "late", isSidechain=True, agentId="b2"))
    (folder / "agent-b2.meta.json").write_text("not json")
    found = read_transcript(str(main))
    assert [(entry.agent, entry.kind) for entry in found.entries] == [
        ("", "prompt"), ("", "tool"), ("a1", "prompt"), ("a1", "answer"), ("", "answer"), ("b2", "answer"),
    ]  # fmt: skip
    assert found.tokens["output_tokens"] == 40


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
MEMBERS = ("type", "subtype", "message", "content", "timestamp", "isSidechain", "agentId", "uuid",
           "compactMetadata", "isCompactSummary", "customTitle", "cwd", "gitBranch", "toolUseResult")  # fmt: skip


@given(st.lists(st.dictionaries(st.sampled_from(MEMBERS), JSON)))
def test_no_line_breaks_it(lines: list[dict[str, Any]]) -> None:
    """Members of any form give entries or none, and raise nothing."""
    for one in lines:
        read({**one, "type": "user"}, {**one, "type": "assistant"}, {**one, "type": "system"}, one)


def test_a_fast_reply_with_writes_for_an_hour() -> None:
    """The speed is not added up as tokens, and the one-hour cache is counted once."""
    usage = {
        "input_tokens": 10,
        "cache_creation_input_tokens": 100,
        "output_tokens": 5,
        "cache_creation": {"ephemeral_1h_input_tokens": 100},
        "speed": "fast",
    }
    reply = reply_line(1, "Done.")
    reply["message"]["usage"] = usage
    found = read(reply)
    assert found.entries[-1].context == 115
    assert sum(found.tokens.values()) == 115


@pytest.mark.parametrize(("error", "files"), [(False, ["/home/dev/shop/a.py"]), (True, [])])
def test_a_failed_call_changes_no_file(error: bool, files: list[str]) -> None:
    """A file is listed as changed if the call succeeded, as everywhere else."""
    call = use("Edit", "t1", file_path="/home/dev/shop/a.py", old_string="a", new_string="b")
    assert read(reply_line(1, call), got(2, "t1", "done", error=error)).files == files
    assert read(reply_line(1, call)).files == []


def test_what_a_fork_repeats_is_marked() -> None:
    """Older entries than the session are copies: they are shown, but not as its files or tokens."""
    call = use("Edit", "t1", file_path="/home/dev/shop/a.py", old_string="a", new_string="b")
    found = read(reply_line(1, call), got(2, "t1", "done"), prompt_line(5, "go on"),
                 reply_line(6, "ok", out=7), began="2026-11-20T10:00:05.000Z")  # fmt: skip
    assert [entry.copied for entry in found.entries] == [True, False, False]
    assert (found.files, found.tokens["output_tokens"]) == ([], 7)


def test_prompts_before_the_hook_of_a_start_are_no_copies() -> None:
    """`/clear` and `!` commands are older than the session's recorded start; a fork has replies."""
    lines = (prompt_line(1, "<bash-input>ls</bash-input>"), reply_line(6, "ok", out=7))
    found = read(*lines, began="2026-11-20T10:00:05.000Z")
    assert [entry.copied for entry in found.entries] == [False, False]
    found = read(*lines, began="2026-11-20T10:00:07.000Z")
    assert [entry.copied for entry in found.entries] == [True, True]


def test_a_conversation_lasts_from_its_first_line_to_its_latest() -> None:
    """The lines of a resumed session may not be in the order of time."""
    found = read(prompt_line(2, "fix it"), reply_line(7, "ok"), prompt_line(5, "go on"))
    assert (found.started[17:19], found.last[17:19]) == ("02", "07")
