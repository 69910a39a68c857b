"""The output and exit codes of `journal import`."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from tests.journal.history.importer.lines import prompt, reply
from tests.support.command import Result, run_command

if TYPE_CHECKING:
    from tests.journal.history.importer.conftest import Sandbox


def command(sandbox: Sandbox, *words: str) -> Result:
    """Run a command line in the sandbox."""
    return run_command(list(words), {**sandbox.env, "COLUMNS": "60", "NO_COLOR": "1"}, sandbox.top)


def test_what_it_says(sandbox: Sandbox) -> None:
    """It prints counts and upcoming deletions within the terminal's width; no bar in a pipe."""
    sandbox.write(prompt(), reply("m1"))
    sandbox.file.touch()
    first = command(sandbox, "import")
    assert first.code == 0
    assert "1 session, 1 prompt, 1 API response" in first.out.replace("\n", " ")
    assert max(map(len, first.out.splitlines())) <= 60
    assert first.err == ""
    second = command(sandbox, "import")
    assert "nothing is new" in " ".join(second.out.split())


def test_prompts_are_counted_as_in_reports(sandbox: Sandbox) -> None:
    """What a subagent was asked is no prompt of the session, neither here nor in a report."""
    sandbox.write(
        prompt(), {**prompt("of a subagent"), "uuid": "u9", "isSidechain": True, "agentId": "a1"}
    )
    assert "2 lines Added 1 session, 1 prompt " in command(sandbox, "import").out.replace("\n", " ")


def test_tool_calls_are_counted_as_in_reports(sandbox: Sandbox) -> None:
    """A call that failed is one of the calls, as in `journal show`."""
    uses = [{"type": "tool_use", "id": name, "name": "Bash", "input": {}} for name in "ab"]
    results: list[dict[str, object]] = [
        {"type": "tool_result", "tool_use_id": "a", "content": "ok"},
        {"type": "tool_result", "tool_use_id": "b", "content": "Exit code 1", "is_error": True},
    ]
    answer = reply("m1")
    answer["message"]["content"] = uses
    sandbox.write(prompt(), answer, prompt(results, 2))
    imported = " ".join(command(sandbox, "import").out.split())
    assert "2 tool calls, 1 failed tool call " in imported
    shown = command(sandbox, "show", "last", "--project", "/home/dev/shop").out
    assert "2 tool calls (1 failed)" in " ".join(shown.split())


def test_what_the_client_deletes(sandbox: Sandbox) -> None:
    """Transcripts within a week of cleanupPeriodDays are named, others are not."""
    import os

    from journal.clock import millis
    from tests.journal.history.importer.conftest import NOW

    sandbox.write(prompt())
    now = (millis(NOW) or 0) / 1000
    for days, setting, soon in ((25, None, 1), (20, None, 0), (20, 25, 1), (0, 1, 1), (25, 99, 0)):
        os.utime(sandbox.file, (now - days * 86_400 - 1,) * 2)
        (sandbox.client / "settings.json").write_text(
            json.dumps({"cleanupPeriodDays": setting} if setting else {})
        )
        assert len(command(sandbox, "import", "--json").data["expiring"]) == soon, (
            days,
            setting,
        )


def test_what_is_not_of_claude_code(sandbox: Sandbox) -> None:
    """Another file is said to hold nothing of Claude Code, and no deletion of it is announced."""
    import os

    other = sandbox.top / "notes.txt"
    other.write_text("one\ntwo\n")
    os.utime(other, (0, 0))
    found = command(sandbox, "import", str(other))
    assert "They contain no records of Claude Code" in found.out
    assert "cleanupPeriodDays" not in found.out
    copy = sandbox.top / "copy.jsonl"
    sandbox.write(prompt(), to=copy)
    os.utime(copy, (0, 0))
    found = command(sandbox, "import", str(copy))
    assert "PROJECT  EVENTS" in found.out
    assert "cleanupPeriodDays" not in found.out


def test_exit_codes(sandbox: Sandbox) -> None:
    """0 if all is well, even with a torn end; 1 for a bad line; 2 for a bad bound; 3: no path."""
    sandbox.write(reply("m1"), b'{"type":"assistant","mess')
    assert command(sandbox, "import", "--json").code == 0
    sandbox.write(b"\n", reply("m2"))
    found = command(sandbox, "import", "--json")
    assert (found.code, len(found.data["bad_lines"])) == (1, 1)
    assert command(sandbox, "import", "--since", "soon").code == 2
    assert command(sandbox, "import", "--since", "17").code == 2
    missing = command(sandbox, "import", "nowhere")
    assert (missing.code, "nowhere" in missing.err) == (3, True)


def test_a_path(sandbox: Sandbox) -> None:
    """PATH is a file, a folder of transcripts, or a client's directory."""
    sandbox.write(prompt(), reply("m1"))
    for path in (str(sandbox.file), str(sandbox.file.parent), str(sandbox.client)):
        assert (
            command(sandbox, "import", path, "--dry-run", "--json").data["added"]["usage.recorded"]
            == 1
        )
    empty = sandbox.top / "empty"
    empty.mkdir()
    found = command(sandbox, "import", str(empty))
    assert (found.code, "No transcripts" in found.out) == (0, True)


def test_hostile_names(sandbox: Sandbox) -> None:
    """No directory, id or branch name becomes a path or reaches a terminal unescaped."""
    for at, cwd in enumerate(
        ("/../../etc", "/x\0y", "relative", "/" + "a" * 5000, "/tmp/\x1b[31m")
    ):
        sandbox.write(prompt("hi", at, cwd=cwd, sessionId=f"../s{at}", gitBranch="\x1b]0;x\x07"))
    found = command(sandbox, "import")
    assert found.code == 0
    assert "\x1b" not in found.out + found.err
    assert {path.name for path in sandbox.top.iterdir()} <= {"claude", "journal"}
    assert sys.getsizeof(sandbox.events("prompt.submitted"))
    assert len(sandbox.events("prompt.submitted")) == 5
