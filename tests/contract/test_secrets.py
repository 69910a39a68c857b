"""A secret in every field that others fill does not get into any file of the journal home."""

from __future__ import annotations

import gzip
import json
import sqlite3
import zlib
from contextlib import closing
from importlib.util import find_spec
from typing import TYPE_CHECKING

import duckdb
import pytest

from tests.cases.world import OTHER
from tests.support.examples import part

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.cases.world import World

TOKEN = "ghp_" + 18 * "a1"
EXEMPT = {"config.toml", "statusline.json"}
"""Settings and copies of settings, which may contain it; FORMAT.md lists them."""


def holding(folder: Path) -> list[str]:
    """Return the files below a folder that contain the secret, and the names that do."""
    found = []
    for path in sorted(folder.rglob("*")):
        if TOKEN in path.name:
            found.append(f"name of {path.relative_to(folder)}")
        if path.is_file() and path.name not in EXEMPT and TOKEN.encode() in content(path):
            found.append(str(path.relative_to(folder)))
    return found


def content(path: Path) -> bytes:
    """Return the content of a file, unpacked if it is compressed."""
    data = path.read_bytes()
    if data.startswith(b"\x1f\x8b"):
        return gzip.decompress(data)
    if path.suffix == ".parquet":
        rows = duckdb.execute(f"select columns(*)::varchar from '{path}'").fetchall()
        return data + repr(rows).encode()
    if path.suffix == ".sqlite":
        return data + b"".join(blobs(path))
    return data


def blobs(path: Path) -> Iterator[bytes]:
    """Yield the compressed values of a database, unpacked."""
    with closing(sqlite3.connect(path)) as database:
        for (table,) in database.execute("select name from sqlite_schema where type = 'table'"):
            for row in database.execute(f'select * from "{table}"'):
                for value in row:
                    if isinstance(value, bytes) and value.startswith(b"\x78"):
                        yield zlib.decompress(value)


def plant(world: World) -> None:
    """Put the secret into the repository: branch, folder, work files, settings."""
    (world.project / ".git" / "HEAD").write_text(f"ref: refs/heads/{TOKEN}\n")
    (world.project / TOKEN).mkdir()
    entries = [f"## 2026-11-{day:02} {TOKEN} step\n\n{TOKEN}\n" for day in range(1, 16)]
    world.write("progress.md", "# Progress\n\n" + "\n".join(entries))
    world.write("learnings-feature.md", f"# Learnings\n\n### {TOKEN}\nbody {TOKEN}\n")
    world.write("task_plan.md", f"# Plan {TOKEN}\n")
    plans = world.project / "docs" / "plans"
    plans.mkdir(parents=True)
    (plans / ".cpm-progress.md").write_text(
        f"# {TOKEN}\n**Skill**: {TOKEN}\n**Phase**: 1 {TOKEN}\n"
    )
    (world.project / ".claude" / "journal.toml").write_text(f'[compound]\nphases = ["{TOKEN}"]\n')


def hooks(world: World) -> None:
    """Call every hook with the secret in each of its fields, including unknown ones."""
    fields = {
        "cwd": str(world.project / TOKEN), "permission_mode": TOKEN, "prompt_id": TOKEN,
        "agent_type": TOKEN, "model": TOKEN, "reason": TOKEN, "error": f"failed: {TOKEN}",
        "prompt": f"use {TOKEN} please", "session_title": TOKEN, "command_name": TOKEN,
        "command_args": TOKEN, "command_source": TOKEN, "expansion_type": TOKEN,
        "last_assistant_message": f"I used {TOKEN}", "custom_instructions": TOKEN,
        "compact_summary": f"<summary>{TOKEN}</summary>", "from_model": TOKEN, "to_model": TOKEN,
        "notification_type": TOKEN, "message": TOKEN, "tool_name": "Bash", "tool_use_id": TOKEN,
        "tool_input": {"command": f"curl {TOKEN}", "file_path": TOKEN, TOKEN: TOKEN},
        "tool_response": {"stdout": TOKEN, "status": TOKEN},
    }  # fmt: skip
    for event in ("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostToolUse",
                  "PostToolUseFailure", "SubagentStart", "SubagentStop", "PostModelSwitch",
                  "Notification", "Stop", "StopFailure", "PreCompact", "PostCompact", "SessionEnd",
                  "SomethingNew"):  # fmt: skip
        for more in ({}, {"agent_id": TOKEN}, {"sid": TOKEN}):
            world.hook(event, **{**fields, "source": "startup", "trigger": "auto", **more})
    for tool, given in (
        ("Edit", {"file_path": f"{world.project}/{TOKEN}.py"}),
        ("Write", {"file_path": f"{world.project}/docs/plans/.cpm-progress-{world.sid}.md"}),
        ("Skill", {"skill": TOKEN, "args": TOKEN}),
        ("TaskCreate", {"subject": TOKEN}),
        ("TodoWrite", {"todos": [{"content": TOKEN, "status": "pending"}]}),
    ):
        world.tool(tool, {"task": {"id": "1", "subject": TOKEN}, "stdout": TOKEN}, **given)
    world.feed(f"not JSON {TOKEN}".encode())


