"""A transcript is read on where the last import stopped, and facts that lie apart are joined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.history.new_transcripts import past_sessions
from tests.journal.history.importer.lines import prompt, reply

if TYPE_CHECKING:
    from tests.journal.history.importer.conftest import Sandbox


def test_a_reply_that_grows_between_two_runs(sandbox: Sandbox) -> None:
    """An unfinished reply is recorded again when it is complete, under the same key."""
    sandbox.write(reply("m1", 1, stop=None))
    sandbox.run()
    assert sandbox.outputs() == {"m1": 1}
    sandbox.write(reply("m1", 42, second=2), reply("m2", 3, second=3))
    sandbox.run()
    assert sandbox.outputs() == {"m1": 42, "m2": 3}
    assert len({event["key"] for event in sandbox.events("usage.recorded")}) == 2


def test_a_call_and_its_result_apart(sandbox: Sandbox) -> None:
    """A result in a later run still has its tool, and nothing is recorded twice."""
    block = {
        "type": "tool_use",
        "id": "t1",
        "name": "Edit",
        "input": {"file_path": "/home/dev/shop/cart.py"},
    }
    call = reply("m1", 4)
    call["message"]["content"] = [block]
    sandbox.write(prompt(), call)
    sandbox.run()
    assert not sandbox.events("tool.finished")
    sandbox.write(prompt([{"type": "tool_result", "tool_use_id": "t1", "content": "ok"}], 2))
    sandbox.run()
    (event,) = sandbox.events("tool.finished")
    assert (event["tool"], event["target"], event["changed"]) == ("Edit", "cart.py", True)
    assert len(sandbox.events()) == len({event["key"] for event in sandbox.events()}) == 4


def test_a_compaction_and_its_summary_apart(sandbox: Sandbox) -> None:
    """A summary in a later run is joined to its compaction, with tokens before and after."""
    meta = {"trigger": "manual", "preTokens": 70_090, "postTokens": 2_646}
    sandbox.write(
        {
            **prompt(),
            "type": "system",
            "subtype": "compact_boundary",
            "compactMetadata": meta,
            "uuid": "b",
        }
    )
    sandbox.run()
    sandbox.write(prompt("the summary", 3, isCompactSummary=True))
    sandbox.run()
    (started,), (finished,) = sandbox.events("compact.started"), sandbox.events("compact.finished")
    assert (started["trigger"], started["tokens"]) == ("manual", 70_090)
    assert (finished["trigger"], finished["tokens"], finished["summary"]) == (
        "manual",
        2_646,
        "the summary",
    )
    assert not sandbox.events("prompt.submitted")


def test_a_file_that_was_replaced(sandbox: Sandbox) -> None:
    """A file with new content under the same name is read from its beginning."""
    sandbox.write(reply("m1"), reply("m2"))
    sandbox.run()
    sandbox.file.write_bytes(b"")
    sandbox.write(reply("m3"), reply("m4"), reply("m5"))
    sandbox.run()
    assert set(sandbox.outputs()) == {"m1", "m2", "m3", "m4", "m5"}


def test_since(sandbox: Sandbox) -> None:
    """With `since` only later facts are imported; a later run without it imports the rest."""
    sandbox.write(
        reply("m1", second=1), reply("m2", second=30), prompt(timestamp="2026-11-20T10:00:31.000Z")
    )
    sandbox.run(since="2026-11-20T10:00:20Z")
    assert set(sandbox.outputs()) == {"m2"}
    sandbox.run()
    assert set(sandbox.outputs()) == {"m1", "m2"}
    assert len(sandbox.events("prompt.submitted")) == 1


def test_a_title_at_the_beginning_is_as_old_as_the_session(sandbox: Sandbox) -> None:
    """A title has no time; that of the file would make the session last until its last change."""
    title = {"type": "summary", "summary": "Totals are rounded once", "leafUuid": "x"}
    sandbox.write(title, prompt(), reply("m1"))
    sandbox.run()
    (titled,) = sandbox.events("session.titled")
    assert titled["ts"] == sandbox.events("prompt.submitted")[0]["ts"]


def test_a_title_without_a_session(sandbox: Sandbox) -> None:
    """Titles alone are no session; what follows them is read with them, in its own project."""
    sandbox.write({"type": "summary", "summary": "Carts"}, {"type": "user"}, b"null\n")
    sandbox.run()
    assert sandbox.events() == []
    assert past_sessions(sandbox.scope(), every=True).sessions == 0
    sandbox.write(prompt("Round the totals"))
    sandbox.run()
    (title,), (asked,) = sandbox.events("session.titled"), sandbox.events("prompt.submitted")
    assert (title["title"], title["sid"]) == ("Carts", asked["sid"])
    assert [path.name for path in sandbox.home.glob("unfiled*")] == []
