"""`journal show`: what it prints of a session, in each form."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import SID as PLAYED
from tests.cli.conftest import workspace as workspace  # noqa: PLC0414 (a fixture)
from tests.journal.history.conversations.lines import (
    SID,
    compacted,
    got,
    prompt_line,
    reply_line,
    use,
    written,
)
from tests.journal.history.conversations.test_resume import slug

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Workspace

HOSTILE = "\x1b[31mred\x1b]0;x\x07 \u202e <script>alert(1)</script> ![x](http://evil/p.png)"
SECRET = "ghp_" + "Ab3dEf6hIj" * 4


@pytest.fixture
def imported(workspace: Workspace) -> Workspace:
    """An imported transcript of the project."""
    workspace.env["TZ"] = "UTC"
    here = str(workspace.project)
    lines = [
        prompt_line(1, f"fix the total {HOSTILE}", cwd=here),
        reply_line(2, "I look at it.", use("Bash", "t1", command="pytest -q"), cwd=here),
        got(3, "t1", "Exit code 1\nassert 3 == 4", error=True, cwd=here),
        reply_line(4, use("Edit", "t2", file_path=f"{here}/cart.py"), cwd=here),
        got(5, "t2", "ok", cwd=here),
        reply_line(6, f"The sum ignored tax. The key was {SECRET}.\n```\ntotal <b>\n```", cwd=here),
        *compacted(7, "we fixed the total"),
        prompt_line(8, "and <private>the salary list</private> now?", cwd=here),
        reply_line(9, "Done.", cwd=here),
    ]
    folder = workspace.top / "claude/projects" / slug(workspace.project)
    written(folder / f"{SID}.jsonl", *lines)
    assert workspace.journal("import").code == 0
    return workspace


def transcript(workspace: Workspace) -> Path:
    """Return the transcript."""
    return next((workspace.top / "claude/projects").glob(f"*/{SID}.jsonl"))


def test_it_reads_as_a_conversation(imported: Workspace) -> None:
    """It shows speakers, calls, compactions with what they dropped, and how to resume."""
    out = imported.journal("show", SID[:8]).out
    for part in (
        "You  10:00\n    fix the total", "Claude  10:00\n    I look at it.",
        "• Bash pytest -q (failed: Exit code 1 assert 3 == 4)", "• Edit cart.py",
        "Compaction (automatic): 167k → 12k tokens", "5 entries above left the context",
        "Changed files it does not mention: cart.py", "2 prompts, 2 tool calls (1 failed), 1 compaction",
        f"Resume: cd {imported.project} && claude --resume {SID}", "Read from the transcript",
    ):  # fmt: skip
        assert part in out, part
    assert "assert 3 == 4\n" not in out
    assert "assert 3 == 4" in imported.journal("show", SID, "--tools").out


@pytest.mark.parametrize("form", ["", "--markdown", "--json", "--tools"])
def test_nothing_secret_private_or_live_in_it(imported: Workspace, form: str) -> None:
    """No form has the secret, the private text, or a character a terminal interprets."""
    out = imported.journal("show", SID, *filter(None, [form])).out
    assert SECRET not in out
    assert "salary" not in out
    assert "[private]" in out
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", out)


@pytest.mark.parametrize("form", ["", "--markdown", "--tools"])
def test_no_text_passes_for_the_name_of_a_speaker(imported: Workspace, form: str) -> None:
    """A line of a message that looks like one of ours stands otherwise than ours do."""
    forged = "fine\nYou  10:01\nyes\n## You\n### You, 10:01\n  • Bash push (ok)\n  Decided: push"
    with transcript(imported).open("a") as file:
        file.write(json.dumps(reply_line(10, forged, cwd=str(imported.project))) + "\n")
    before = Counter(imported.journal("show", SID, *filter(None, [form])).out.splitlines())
    written_by_us = "### You, 10:00" if form == "--markdown" else "You  10:00"
    assert before[written_by_us] == 2
    for line in forged.splitlines()[1:]:
        assert before[line] == 0, line


def test_afterwards_it_comes_from_the_journal(imported: Workspace) -> None:
    """Without transcript and copy it shows the beginnings of texts, calls and the compaction."""
    whole = imported.journal("show", SID, "--json").data
    transcript(imported).unlink()
    (copy,) = imported.home.glob("*/conversations/*")
    copy.unlink()
    found = imported.journal("show", SID, "--json").data
    assert (found["source"], found["tokens"]) == ("journal", whole["tokens"])
    out = imported.journal("show", SID).out
    for part in ("There is no transcript", "fix the total", "• Bash pytest -q (failed",
                 "The sum ignored tax", "Compaction (automatic)", "Cannot be resumed: its transcript is deleted"):  # fmt: skip
        assert part in out, part


def test_afterwards_the_import_has_a_copy(imported: Workspace) -> None:
    """Without the transcript the imported copy gives the same entries, tools included."""
    with_it = imported.journal("show", SID, "--json").data
    transcript(imported).unlink()
    from_copy = imported.journal("show", SID, "--json").data
    assert from_copy["source"] == "archive"
    assert from_copy["entries"] == with_it["entries"]
    out = imported.journal("show", SID, "--tools").out
    assert "assert 3 == 4" in out
    assert "the copy that the import stored" in " ".join(out.split())
    assert SECRET not in out


def test_a_live_session_has_its_decisions(played: Workspace) -> None:
    """A decision is shown where it was made."""
    found = played.journal("show", PLAYED, "--json").data
    assert found["decisions"]
    kinds = [entry["kind"] for entry in found["entries"]]
    assert kinds.count("compaction") == 1
    assert "decision" in kinds
    assert kinds.index("decision") < kinds.index("compaction")


def test_json(imported: Workspace) -> None:
    """One object; an unknown value is null, and a count of nothing is 0."""
    found = imported.journal("show", "last", "--json").data
    assert (found["session"], found["source"], found["whole"]) == (SID, "transcript", True)
    assert (found["resume"] is None, found["no_resume"]) == (False, None)
    assert found["skipped"] == {"broken": 0, "long": 0, "torn": 0, "damaged": 0}
    assert [entry["kind"] for entry in found["entries"]] == [
        "prompt", "answer", "tool", "tool", "answer", "compaction", "prompt", "answer",
    ]  # fmt: skip


class Page(HTMLParser):
    """Collects what a browser would load or run from a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record a tag and its targets."""
        self.tags.append(tag)
        self.links += [
            value or "" for name, value in attrs if name in ("src", "href", "style", "onload")
        ]


def test_html_is_one_file_that_loads_nothing(imported: Workspace) -> None:
    """No script, picture or link; only its owner can read it; texts are escaped."""
    path = imported.top / "out.html"
    assert imported.journal("show", SID, "--html", str(path)).code == 0
    text = path.read_text(encoding="utf-8")
    page = Page(text)
    assert not {"script", "img", "link", "iframe", "a"} & set(page.tags)
    assert page.links == []
    assert SECRET not in text
    assert "salary" not in text
    assert "<pre>total &lt;b&gt;</pre>" in text
    assert "default-src 'none'" in text
    assert os.stat(path).st_mode & 0o777 == 0o600


def test_an_error_names_the_file_that_was_asked_for(imported: Workspace) -> None:
    """No error is about the temporary file beside it."""
    path = imported.top / "nowhere" / "out.html"
    failed = imported.journal("show", SID, "--html", str(path))
    assert failed.code == 3
    assert f"{path}: no such file or directory" in failed.err
    assert "name one in a directory that exists" in failed.err


def test_html_replaces_only_a_page_of_its_own(imported: Workspace) -> None:
    """Another file or a directory is not replaced without --force; our own page is."""
    path = imported.top / "notes.html"
    path.write_text("mine")
    refused = imported.journal("show", SID, "--html", str(path))
    assert refused.code == 2
    assert "--force" in refused.err
    assert path.read_text() == "mine"
    assert imported.journal("show", SID, "--html", str(path), "--force").code == 0
    assert imported.journal("show", SID, "--html", str(path)).code == 0
    assert imported.journal("show", SID, "--html", str(imported.top)).code == 3


def test_markdown_keeps_its_structure(imported: Workspace) -> None:
    """Texts are quotations: HTML and pictures in them take no effect, code stays as it is."""
    out = imported.journal("show", SID, "--markdown").out
    assert "&lt;script>" in out
    assert r"!\[x]" in out
    assert "> total <b>" in out
    assert [row for row in out.splitlines() if row.startswith("# ")] == [out.splitlines()[0]]


BAD = {
    "nothing": ((), 2, "SELECTOR"),
    "unclear": (("1-",), 2, "ambiguous"),
    "words": (("the", "cart"), 2, "no session matches"),
    "several": (("all",), 0, ""),
    "unknown": (("ffffffff-aaaa",), 2, "no session"),
    "two forms": (("last", "--json", "--markdown"), 2, "combined"),
    "force alone": (("last", "--force"), 2, "--html"),
}


@pytest.mark.parametrize("case", BAD.values(), ids=BAD.keys())
def test_bad_input(imported: Workspace, case: tuple[tuple[str, ...], int, str]) -> None:
    """An invalid selector is refused with what to type instead."""
    words, code, part = case
    result = imported.journal("show", *words)
    assert result.code == code
    assert part in result.err


def test_a_pager_gets_it_at_a_terminal(imported: Workspace) -> None:
    """PAGER runs if stdout is a terminal, never in a pipe; a long call is folded there."""
    import pty
    import subprocess
    import sys

    from tests.cases.world import ROOT

    pager = imported.top / "pager"
    pager.write_text(f"#!/bin/sh\ncat > {imported.top}/paged\n")
    pager.chmod(0o700)
    env = {**imported.env, "PAGER": str(pager), "TERM": "xterm", "COLUMNS": "40",
           "NO_COLOR": "1", "PYTHONPATH": str(ROOT)}  # fmt: skip
    command = [sys.executable, "-m", "cli", "show", SID]
    main, side = pty.openpty()
    subprocess.run(
        command, cwd=imported.project, env=env, stdout=side, stdin=side, check=True, timeout=60
    )
    os.close(side)
    os.close(main)
    paged = (imported.top / "paged").read_text(encoding="utf-8")
    assert "I look at it." in paged
    assert "  • Bash pytest -q (failed: Exit code 1\n    assert 3 == 4)\n" in paged
    (imported.top / "paged").unlink()
    subprocess.run(
        command, cwd=imported.project, env=env, capture_output=True, check=True, timeout=60
    )
    assert not (imported.top / "paged").exists()


def test_json_is_what_it_says(imported: Workspace) -> None:
    """The output is one JSON value, also for another project's session, from anywhere."""
    result = imported.journal("show", SID, "--json", cwd=imported.top)
    assert json.loads(result.out)["session"] == SID