def test_hooks_and_their_answers(inline: World) -> None:
    """No file has it after any hook and its answer, such as the save point of a compaction."""
    plant(inline)
    inline.more = {"CLAUDE_CODE_ENTRYPOINT": TOKEN, "CLAUDE_MODEL": TOKEN}
    inline.reading(78, model=f"claude-{TOKEN}")
    hooks(inline)
    inline.bridge(80)
    assert "checkpoint.saved" in inline.types()
    assert "advice.given" in inline.types()
    assert holding(inline.journal) == []


def test_commands(inline: World) -> None:
    """No file has it after commands that record, import, summarize, search and tabulate."""
    plant(inline)
    inline.start()
    line = {"type": "user", "uuid": "u1", "sessionId": "s1", "cwd": str(inline.project / TOKEN),
            "gitBranch": TOKEN, "timestamp": "2026-11-20T09:00:00.000Z", "version": "2.1.330",
            "message": {"role": "user", "content": f"take {TOKEN}"}}  # fmt: skip
    past = inline.home / ".claude" / "projects" / f"-shop-{TOKEN}" / f"{OTHER}.jsonl"
    past.parent.mkdir(parents=True, exist_ok=True)
    past.write_text(json.dumps(line) + "\n")
    for words in (
        ("note", TOKEN), ("decide", TOKEN), ("compound", "--promoted", "1"),
        ("learning", "add", "--topic", "feature", "--title", f"T {TOKEN}", "--body", TOKEN),
        ("unit", "start", "U1", "--title", TOKEN, "--item", TOKEN),
        ("unit", "check", TOKEN), ("checkpoint", "--summary", TOKEN), ("stage", "start", "sprint"),
        ("import",), ("sql", "select * from events"), ("search", TOKEN), ("sessions",),
        ("summarize", "--all"), ("stats",), ("seal",), ("replay", "--answers"),
    ):  # fmt: skip
        assert inline.run(*words).code == 0, words
    assert {"flow.noted", "decision.recorded", "unit.started"} <= set(inline.types())
    assert holding(inline.journal) == []


