"""A work file of any form costs time linear in its size, and one with too many lines is refused."""

from __future__ import annotations

import gc
import itertools
import time
from typing import TYPE_CHECKING, Any

import pytest

from journal.workfiles import checklist, files, learnings, plan, progress_file, work_log
from journal.workfiles.files import read_file, read_inside
from projections.unit import Unit
from tests.support.examples import part

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SMALL = 3 * 1024
GROWTH = 16

FORMS = {
    "headings": lambda n: f"## 2026-01-{n % 28 + 1:02} heading {n}\n\ntext\n",
    "headings by the minute": lambda n: f"## 2026-01-01 {n // 60 % 24:02}:{n % 60:02} h {n}\n",
    "one heading of dates": lambda n: "2026-" if n else "## ",
    "one line of fields": lambda n: "confirmed: x|" if n else "## a\n",
    "learnings": lambda n: f"### learning {n}\n<!-- confirmed: 3 -->\n",
    "boxes": lambda n: f"- [{' x'[n % 2]}] token=secret{n}\n",
    "one box": lambda n: "password=hunter2 " if n else "- [ ] ",
    "nested boxes": lambda n: "  " * (n % 60) + "- [ ] a\n",
    "one line of list items": lambda n: "-+"[n % 2] + " ",
    "stamps": lambda _: "> Last compaction: 2026-01-01 (auto), journal #1\n",
    "a paragraph": lambda _: "a\n",
    "carriage returns": lambda _: "\r",
    "comments": lambda _: "<!-- ",
}
WORKS: dict[str, Callable[[str], Any]] = {
    "work log": lambda text: work_log.flow_facts(work_log.parse_flow(text), {}),
    "trim": lambda text: work_log.trim(text, 5, {}),
    "learnings": lambda text: learnings.summary(learnings.parse_learnings(text, "f")),
    "plan": lambda text: plan.stamp(text, "2026-01-01", "auto", 1),
    "checklist": lambda text: checklist.bodies_of(Unit("u", items=[]), text),
    "progress": lambda text: progress_file.parse(f"**Skill**: s\n{text}"),
}


def _text(form: Callable[[int], str], size: int) -> str:
    pieces, length, at = [], 0, 0
    while length < size:
        pieces.append(form(at))
        length += len(pieces[-1])
        at += 1
    return "".join(pieces)


def _cost(work: Callable[[str], Any], text: str) -> float:
    """Return the CPU time of a run, in seconds, without garbage collection."""
    gc.disable()
    try:
        began = time.process_time()
        work(text)
        return max(time.process_time() - began, 0.0005)
    finally:
        gc.enable()


@pytest.mark.parametrize(("work", "form"), part(itertools.product(WORKS, FORMS), 6))
def test_cost_grows_with_the_size_and_not_with_its_square(work: str, form: str) -> None:
    """Sixteen times the size costs about sixteen times the work; quadratic would be 256 times."""
    small, large = (_text(FORMS[form], size) for size in (SMALL, GROWTH * SMALL))
    least = min(_cost(WORKS[work], small) for _ in range(2))
    # The machine may be busy: one quiet run is enough.
    assert any(_cost(WORKS[work], large) / least < 4 * GROWTH for _ in range(3))


@pytest.mark.parametrize("end", ["\n", "\r"])
def test_a_file_of_too_many_lines_is_refused_like_one_of_too_many_bytes(
    tmp_path: Path, end: str
) -> None:
    """2 MiB and 50,000 lines are read; one more line or one more byte is not."""
    path = tmp_path / "progress.md"
    path.write_text(end * 50_000, newline="")
    assert read_file(str(path)) is not None
    path.write_text(end * 50_001, newline="")
    assert read_file(str(path)) is None
    path.write_text("x" * 2_097_152)
    assert read_inside(str(tmp_path), "progress.md") is not None
    path.write_text("x" * 2_097_153)
    assert read_inside(str(tmp_path), "progress.md") is None


def test_all_learnings_together_have_as_many_lines_as_one_file(tmp_path: Path) -> None:
    """All learnings files together are read up to the line limit of one file; the rest is left out."""
    folder = tmp_path / ".claude" / "context"
    folder.mkdir(parents=True)
    for name in "abc":
        (folder / f"learnings-{name}.md").write_text(f"### {name}\n" + "\n" * (files.LINES // 2))
    found = learnings.read_learnings(str(tmp_path))
    assert [entry.title for entry in found or []] == ["a"]


def test_a_hook_parses_the_work_log_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PreCompact needs the headings twice, before and after the views, but parses the file once."""
    from tests.cases.world import World

    world = World(tmp_path, inline=True)
    world.flow(8)
    world.start()
    parsed = []
    parse = work_log.parse_flow
    monkeypatch.setattr(work_log, "parse_flow", lambda text: parsed.append(1) or parse(text))
    world.compacting()
    assert len(parsed) == 1
