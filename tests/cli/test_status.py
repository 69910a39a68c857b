"""`journal status`: what it says of the project's files is what they say now."""

from __future__ import annotations

import pytest

from tests.cli.conftest import SID


def rows(workspace) -> dict[str, str]:
    """Return the rows of the status by their label."""
    lines = workspace.journal("status").out.splitlines()
    return {line[:12].strip(): line[12:] for line in lines if line[:1].strip()}


@pytest.fixture
def started(workspace):
    """A project with a session that began before there was a work file."""
    workspace.hook("SessionStart", SID, source="startup")
    return workspace


def test_work_files_since_the_last_hook_call(started):
    """An entry and a learning written since the last hook call count, in status and bare journal."""
    assert rows(started)["work log"] == "none (.claude/context/progress.md does not exist)"
    assert rows(started)["learnings"] == "none (no learnings file)"
    started.journal("learning", "add", "--topic", "cart", "--title", "Round once")
    log = started.project / ".claude/context/progress.md"
    log.write_text("# Log\n\n## 2026-11-21 Carts are rounded\n\nonce\n")
    shown = rows(started)
    assert shown["work log"].startswith("1 entry in .claude/context/progress.md")
    assert shown["compound"].startswith("1 entry not saved yet")
    assert shown["learnings"] == "1, 1 unverified"
    assert "Next: /journal:compound in Claude Code" in started.journal().out
    log.unlink()
    assert rows(started)["work log"].startswith("none")


def test_a_secret_in_a_heading(started):
    """A heading that holds a secret is shown redacted, as an event would have it."""
    log = started.project / ".claude/context/progress.md"
    log.parent.mkdir(parents=True)
    log.write_text("## 2026-11-21 token ghp_" + "a1B2" * 9 + "\n")
    assert "redacted" in started.journal("status").out
    assert "a1B2a1B2" not in started.journal("status", "--json").out


def test_a_compaction_that_was_given_up(started):
    """A `/compact` of which nothing came is named only where no compaction is finished."""
    started.hook("PreCompact", SID, trigger="manual", custom_instructions="")
    assert rows(started)["compaction"].endswith("attempted; no recovery text yet")
    assert "no warning yet" in rows(started)["pressure"]
    started.hook("SessionStart", SID, source="compact")
    done = rows(started)["compaction"]
    assert "manual #" in done
    assert "done; " in done
    started.hook("PreCompact", SID, trigger="auto", custom_instructions="")
    assert rows(started)["compaction"] == done.partition(";")[0]


def test_a_project_that_is_not_here(started):
    """Of a project whose directory is gone, the status says what was recorded."""
    log = started.project / ".claude/context/progress.md"
    log.parent.mkdir(parents=True)
    log.write_text("## 2026-11-21 Carts are rounded\n")
    started.hook("Stop", SID)
    started.project.rename(started.project.with_name("elsewhere"))
    said = started.journal("status", "--project", started.directory.name, cwd=started.top)
    assert "1 entry in .claude/context/progress.md" in said.out, said.err


def test_status_holds_all_views(played):
    """`status --json` is one object with a short form of every view."""
    data = played.journal("status", "--json").data
    assert {"project", "home", "journal", "seq", "events", "at", "complete", "findings", "pressure",
            "levels", "compound", "learnings", "compactions", "sessions", "config",
            "client"} <= data.keys()  # fmt: skip
    assert data["client"] == {"version": "2.1.330", "tested": True, "tested_range": "2.1.330"}
    assert data["sessions"]["open"] == [SID]
