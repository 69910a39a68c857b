"""`journal redact` and `journal gc` as a person types them."""

from __future__ import annotations

import pytest

from journal.history.forget.collect import CLASSES
from tests.support.command import run_command

SECRET = "s0-Very-9rivate"


@pytest.fixture
def leaked(played):
    """The recorded session, with a secret in a prompt and in a call."""
    played.hook("UserPromptSubmit", prompt=f"use {SECRET} for it")
    played.hook("PostToolUse", tool_name="Bash", tool_use_id="toolu_9",
                tool_input={"command": f"login {SECRET}"}, tool_response={})  # fmt: skip
    return played


def test_without_yes_it_only_counts(leaked):
    """The dry run names files and counts, exits 1 for what it found, and changes nothing."""
    before = leaked.segment.read_bytes()
    result = leaked.journal("redact", "--json", stdin=SECRET + "\n")
    assert (result.code, result.data["dry_run"], result.data["total"]) == (1, True, 2)
    assert result.data["records"] == {f"{leaked.directory.name}/active.jsonl": 2}
    assert leaked.segment.read_bytes() == before
    text = leaked.journal("redact", stdin=SECRET)
    assert "2 lines in 1 file would change" in text.out
    assert SECRET not in text.out + text.err


def test_yes_does_it(leaked):
    """--yes removes it everywhere and names what stays elsewhere; a second run finds nothing."""
    result = leaked.journal("redact", "--yes", stdin=SECRET + "\r\n")
    assert (result.code, result.err) == (0, "")
    assert "2 lines in 1 file changed" in result.out
    assert "may keep the old" in " ".join(result.out.split())
    assert SECRET.encode() not in leaked.segment.read_bytes()
    assert leaked.journal("redact", stdin=SECRET).out == "nothing found\n"
    assert leaked.last_event["type"] == "journal.redacted"


def test_the_secret_from_a_file_and_from_a_prompt(leaked, monkeypatch):
    """The file may end in a newline; at a terminal the person types the secret unseen."""
    (leaked.project / "secret").write_text(SECRET + "\n")
    assert leaked.journal("redact", "--from", "secret", "--json").data["total"] == 2
    monkeypatch.setattr("getpass.getpass", lambda prompt: SECRET if "not shown" in prompt else "")
    asked = run_command(["redact", "--json"], leaked.env, leaked.project, terminal=True)
    assert asked.data["total"] == 2


def test_a_pattern_and_the_rules(leaked):
    """A regular expression finds a text that the current rules do not know."""
    assert leaked.journal("redact", "--pattern", "s0-V[a-z-]+9r\\w+", "--json").data["total"] == 2
    assert leaked.journal("redact", "--rules", "--json").data["total"] == 0


@pytest.mark.parametrize(
    ("words", "stdin", "what"),
    [
        (["redact"], "", "no secret is given"),
        (["redact"], "abc\n", "fewer than 6 characters"),
        (["redact"], "a" * 131_073, "at most 131,072 characters"),
        (["redact", "--pattern", "("], "", "--pattern"),
        (["redact", "--pattern", "x", "--rules"], "", "cannot be combined"),
        (["redact", "--from", "nowhere"], "", "no such file"),
        (["gc", "--class", "all"], "", "unknown class all"),
        (["gc", "--older-than", "30"], "", "needs --class"),
        (["gc", "--class", "prompts", "--older-than", "0"], "", "--older-than"),
    ],
)
def test_what_is_refused(words, stdin, what, leaked):
    """A mistake is refused with what to do, and nothing changes."""
    before = leaked.segment.read_bytes()
    result = leaked.journal(*words, "--yes", stdin=stdin)
    assert result.code in (2, 3)
    assert what in result.err
    assert leaked.segment.read_bytes() == before


def test_inside_claude_code_it_warns(leaked):
    """It warns that Claude Code's own commands, with the secret in them, are recorded."""
    warned = leaked.journal("redact", stdin=SECRET, CLAUDECODE="1")
    assert "run this one in your own terminal" in warned.err
    assert leaked.journal("redact", stdin=SECRET).err == ""


def test_gc_removes_nothing_as_it_comes(leaked):
    """Without settings and options nothing is removed, even with --yes; it says how to set them."""
    leaked.env["JOURNAL_NOW"] = "2031-01-01T00:00:00.000Z"
    before = leaked.segment.read_bytes()
    result = leaked.journal("gc", "--yes")
    assert (result.code, leaked.segment.read_bytes()) == (0, before)
    assert "Nothing would be removed. Set gc.*_days" in result.out
    assert [row["days"] for row in leaked.journal("gc", "--json").data["classes"]] == [None] * 4


def test_gc_by_a_setting_and_by_an_option(leaked):
    """A setting gives a class its age limit; --class with --older-than needs no setting."""
    leaked.env["JOURNAL_NOW"] = "2027-01-01T00:00:00.000Z"
    assert leaked.journal("config", "set", "gc.prompts_days", "30").code == 0
    rows = {row["class"]: row for row in leaked.journal("gc", "--json").data["classes"]}
    assert list(rows) == list(CLASSES)
    assert rows["prompts"]["removed"] > 0
    assert rows["observations"] == {"class": "observations", "days": None, "removed": 0, "bytes": 0}
    only = leaked.journal("gc", "--class", "observations", "--older-than", "30", "--yes", "--json")
    rows = {row["class"]: row for row in only.data["classes"]}
    assert rows["observations"]["removed"] > 0
    assert rows["prompts"]["removed"] == 0
    assert b"login" not in leaked.segment.read_bytes()
    assert leaked.journal("verify").code == 0


def test_a_project_cannot_set_what_is_removed(leaked):
    """The configuration file of a cloned repository cannot set what is removed."""
    (leaked.project / ".claude").mkdir(exist_ok=True)
    (leaked.project / ".claude" / "journal.toml").write_text("[gc]\nprompts_days = 30\n")
    rows = leaked.journal("gc", "--json").data["classes"]
    assert {row["days"] for row in rows} == {None}


def test_verify_says_what_was_cut_short(leaked):
    """An interrupted run is named in `verify` with what to do; the same command completes it."""
    what = "interrupted: run the same command again"
    assert what not in leaked.journal("verify").out
    (leaked.directory / "rewriting").write_text("")
    assert what in leaked.journal("verify").out
    assert what in " ".join(leaked.journal("sessions").err.split())
    assert "an earlier run was interrupted" in " ".join(
        leaked.journal("redact", stdin="another-secret").out.split()
    )
    assert leaked.journal("redact", "--yes", stdin="another-secret").code == 0
    assert what not in leaked.journal("verify").out
    assert leaked.last_event["type"] == "journal.redacted"
