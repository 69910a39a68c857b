"""The import of a whole corpus records exactly the facts of its truth, once."""

from __future__ import annotations

from typing import Any

import pytest

from journal.log.read import Reader
from tests.contract.strict import violations
from tests.journal.history.importer.conftest import Sandbox, totals
from tests.tools.transcripts import SECRETS, write

SHAPES: dict[str, dict[str, Any]] = {
    "plain": {"seed": 1},
    "another seed": {"seed": 2, "days": 3},
    "subagents": {"seed": 3, "subagents": 2},
    "torn": {"seed": 4, "torn": 3},
    "secrets": {"seed": 5, "secrets": True},
    "copies": {"seed": 6, "copies": 0.6, "sessions": 9},
    "copies cut within a reply": {"seed": 11, "copies": 0.9, "entries": 47, "sessions": 20},
}
IN_OTHERS = ("plain", "another seed", "copies")  # whose shape another one has too


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(shape, id=name, marks=pytest.mark.long if name in IN_OTHERS else ())
        for name, shape in SHAPES.items()
    ],
)
def test_totals_are_the_truth(sandbox: Sandbox, shape: dict[str, Any]) -> None:
    """Usage by day and model, prompts, turns, tool results and compactions equal the truth."""
    truth = write(sandbox.client, **{"sessions": 5, "entries": 120, "projects": 3, **shape})
    done = sandbox.run()
    usage = sandbox.events("usage.recorded")
    assert totals(usage) == {name: truth[name] for name in ("totals", "per_day", "per_model")}
    assert len(usage) == truth["api_responses"] < truth["naive_line_usages"]
    assert len(sandbox.events("prompt.submitted")) == truth["prompts"]
    tools = sandbox.events("tool.finished") + sandbox.events("tool.failed")
    assert len(tools) == truth["tool_results"]
    for kind, count in (("turn.ended", "turns"), ("turn.failed", "failed_turns")):
        assert len(sandbox.events(kind)) == truth[count] > 0
    assert len(sandbox.events("compact.started")) == truth["compactions"]
    assert done.torn == truth["torn_files"]
    assert not done.bad
    assert all(event["imported"] is True for event in sandbox.events())


def test_every_record_is_of_its_type(sandbox: Sandbox) -> None:
    """Imported records decode into their types with no unknown member."""
    write(sandbox.client, sessions=4, entries=300, subagents=1, projects=1)
    sandbox.run()
    wrong = [
        item
        for at in sandbox.home.glob("*/imported")
        for _, line in Reader(str(at))
        for item in violations(line)
    ]
    assert wrong == []
    assert {"compact.finished", "session.titled", "subagent.started"} <= {
        event["type"] for event in sandbox.events()
    }


def test_no_secret_comes_along(sandbox: Sandbox) -> None:
    """What hooks would have redacted is redacted by the import too, also in a prompt."""
    truth = write(sandbox.client, sessions=4, entries=200, secrets=True)
    assert truth["secret_lines"]
    prompt = {"type": "user", "uuid": "p", "timestamp": "2026-11-20T10:00:00.000Z", "cwd": "/home/dev/shop",
              "sessionId": "s", "message": {"role": "user", "content": f"my key is {SECRETS[0]} and {SECRETS[1]}"}}  # fmt: skip
    sandbox.write(prompt)
    sandbox.run()
    stored = b"".join(path.read_bytes() for path in sandbox.home.rglob("*.jsonl"))
    assert b"my key is [redacted" in stored
    assert not [secret for secret in SECRETS if secret.encode() in stored]


def test_again_is_nothing_new(sandbox: Sandbox) -> None:
    """A second run reads nothing; without its state it reads everything and adds nothing."""
    write(sandbox.client, sessions=6, entries=100, copies=0.5, torn=2)
    sandbox.run()
    before = sandbox.events()
    assert sandbox.run().changed == []
    sandbox.delete_state()
    again = sandbox.run()
    assert len(again.changed) == 6
    assert not again.sink.added
    assert sandbox.events() == before


def test_a_lost_log_is_made_again(sandbox: Sandbox) -> None:
    """If the imported log is gone, the import writes it again in spite of the state."""
    write(sandbox.client, sessions=4, entries=80)
    sandbox.run()
    before = [{k: v for k, v in event.items() if k != "seq"} for event in sandbox.events()]
    sandbox.delete_logs()
    sandbox.run()
    assert [{k: v for k, v in event.items() if k != "seq"} for event in sandbox.events()] == before


def test_a_dry_run_adds_nothing(sandbox: Sandbox) -> None:
    """A dry run reports exactly what the real run then adds, and writes nothing."""
    write(sandbox.client, sessions=3, entries=80)
    said = sandbox.run(dry=True)
    assert not sandbox.home.exists()
    done = sandbox.run()
    assert said.sink.added == done.sink.added != {}
