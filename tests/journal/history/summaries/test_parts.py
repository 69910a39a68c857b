"""Sessions to export parts of: what is read of one, and that a repeated hook call counts once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.history.summaries.parts import PartChoice, parts_of, read_source
from journal.log.append import Writer

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2026-11-22T08:00:00.000Z"


def tool(sid: str = "one", key: str = "") -> dict[str, Any]:
    """Return the event of an edit."""
    more = {"key": key} if key else {}
    return {"type": "tool.finished", "v": 1, "sid": sid, "tool": "Edit", "target": "a.py",
            "changed": True, **more}  # fmt: skip


def write(directory: Path, *events: dict[str, Any]) -> None:
    """Append events to a log."""
    with Writer(str(directory), NOW, sync="none") as writer:
        writer.append(*events)


def test_a_session_and_no_other(tmp_path: Path) -> None:
    """A source has its events of work, the seqs of all its events, and what was exported of it."""
    exported = {"type": "session.exported", "v": 1, "sid": "two", "key": "k", "of": "one"}
    write(
        tmp_path, {"type": "session.started", "v": 1, "sid": "one"}, tool(), tool("two"), exported
    )
    source = read_source(str(tmp_path), "one")
    first = min(source.seqs)
    assert sorted(source.seqs) == [first, first + 1]
    assert [(kind, event.seq) for kind, event in source.events] == [("tool.finished", first + 1)]
    assert source.exported == {"k": f"one.{first + 3}"}


@pytest.mark.parametrize(("between", "count"), [(511, 1), (512, 2)])
def test_the_same_hook_call_again(tmp_path: Path, between: int, count: int) -> None:
    """A record with the same key at most 512 seqs later is the same call; after that it is another."""
    write(tmp_path, tool(key="k"), *(tool("other") for _ in range(between)), tool(key="k"))
    assert len(read_source(str(tmp_path), "one").events) == count


def test_a_part_has_the_same_key_under_another_title(tmp_path: Path) -> None:
    """A part is identified by its session and events, not by its title."""
    write(tmp_path, tool(), tool())
    source = read_source(str(tmp_path), "one")
    seqs = sorted(source.seqs)
    (one,) = parts_of("one", source.events, [PartChoice("A", seqs)])
    (other,) = parts_of("one", source.events, [PartChoice("B", seqs)])
    (half,) = parts_of("one", source.events, [PartChoice("A", seqs[:1])])
    assert one.key == other.key != half.key