def test_what_a_person_writes_about_their_work(inline: World) -> None:
    """No file has it after commands about work: progress, stages, units, packs, parts, exports."""
    plant(inline)
    inline.start()
    inline.prompt(f"rotate {TOKEN} in the deployment")
    inline.tool("Edit", {"stdout": TOKEN}, file_path=f"{inline.project}/{TOKEN}.py")
    groups = inline.home / "plan.json"
    groups.write_text(json.dumps([{"title": TOKEN, "groups": [1], "summary": f"so {TOKEN}"}]))
    commands = (
        ("progress", "save", "--phase", "1", "--skill", f"do:{TOKEN}", "--name", TOKEN,
         "--summary", f"used {TOKEN}", "--output", f"docs/{TOKEN}.md", "--next", TOKEN),
        ("stage", "start", "sprint", "--metric", "cost=1"), ("stage", "stop", "--reason", "asked"),
        ("unit", "start", f"U-{TOKEN}", "--title", TOKEN, "--item", TOKEN),
        ("unit", "finish"), ("decide", TOKEN),
        ("export-session", "--plan", str(groups)),
        ("pack", "make", "last", "--title", TOKEN, "--note", TOKEN),
        ("pack", "send", "last", inline.sid), ("pack", "list"), ("show", "last"), ("usage",),
        ("config", "set", "compound.phases", TOKEN), ("progress", "discard", "--yes"), ("search", TOKEN),
        ("sql", "select * from turns"), ("seal",),
    )  # fmt: skip
    for words in commands:
        done = inline.run(*words)
        assert done.code == 0, (words, done.err)
    inline.prompt("go on")
    inline.hook("PreCompact", trigger="auto", custom_instructions=TOKEN)
    inline.end()
    assert inline.run("summarize", "--again").code == 0
    for level in part(("none", "paths", "full"), 3):  # `none` exports the most
        to = inline.home / "export" / level
        words = ("--author", f"me-{TOKEN}", "--host", TOKEN)
        assert inline.run("export", "--to", str(to), "--redact", level, *words).code == 0
    if find_spec("deltalake"):  # needs the extra `team`; `none` exports the most
        to = inline.home / "export" / "team"
        delta = ("--to", str(to), "--format", "delta", "--redact", "none", *words)
        assert inline.run("export", *delta).code == 0
    types = set(inline.types())
    assert types >= {"progress.saved", "stage.stopped", "unit.finished", "context.queued",
                     "session.exported", "session.summarized", "pack.saved"}  # fmt: skip
    assert holding(inline.journal) == []
    assert list((inline.home / "export").rglob("*.parquet"))
    assert holding(inline.home / "export") == []


def test_what_the_server_writes(inline: World) -> None:
    """No file has it after observations and packs over the API; the server's own files neither."""
    pytest.importorskip("nicegui", reason="the extra `ui` is not installed")
    from tests.cli.serve.conftest import Asker

    plant(inline)
    inline.start()
    inline.prompt()
    server = Asker(str(inline.journal), inline.env())
    observed = {"session": inline.sid, "tool": TOKEN, "title": TOKEN, "text": f"x {TOKEN}"}
    for more in ({}, {"error": TOKEN}, {"text": "y" * 490 + TOKEN}):
        assert server.post("/api/obs", observed | more).status_code == 201, more
    pack = {"sessions": [inline.sid], "title": TOKEN, "note": TOKEN, "send_to": inline.sid}
    for more in ({}, {"text": TOKEN}):
        assert server.post("/api/packs", pack | more).status_code == 201, more
    assert server.get("/api/search", q=TOKEN).status_code == 200
    assert {"tool.finished", "tool.failed", "pack.saved", "context.queued"} <= set(inline.types())
    assert holding(inline.journal) == []


def test_the_name_of_a_project(inline: World) -> None:
    """If a project's folder is named like a secret, its journal gets another name."""
    project = inline.project.rename(inline.home / TOKEN)
    inline.project = project
    inline.start()
    inline.prompt()
    assert inline.types() == ["session.started", "prompt.submitted"]
    assert holding(inline.journal) == []


def test_errors_of_hooks(inline: World, tmp_path: Path) -> None:
    """The log of hook errors names the error without the secret."""
    from hooks.errors import note

    note(inline.env(), "Stop", ValueError(f"cannot read {TOKEN} at all"))
    text = (inline.journal / "hook-errors.log").read_text()
    assert "[redacted:github]" in text
    assert holding(inline.journal) == []


def test_the_search_itself_finds_it(inline: World) -> None:
    """A file that does contain the secret is found."""
    inline.start()
    (inline.journal / "leak").write_text(f"x{TOKEN}")
    (inline.journal / "leak.gz").write_bytes(gzip.compress(TOKEN.encode()))
    duckdb.connect().execute(f"copy (select '{TOKEN}') to '{inline.journal}/leak.parquet'")
    with closing(sqlite3.connect(inline.journal / "leak.sqlite")) as database:
        database.execute("create table kept (value)")
        database.execute("insert into kept values (?)", [zlib.compress(TOKEN.encode())])
        database.commit()
    assert holding(inline.journal) == ["leak", "leak.gz", "leak.parquet", "leak.sqlite"]
