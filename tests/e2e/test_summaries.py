"""Summaries with the real client: made at the next start, and by a separate client."""

from __future__ import annotations

import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from journal.history.summaries import claude
from projections.digest import Digest

from .api import Api, call
from .client import PATIENCE, REPO, Client, new_id, wait_for
from .conversation import Conversation
from .wire import Reply

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .logbook import Logbook

pytestmark = pytest.mark.client
by_claude = pytest.mark.skipif(
    find_spec("claude_agent_sdk") is None,
    reason="claude-agent-sdk is not installed: bin/journal-dev parts",
)

ASKED = "You write the record of one past coding session"
"""Words that identify the summariser's request."""


class Librarian(Api):
    """A stand-in that answers the summariser's requests, which offer no tools, by a script."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[Reply] = []
        self.stalled: threading.Event | None = None

    def take(self, body: dict[str, Any]) -> Reply:
        """Store the request; the summariser gets the next of the answers."""
        if ASKED not in json.dumps(body.get("system", "")):
            return super().take(body)
        super().take({**body, "tools": []})
        self.requests[-1].body.update(tools=body.get("tools"))
        if self.stalled is not None:
            self.stalled.wait(PATIENCE)
        return self.answers.pop(0) if self.answers else Reply("nothing to say", tokens=900)

    @property
    def questions(self) -> list[dict[str, Any]]:
        """The summariser's requests."""
        return [r.body for r in self.requests if ASKED in json.dumps(r.body.get("system", ""))]


@pytest.fixture
def api() -> Iterator[Librarian]:
    """Serve that stand-in."""
    with Librarian() as served:
        yield served


@pytest.fixture
def worked(client: Client, api: Librarian) -> str:
    """Let one session work and end; return its id."""
    sid = new_id()
    cart = str(client.project / "cart.py")
    api.script(
        call("Read", file_path=cart),
        call("Edit", file_path=cart, old_string="sum(xs)", new_string="sum(xs or [0])"),
        "The total of an empty cart is zero now.",
    )
    client.say("Make the total of an empty cart zero. Then say so.", sid)
    return sid


def journal(client: Client, *words: str) -> tuple[int, str, str]:
    """Run `journal summarize` as the person would, the client on PATH."""
    path = f"{client.executable.parent}:{client.environment()['PATH']}"
    argv = [sys.executable, "-m", "cli", "summarize", *words]
    return client.run(argv, PYTHONPATH=str(REPO), PATH=path)


def transcripts(client: Client) -> set[Path]:
    """The transcripts in the person's home."""
    return set((client.home / ".claude" / "projects").rglob("*.jsonl"))


def log(client: Client) -> bytes:
    """The bytes of every log below the journal home."""
    found = sorted((client.home / ".claude" / "journal").rglob("*.jsonl"))
    return b"".join(path.read_bytes() for path in found)


@by_claude
def test_claude_writes_the_summary(
    client: Client, api: Librarian, logbook: Logbook, worked: str
) -> None:
    """The model's title and summary are recorded; its own run adds no event and no transcript."""
    title, summary = "空のカートの合計", "The total of an empty cart was made zero in cart.py."
    api.answers = [Reply(json.dumps({"title": title, "summary": summary}), tokens=1234, output=77)]
    before, kept = logbook.counts(), transcripts(client)
    code, out, err = journal(client, "--engine", "claude", "--json")
    assert code == 0, err
    (row,) = json.loads(out)
    assert (row["session"], row["title"], row["engine"]) == (worked, title, "claude")
    added = logbook.counts() - before
    assert dict(added) == {"session.summarized": 1}
    (event,) = [one for one in logbook.events("session.summarized") if one["engine"] == "claude"]
    assert (event["of"], event["summary"], event["files"]) == (worked, summary, ["cart.py"])
    assert "1,234 tokens in, 77 out, $" in err
    assert transcripts(client) == kept
    assert logbook.sids() == {worked}


@pytest.mark.long
@by_claude
def test_what_the_model_is_asked(client: Client, api: Librarian, worked: str) -> None:
    """One request, without tools, with a bounded answer and only the session's data."""
    del worked
    (client.project / "CLAUDE.md").write_text("SECRET-RULE: always sing\n", encoding="utf-8")
    journal(client, "--engine", "claude")
    (question,) = api.questions
    assert not question.get("tools")
    assert question["max_tokens"] <= 1500
    said = json.dumps(question, ensure_ascii=False)
    assert "Make the total of an empty cart zero." in said
    assert "SECRET-RULE" not in said
    assert len(said) < 12_000


@pytest.mark.long
@by_claude
@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(Reply("I would rather sing.", tokens=900), id="prose"),
        pytest.param(Reply(status=400, error="bad request"), id="refused"),
    ],
)
def test_the_model_does_not_help(
    answer: Reply, client: Client, api: Librarian, logbook: Logbook, worked: str
) -> None:
    """If the answer is useless or missing, the extractive summary is recorded, with the reason."""
    api.answers = [answer]
    code, _, err = journal(client, "--engine", "claude")
    assert code == 0
    assert "claude gave no summary (" in err
    (event,) = logbook.events("session.summarized")
    assert (event["of"], event["engine"]) == (worked, "extractive")


@by_claude
def test_the_model_does_not_answer(
    client: Client, api: Librarian, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a timeout nobody waits any longer, and the client that asked has ended."""
    api.stalled = threading.Event()
    for name, value in client.environment().items():
        monkeypatch.setenv(name, value)
    digest = Digest(sid="a", prompts=["make the totals right"])
    before = children()
    try:
        for seconds in (6, 30, 120):  # a loaded machine needs longer until the client asks
            monkeypatch.setattr(claude, "_SECONDS", float(seconds))
            with ThreadPoolExecutor(1) as alone:  # a browser test may leave its loop in this thread
                asked = alone.submit(claude.ask, digest, {"PATH": str(client.executable.parent)})
                answer = asked.result()
            assert (answer.summary, answer.why) == (None, f"no answer within {seconds} s")
            if api.questions:
                break
    finally:
        api.stalled.set()
    assert api.questions
    assert children() <= before


def children() -> set[str]:
    """List running child processes of this one."""
    found: set[str] = set()
    for path in Path("/proc/self/task").glob("*/children"):
        found |= set(path.read_text().split())
    return found


@pytest.mark.long
def test_hooks_are_off_in_a_client_told_so(client: Client, logbook: Logbook) -> None:
    """With JOURNAL_OFF a client that has the plugin records nothing; without it, it does."""
    client.env["JOURNAL_OFF"] = "1"
    client.say("hello", new_id(), check=False)
    assert log(client) == b""
    del client.env["JOURNAL_OFF"]
    sid = new_id()
    client.say("hello", sid)
    assert logbook.sids() == {sid}


def test_the_next_start_summarises(client: Client, logbook: Logbook, worked: str) -> None:
    """A start's background handler summarises the previous session, once."""
    with Conversation(client, new_id()) as session:  # the handler ends with the client
        session.say("hello again")
        wait_for(lambda: logbook.events("session.summarized"), "no summary")
    client.say("and again", new_id())
    found = [event["of"] for event in logbook.events("session.summarized")]
    assert found.count(worked) == 1
    assert len(found) == len(set(found))
