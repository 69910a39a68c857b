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


def last(place) -> dict:
    """Give the newest event."""
    return place.journal("events", "--json", "--limit", "1").data[0]


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
    event = last(place)
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
    assert last(told)["sid"] == sid
    assert ("no session" in result.err) == (not sid)


def test_directory_of_a_record(place):
    """The directory below the project's root a record was made in is kept with it."""
    inside = place.project / "src"
    inside.mkdir()
    place.journal("note", "x", cwd=inside)
    assert last(place)["cwd"] == "src"


def test_secrets_are_redacted(place):
    """A secret in a note does not reach the log, nor the screen."""
    secret = "AKIA" + "Z7XK2PQ4N6M3RT5V"
    result = place.journal("note", f"the key is {secret} for now")
    assert secret not in result.out
    assert secret.encode() not in place.segment.read_bytes()
    assert "[redacted:" in last(place)["text"]


def test_long_texts_are_cut_and_said(place):
    """The end of a text too long is left out, which is said."""
    result = place.journal("note", "x" * 9_000)
    assert (result.code, len(last(place)["text"])) == (0, 8_000)
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


@pytest.mark.parametrize("words, stdin", [
    (["--body", "why and how"], "ignored"), ([], "why and how\n"), (["--body", "-"], "why and how"),
])  # fmt: skip
def test_learning_is_written_then_recorded(words, stdin, place, monkeypatch):
    """A learning stands in its file, unverified, and in the journal."""
    monkeypatch.setattr("cli.learning._piped", lambda: True)
    result = place.journal("learning", "add", "--topic", "cart", "--title", "Round once",
                           "--phase", "review", *words, stdin=stdin)  # fmt: skip
    assert result.code == 0, result.err
    text = (place.project / ".claude/context/learnings-cart.md").read_text()
    assert text == ("### Round once\n<!-- confirmed: 0 | added: 2026-11-21 | phases: review -->\n\n"
                    "why and how\n")  # fmt: skip
    event = last(place)
    assert (event["type"], event["file"], event["title"], event["phase"]) == (
        "learning.recorded", ".claude/context/learnings-cart.md", "Round once", "review",
    )  # fmt: skip


@pytest.fixture
def stocked(place):
    """Two topics; one title in both, one that begins like another."""
    for topic, title in [("cart", "Round once"), ("cart", "Codes are upper case"),
                         ("api", "Round once"), ("api", "Retry thrice")]:  # fmt: skip
        assert place.journal("learning", "add", "--topic", topic, "--title", title).code == 0
    return place


@pytest.mark.parametrize("name, topic, code, says", [
    ("codes are", "", 0, "Codes are upper case"),
    ("Retry thrice", "", 0, "Retry thrice"),
    ("round", "", 2, "fits 2 learnings"),
    ("round", "api", 0, "Round once"),
    ("rund once", "", 2, "close to it: 'Round once'"),
    ("nothing like it at all", "", 2, "no learning"),
    ("round", "none", 2, "no learning"),
])  # fmt: skip
def test_learning_confirmed(name, topic, code, says, stocked):
    """One entry is confirmed, found across the topics; several or none are told apart."""
    result = stocked.journal("learning", "confirm", name, "--phase", "debug",
                             *(["--topic", topic] if topic else []))  # fmt: skip
    assert result.code == code
    assert says in result.out + result.err
    counts = [entry["confirmed"] for entry in stocked.journal("learning", "list", "--json").data]
    assert sum(counts) == (not code)
    assert (last(stocked)["type"] == "learning.confirmed") == (not code)


def test_learning_list_of_a_topic(stocked):
    """`learning list` shows all, or those of one topic, with where they stand."""
    every = stocked.journal("learning", "list", "--json").data
    assert [entry["topic"] for entry in every] == ["api", "api", "cart", "cart"]
    one = stocked.journal("learning", "list", "--topic", "cart", "--json").data
    assert [(entry["title"], entry["line"], entry["phases"]) for entry in one] == [
        ("Round once", 1, ["manual"]), ("Codes are upper case", 4, ["manual"]),
    ]  # fmt: skip


def test_learning_outside_of_a_project(place):
    """Where there is no project there is no stock, which is said."""
    result = place.journal("learning", "list", "--project", "/")
    assert result.code == 3
    assert "in no project" in result.err


def test_a_record_that_cannot_be_is_three(place):
    """Where nothing can be appended nothing is claimed."""
    place.journal("note", "x")
    place.segment.unlink()
    place.segment.mkdir()
    result = place.journal("note", "y")
    assert (result.code, result.out) == (3, "")
    assert "journal: error: " in result.err


@pytest.mark.parametrize("damage", [b"", b"rubbish" * 100])
def test_rebuild_needs_no_snapshot(damage, told):
    """`rebuild` gives the views anew, whatever state the snapshot is in."""
    before = told.journal("view", "pressure").out
    (told.directory / "snapshot").write_bytes(damage)
    result = told.journal("rebuild", "--json")
    assert (result.data["seq"], result.data["kept"]) == (33, True)
    assert told.journal("view", "pressure").out == before


def test_seal_then_read(told):
    """What was sealed and compressed reads as before."""
    before = told.journal("events", "--json").data
    sealed = told.journal("seal", "--json").data["sealed"]
    assert sealed == ["000000001-000000033.jsonl.gz"]
    assert told.journal("events", "--json").data[:33] == before
    assert told.journal("seal").out == "nothing to seal\n"
