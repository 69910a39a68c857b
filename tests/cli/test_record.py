"""Commands that record: what they append, for which session, and what Claude gets back."""

from __future__ import annotations

import pytest

from tests.cli.conftest import SID

LOG = "# Progress\n\n## 2026-11-21 One\n\na\n\n## 2026-11-20 Two\n\nb\n"


def progress(workspace, text: str) -> None:
    """Write the work log."""
    folder = workspace.project / ".claude" / "context"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "progress.md").write_text(text)


@pytest.mark.parametrize("words, stdin, kind, text", [
    (["note", "a", "b  c"], "", "flow.noted", "a b  c"),
    (["note", "-"], "two\nlines\n", "flow.noted", "two\nlines"),
    (["decide", "round once"], "", "decision.recorded", "round once"),
    (["note", "--", "--json"], "", "flow.noted", "--json"),
    (["note", "端数"], "", "flow.noted", "端数"),
], ids=str)  # fmt: skip
def test_text_is_recorded(words, stdin, kind, text, workspace):
    """A text is recorded as typed or piped in."""
    assert workspace.journal(*words, stdin=stdin).code == 0
    event = workspace.last_event
    assert (event["type"], event["text"], event["branch"]) == (kind, text, "discounts")


@pytest.mark.parametrize("words, env, sid", [
    (["--session", "new-one"], {}, "new-one"),
    ([], {"JOURNAL_SESSION": "a", "CLAUDE_CODE_SESSION_ID": "b"}, "a"),
    ([], {"CLAUDE_CODE_SESSION_ID": "b"}, "b"),
    (["--session", "c00f"], {"JOURNAL_SESSION": "a"}, SID),
    ([], {}, ""),
], ids=["named", "ours", "client", "beginning", "none"])  # fmt: skip
def test_session_of_a_record(words, env, sid, played):
    """A record belongs to the named session, else the current one, else the client's, or none."""
    result = played.journal("decide", "x", *words, **env)
    assert played.last_event["sid"] == sid
    assert ("no session given" in result.err) == (not sid)
    assert ('found no session "new-one" here' in result.err) == (sid == "new-one")


@pytest.mark.parametrize("words", [["note", "x"], ["unit", "start", "u"]], ids=str)
def test_a_session_that_was_not_found_is_said(words, workspace):
    """A command that begins the session of --session says so, with the next step; others do not."""
    said = workspace.journal(*words, "--session", "zz").err
    assert 'found no session "zz" here: recorded as a new session' in said
    assert "journal sessions" in said
    assert workspace.journal(*words[:-1], "y", "--session", "zz").err == ""
    assert workspace.journal(*words[:-1], "v", JOURNAL_SESSION="other").err == ""


def test_directory_of_a_record(workspace):
    """The directory below the project's root is stored with the record."""
    inside = workspace.project / "src"
    inside.mkdir()
    workspace.journal("note", "x", cwd=inside)
    assert workspace.last_event["cwd"] == "src"


def test_secrets_are_redacted(workspace):
    """A secret in a note reaches neither the log nor the screen."""
    secret = "AKIA" + "Z7XK2PQ4N6M3RT5V"
    result = workspace.journal("note", f"the key is {secret} for now")
    assert secret not in result.out
    assert secret.encode() not in workspace.segment.read_bytes()
    assert "[redacted:" in workspace.last_event["text"]


def test_long_texts_are_cut_and_said(workspace):
    """A text that is too long is cut at the end, and the command says so."""
    result = workspace.journal("note", "x" * 9_000)
    assert (result.code, len(workspace.last_event["text"])) == (0, 8_000)
    assert "only the first 8,000" in result.err


def test_compound_covers_the_log_as_it_is(workspace):
    """A compound covers every current heading of the work log, and the notes so far."""
    progress(workspace, LOG)
    workspace.hook("SessionStart", source="startup")
    workspace.journal("note", "n")
    assert workspace.journal("view", "compound").data["unpromoted"] == 3
    result = workspace.journal("compound", "--promoted", "2", "--json", "--session", SID)
    assert result.data["headings"] == ["2026-11-21 One", "2026-11-20 Two"]
    assert (len(result.data["covered"]), result.data["notes"]) == (2, 1)
    assert workspace.journal("view", "compound").data["unpromoted"] == 0
    progress(workspace, LOG.replace("# Progress\n", "# Progress\n\n## 2026-11-22 Three\n"))
    workspace.hook("Stop", stop_hook_active=False)
    assert workspace.journal("view", "compound").data["unpromoted"] == 1


def test_compound_counts_what_was_learned_since(workspace):
    """Without --promoted it counts the learnings recorded or confirmed since the last compound."""
    workspace.journal("learning", "add", "--topic", "a", "--title", "One")
    workspace.journal("learning", "confirm", "one")
    assert workspace.journal("compound", "--json").data["promoted"] == 2
    assert workspace.journal("compound", "--json").data["promoted"] == 0
    assert workspace.journal("compound", "--json", "--promoted", "7").data["promoted"] == 7


def test_a_hook_sees_what_a_command_recorded(workspace):
    """Before a compound the hooks report unsaved entries; after it they report none."""
    progress(workspace, LOG)
    workspace.hook("SessionStart", source="startup")
    assert "2 work-log entries not saved as learnings" in workspace.hook(
        "SessionStart", sid="other", source="startup"
    )
    workspace.journal("compound")
    assert workspace.hook("SessionStart", sid="third", source="startup") == ""


def test_a_record_that_cannot_be_is_three(workspace):
    """If nothing can be appended the command exits with 3 and does not claim success."""
    workspace.journal("note", "x")
    workspace.segment.unlink()
    workspace.segment.mkdir()
    result = workspace.journal("note", "y")
    assert (result.code, result.out) == (3, "")
    assert "journal: error: " in result.err
