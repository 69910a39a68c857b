"""Commands that record: what is appended, for whom, and what of it is told again."""

from __future__ import annotations

import pytest

from tests.cli.conftest import SID

LOG = "# Progress\n\n## 2026-11-21 One\n\na\n\n## 2026-11-20 Two\n\nb\n"


def progress(place, text: str) -> None:
    """Write the work log."""
    folder = place.project / ".claude" / "context"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "progress.md").write_text(text)


@pytest.mark.parametrize("words, stdin, kind, text", [
    (["note", "a", "b  c"], "", "flow.noted", "a b  c"),
    (["note", "-"], "two\nlines\n", "flow.noted", "two\nlines"),
    (["decide", "round once"], "", "decision.recorded", "round once"),
    (["note", "--", "--json"], "", "flow.noted", "--json"),
    (["note", "端数"], "", "flow.noted", "端数"),
], ids=str)  # fmt: skip
def test_text_is_recorded(words, stdin, kind, text, place):
    """A text is recorded as it was typed or piped in."""
    assert place.journal(*words, stdin=stdin).code == 0
    event = place.last_event
    assert (event["type"], event["text"], event["branch"]) == (kind, text, "discounts")


@pytest.mark.parametrize("words, env, sid", [
    (["--session", "new-one"], {}, "new-one"),
    ([], {"JOURNAL_SESSION": "a", "CLAUDE_CODE_SESSION_ID": "b"}, "a"),
    ([], {"CLAUDE_CODE_SESSION_ID": "b"}, "b"),
    (["--session", "c00f"], {"JOURNAL_SESSION": "a"}, SID),
    ([], {}, ""),
], ids=["named", "ours", "client", "beginning", "none"])  # fmt: skip
def test_session_of_a_record(words, env, sid, told):
    """A record belongs to the session named, else ours, else the client's; none is said."""
    result = told.journal("decide", "x", *words, **env)
    assert told.last_event["sid"] == sid
    assert ("no session" in result.err) == (not sid)


def test_directory_of_a_record(place):
    """The directory below the project's root a record was made in is kept with it."""
    inside = place.project / "src"
    inside.mkdir()
    place.journal("note", "x", cwd=inside)
    assert place.last_event["cwd"] == "src"


def test_secrets_are_redacted(place):
    """A secret in a note does not reach the log, nor the screen."""
    secret = "AKIA" + "Z7XK2PQ4N6M3RT5V"
    result = place.journal("note", f"the key is {secret} for now")
    assert secret not in result.out
    assert secret.encode() not in place.segment.read_bytes()
    assert "[redacted:" in place.last_event["text"]


def test_long_texts_are_cut_and_said(place):
    """The end of a text too long is left out, which is said."""
    result = place.journal("note", "x" * 9_000)
    assert (result.code, len(place.last_event["text"])) == (0, 8_000)
    assert "only the first 8,000" in result.err


def test_compound_covers_the_log_as_it_is(place):
    """A compound covers every heading now in the work log, and the notes so far."""
    progress(place, LOG)
    place.hook("SessionStart", source="startup")
    place.journal("note", "n")
    assert place.journal("view", "compound").data["unpromoted"] == 3
    result = place.journal("compound", "--promoted", "2", "--json", "--session", SID)
    assert result.data["headings"] == ["2026-11-21 One", "2026-11-20 Two"]
    assert (len(result.data["covered"]), result.data["notes"]) == (2, 1)
    assert place.journal("view", "compound").data["unpromoted"] == 0
    progress(place, LOG.replace("# Progress\n", "# Progress\n\n## 2026-11-22 Three\n"))
    place.hook("Stop", stop_hook_active=False)
    assert place.journal("view", "compound").data["unpromoted"] == 1


def test_compound_counts_what_was_learned_since(place):
    """Without --promoted it is what was recorded or confirmed since the last compound."""
    place.journal("learning", "add", "--topic", "a", "--title", "One")
    place.journal("learning", "confirm", "one")
    assert place.journal("compound", "--json").data["promoted"] == 2
    assert place.journal("compound", "--json").data["promoted"] == 0
    assert place.journal("compound", "--json", "--promoted", "7").data["promoted"] == 7


def test_a_hook_sees_what_a_command_recorded(place):
    """After a compound the hooks say nothing is left; before it they do."""
    progress(place, LOG)
    place.hook("SessionStart", source="startup")
    assert "2 not saved as learnings" in place.hook("SessionStart", sid="other", source="startup")
    place.journal("compound")
    assert "all saved as learnings" in place.hook("SessionStart", sid="third", source="startup")


def test_a_record_that_cannot_be_is_three(place):
    """Where nothing can be appended nothing is claimed."""
    place.journal("note", "x")
    place.segment.unlink()
    place.segment.mkdir()
    result = place.journal("note", "y")
    assert (result.code, result.out) == (3, "")
    assert "journal: error: " in result.err
