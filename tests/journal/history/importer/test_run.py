"""Transcripts grow, are cut, spliced and copied: each fact is recorded once, and none is lost."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.errors import JournalError
from tests.journal.history.importer.conftest import SID, Sandbox, totals
from tests.journal.history.importer.lines import prompt, reply
from tests.support.examples import examples
from tests.tools.transcripts import write

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("order", [1, -1], ids=["copy first", "original first"])
def test_a_copy_cut_within_a_reply(sandbox: Sandbox, order: int) -> None:
    """The whole reply counts, whichever file is read first."""
    copy = sandbox.file.with_name("d" + SID[1:] + ".jsonl")
    sandbox.write(reply("m1", 1, stop=None), reply("m1", 42, second=9), reply("m2", 5, second=10))
    sandbox.write(reply("m1", 1, stop=None), prompt(sessionId=copy.stem), to=copy)
    for path, age in ((sandbox.file, 0), (copy, order)):
        os.utime(path, (1_795_000_000 - age,) * 2)
    sandbox.run()
    last = {
        event["message"]: (event["output_tokens"], event["ts"][17:19])
        for event in sandbox.events("usage.recorded")
    }
    assert last == {"m1": (42, "09"), "m2": (5, "10")}


@pytest.mark.parametrize(
    "level, texts, count", [("full", ["hello"], 1), ("minimal", [""], 1), ("off", [], 0)]
)
def test_the_capture_level(sandbox: Sandbox, level: str, texts: list[str], count: int) -> None:
    """The capture level limits an import as it limits hooks."""
    sandbox.home.mkdir(mode=0o700)
    (sandbox.home / "config.toml").write_text(f'[capture]\nlevel = "{level}"\n')
    sandbox.write(prompt(), reply("m1"))
    sandbox.run()
    assert [event.get("text", "") for event in sandbox.events("prompt.submitted")] == texts
    assert len(sandbox.outputs()) == count


def test_the_project_of_a_session(sandbox: Sandbox) -> None:
    """A whole session belongs to the project of the directory it began in."""
    top = sandbox.top / "shop"
    (top / ".git").mkdir(parents=True)
    (top / "src").mkdir()
    elsewhere = str(sandbox.top / "other")
    sandbox.write(prompt(cwd=str(top / "src")), reply("m1", cwd=elsewhere))
    sandbox.run()
    assert [path.parent.name.rpartition("-")[0] for path in sandbox.home.glob("*/imported")] == [
        "shop"
    ]
    assert [event.get("cwd") for event in sandbox.events("usage.recorded")] == [elsewhere]


def test_two_at_once(sandbox: Sandbox) -> None:
    """A second import into the same home at the same time is refused."""
    from journal.history.locks import import_lock

    sandbox.home.mkdir(mode=0o700)
    sandbox.write(reply("m1"))
    with (
        import_lock(str(sandbox.home)),
        pytest.raises(JournalError, match="another import is running"),
    ):
        sandbox.run()
    sandbox.run()
    assert set(sandbox.outputs()) == {"m1"}


@examples(15)
@given(data=st.data(), seed=st.integers(0, 10_000))
def test_cut_anywhere(
    data: st.DataObject, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """However a corpus is split over several runs, the final totals are the truth."""
    sandbox = Sandbox(tmp_path_factory.mktemp("cut"))
    truth = write(sandbox.client, sessions=3, entries=30, seed=seed, torn=0, copies=0.5, projects=2)
    whole: dict[Path, bytes] = {
        path: path.read_bytes() for path in sorted(sandbox.client.rglob("*.jsonl"))
    }
    grown = dict.fromkeys(whole, 0)
    for _ in range(data.draw(st.integers(1, 3))):
        for path, content in whole.items():
            grown[path] = data.draw(st.integers(grown[path], len(content)))
            path.write_bytes(content[: grown[path]])
        sandbox.run()
        if data.draw(st.booleans()):
            sandbox.delete_state()
    for path, content in whole.items():
        path.write_bytes(content)
    sandbox.run()
    last = {event["message"]: event for event in sandbox.events("usage.recorded")}
    found = totals(list(last.values()))
    assert found["totals"] == truth["totals"]
    assert found["per_model"] == truth["per_model"]
    assert len(sandbox.events("prompt.submitted")) == truth["prompts"]
    assert (
        len(sandbox.events("tool.finished") + sandbox.events("tool.failed"))
        == truth["tool_results"]
    )
    assert len(sandbox.events("compact.started")) == truth["compactions"]
