"""Compaction by command and by the client: the next request has what the summary may have lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from . import logbook as names
from .api import call, too_long
from .client import new_id, wait_for
from .conversation import Conversation, converse
from .scene import FULL, SHUFFLED, WINDOW, days_in, heading, write_progress

if TYPE_CHECKING:
    from .api import Api
    from .client import Client
    from .logbook import Logbook

pytestmark = pytest.mark.client

ASKED = "Add discount codes ASKED-4711"
NEWEST = [day for day in SHUFFLED if day > 5]


def work(client: Client, api: Api, *, file: str = "discount.py") -> str:
    """Script a turn that writes a file; return its prompt."""
    path = str(client.project / file)
    api.script(call("Write", file_path=path, content="rate = 1\n"), "Written.")
    return ASKED


def recoveries(client: Client, sid: str) -> list[str]:
    """List the texts after a compaction that contain the last request, without offers."""
    told = client.context_texts(sid, "SessionStart")
    return [text for text in told if "ASKED-4711" in text and "was compacted" in text]


def check_recovery(text: str, *, entries: int = 15) -> None:
    """Check the required contents of a recovery text, and its size."""
    assert len(text) <= 9_600
    assert "discount.py" in text
    assert str(entries) in text
    assert heading(15) in text
    assert "BODY-" not in text  # documents are named, not included


def check_trim(client: Client, logbook: Logbook) -> None:
    """Check that the ten newest entries stayed in order and the others are complete events."""
    kept = client.project / ".claude" / "context" / "progress.md"
    assert days_in(kept.read_text(encoding="utf-8")) == NEWEST
    trimmed = "\n".join(str(event) for event in logbook.events("flow.trimmed"))
    assert sorted(days_in(trimmed)) == [1, 2, 3, 4, 5]


def test_compaction_by_hand(client: Client, api: Api, logbook: Logbook) -> None:
    """/compact is one compaction with its instructions and summary, and is reported once."""
    write_progress(client.project)
    sid = new_id()
    api.summary = "SUMMARY-22 of the discounts"
    converse(client, sid, work(client, api), "/compact focus on ROUNDING")
    converse(client, sid, "and now?", "go on")
    (text,) = recoveries(client, sid)
    assert [request.count(text) for request in api.talk[-2:]] == [1, 1]
    check_recovery(text)
    (started,) = logbook.events("compact.started")
    assert started[names.TRIGGER] == "manual"
    assert "ROUNDING" in str(started)
    (finished,) = logbook.events("compact.finished")
    assert "SUMMARY-22" in finished[names.SUMMARY]
    assert not logbook.counts()["subagent.ended"]
    check_trim(client, logbook)


@pytest.mark.long
def test_the_recovery_view_tells_the_same(client: Client, api: Api, logbook: Logbook) -> None:
    """The view behind the recovery text has the last request, the files and the compaction."""
    sid = new_id()
    converse(client, sid, work(client, api), "/compact")
    view = str(logbook.view("recovery", "--session", sid))
    assert "ASKED-4711" in view
    assert "discount.py" in view
    assert "manual" in view


def test_compaction_in_the_middle_of_a_turn(client: Client, api: Api, logbook: Logbook) -> None:
    """The request right after an automatic compaction has the recovery, before all hooks ran.

    It has the files that commands of the unfinished turn wrote, too.
    """
    write_progress(client.project)
    sid = new_id()
    client.env |= WINDOW
    asked = work(client, api)
    written = "echo a > made.py"
    api.script("Done.", call("Bash", command=written, description="d", tokens=FULL), "Went on.")
    api.before_summary = lambda: wait_for(lambda: logbook.events("files.changed"), "no files")
    *_, done = converse(client, sid, asked, "second ASKED-4711", "third, still ASKED-4711")
    assert done.result == "Went on."
    (summary,) = api.summaries
    after = [request for request in api.talk if request.index > summary.index]
    (text,) = recoveries(client, sid)
    assert after[0].count(text) == 1
    check_recovery(text)
    assert "made.py" in text
    (started,) = logbook.events("compact.started")
    assert started[names.TRIGGER] == "auto"
    (finished,) = logbook.events("compact.finished")
    assert api.summary in finished[names.SUMMARY]
    injected = [e for e in logbook.events("context.injected") if e["seq"] > started["seq"]]
    assert injected[0]["seq"] < finished["seq"]
    check_trim(client, logbook)


def test_compaction_after_a_refusal(client: Client, api: Api, logbook: Logbook) -> None:
    """A prompt refused as too long is compacted; its second attempt has the recovery."""
    sid = new_id()
    asked = work(client, api)
    api.script(too_long(), "Got it.")
    runs = converse(client, sid, asked, "second, still ASKED-4711")
    assert runs[-1].result == "Got it."
    (text,) = recoveries(client, sid)
    assert "discount.py" in text
    assert api.last.count(text) == 1
    assert logbook.counts()["compact.finished"] == 1


@pytest.mark.long
def test_the_second_compaction_is_told_again(client: Client, api: Api, logbook: Logbook) -> None:
    """Each compaction is reported once, with what happened since the previous one."""
    sid = new_id()
    with Conversation(client, sid) as session:
        for file in ("discount.py", "coupon.py"):
            for prompt in (work(client, api, file=file), "/compact", "and on"):
                session.say(prompt)
    first, second = recoveries(client, sid)
    assert "coupon.py" not in first
    assert "coupon.py" in second
    assert api.last.count(second) == 1
    assert logbook.counts()["compact.finished"] == 2


@pytest.mark.long
def test_promoted_entries_are_not_reported_as_lost(
    client: Client, api: Api, logbook: Logbook
) -> None:
    """After a promotion the recovery no longer lists unsaved entries."""
    write_progress(client.project, (3, 4))
    told = []
    for promoted in (False, True):
        sid = new_id()
        with Conversation(client, sid) as session:
            session.say(work(client, api))
            if promoted:
                project = str(client.project)
                logbook.run("compound", "--promoted", "2", "--session", sid, "--project", project)
            session.say("/compact")
        (text,) = recoveries(client, sid)
        told.append("not saved as learnings" in text.lower())
    assert told == [True, False]
