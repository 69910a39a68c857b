"""Which session and which part of the journal a command reads."""

from __future__ import annotations

import pytest

from cli.read import advised, bound_of, sessions_in
from cli.scope import Scope
from journal.history.merged import Cite
from journal.log.append import Writer
from tests.cli.conftest import SID


@pytest.mark.parametrize("variable", ["JOURNAL_SESSION", "CLAUDE_CODE_SESSION_ID"])
def test_session_of_the_environment(variable, played):
    """A command's default session is the one it runs in, if the journal knows it."""
    assert played.journal("view", "recovery", **{variable: SID}).data["session"] == SID
    assert played.journal("view", "recovery", **{variable: "other"}).data["session"] is None


@pytest.mark.parametrize("words, seqs", [
    (["--type", "compact.started"], [22]),
    (["--type", "compact."], [22, 24, 28]),
    (["--type", "compact.started", "--type", "compact.finished"], [22, 28]),
    (["--type", "compact"], []),
    (["--since", "29"], [29, 30, 31]),
    (["--until", "2"], [1, 2]),
    (["--since", "2026-11-21T09:28:50Z", "--until", "2026-11-21T09:28:51Z"], [24, 25, 26, 27]),
    (["--until", "2026-11-20"], []),
    (["--since", "2026-11-22"], []),
    (["--until", "2026-11-21", "--limit", "2"], [30, 31]),
    (["--since", "31m"], [29, 30, 31]),
    (["--limit", "0"], []),
    (["--limit", "1"], [31]),
    (["--session", "c00f", "--limit", "1"], [31]),
], ids=lambda value: " ".join(map(str, value)))  # fmt: skip
def test_events_chosen(words, seqs, played):
    """Type, since, until, session and limit select events; bounds are inclusive."""
    assert [event["seq"] for event in played.journal("events", "--json", *words).data] == seqs


def scope(played, **more):
    """Return the scope of a reading command."""
    return Scope(played.env, cwd=str(played.project), **more)


@pytest.mark.parametrize(
    ("text", "bound"),
    [("", None), ("7", Cite("live", 7)), ("#7", Cite("live", 7)), ("i:7", Cite("imported", 7)),
     ("2026-11-21T09:00:00Z", "2026-11-21T09:00:00.000Z")],
)  # fmt: skip
def test_a_bound_is_an_event_or_a_time(text, bound, played):
    """N is a live event, i:N an imported one, anything else a time."""
    assert bound_of(text, scope(played)) == bound


def test_advice_is_found_by_its_name_and_session(played):
    """The first advice of a name is found, in one session or in all, from a seq on."""
    directory = str(played.directory)
    seq, last = advised(directory, "pressure")
    assert 0 < seq < last
    assert advised(directory, "pressure", SID)[0] == seq
    assert advised(directory, "pressure", "another") == (0, last)
    assert advised(directory, "pressure", after=last) == (0, last)
    assert advised(directory, "nothing")[0] == 0


def test_every_session_of_a_journal_counts(played):
    """Sessions that only an import recorded are known too."""
    assert sessions_in(str(played.directory)) == {SID}
    write_imported(played)
    assert sessions_in(str(played.directory)) == {SID, "old"}


def write_imported(played):
    """Add a session to the imported log."""
    with Writer(str(played.directory / "imported"), "2026-11-20T09:00:00.000Z") as writer:
        writer.append({"type": "turn.ended", "v": 1, "sid": "old", "imported": True})
