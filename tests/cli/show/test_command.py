"""`journal show`: what it prints of a session, in each form."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import SID as PLAYED
from tests.cli.conftest import workspace as workspace  # noqa: PLC0414 (a fixture)
from tests.cli.show.conftest import SECRET
from tests.journal.history.conversations.lines import SID, reply_line

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Workspace


def transcript(workspace: Workspace) -> Path:
    """Return the transcript."""
    return next((workspace.top / "claude/projects").glob(f"*/{SID}.jsonl"))


@pytest.mark.parametrize("form", ["", "--markdown", "--json", "--tools"])
def test_nothing_secret_private_or_live_in_it(imported: Workspace, form: str) -> None:
    """No form has the secret, the private text, or a character a terminal interprets."""
    out = imported.journal("show", SID, *filter(None, [form])).out
    assert SECRET not in out
    assert "salary" not in out
    assert "[private]" in out
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f\u202e]", out)


def test_without_a_selector_it_is_the_last_session(imported: Workspace) -> None:
    """`journal show` reads the session that `journal show last` reads."""
    assert imported.journal("show").out == imported.journal("show", "last").out != ""


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
                 "The sum ignored tax", "Compaction (automatic)", "Cannot be resumed: its transcript does not exist"):  # fmt: skip
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


BAD = {
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


def test_json_is_what_it_says(imported: Workspace) -> None:
    """The output is one JSON value, also for another project's session, from anywhere."""
    result = imported.journal("show", SID, "--json", cwd=imported.top)
    assert json.loads(result.out)["session"] == SID
