"""Each system call of a reading command fails once: it says what its answer lacks, or it fails."""

from __future__ import annotations

import errno
import shutil
from typing import TYPE_CHECKING

import pytest

from journal.log.verify import verify
from tests.contract.test_command_faults import STEPS, _cases, _fault, _records, _run
from tests.journal.log.faults import shim

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cases.world import World

__all__ = ["shim"]

COMMANDS: dict[str, list[str]] = {
    "summarize": ["summarize"],
    "search": ["search", "--no-import", "exporter"],
    "sql": ["sql", "--no-import", "select type, count(*) from events group by 1 order by 1"],
    "show": ["show", "--no-import", "last"],
    "pack": ["pack", "make", "last 2", "--dry-run"],
    "stats": ["stats", "--no-import"],
    "usage": ["usage", "--no-import"],
    "sessions": ["sessions", "--no-import"],
}
SAMPLE = {
    ("search", "write", errno.ENOSPC),
    ("sessions", "open", errno.EMFILE),
}


def _fill(world: World) -> None:
    """Make a log of two ended sessions, the first in a sealed segment."""
    for number, sid in enumerate(("first-session", "second-session")):
        world.sid = sid
        world.start()
        world.prompt(f"Write the exporter of orders, part {number}")
        world.tool("Write", file_path=str(world.project / "exports.py"))
        world.stop()
        world.hook("SessionEnd", reason="other")
        if not number:
            assert world.run("seal").code == 0


@pytest.mark.parametrize(("name", "call", "code", "steps"), _cases(COMMANDS, SAMPLE))
def test_a_failing_call_never_shortens_an_answer_in_silence(
    make_world: Callable[..., World],
    shim: Path,
    name: str,
    call: str,
    code: int,
    steps: tuple[int, ...],
) -> None:
    """A command that exits 0 gives the whole answer or a warning; a later run gives the answer."""
    world = make_world(inline=True)
    _fill(world)
    directory, copy = world.directory, world.base / "copy"
    shutil.copytree(world.home, copy)
    words = [*COMMANDS[name], "--json"]
    whole = world.run(*words)
    assert whole.code == 0, whole.err
    for nth in steps:
        shutil.rmtree(world.home)
        shutil.copytree(copy, world.home)
        before = _records(directory)
        ran = _run(world, words, _fault(world, shim, call, nth, code))
        said = ran.stderr.replace("struck\n", "").strip()
        assert ran.returncode in (0, 1, 3), ran.stderr
        assert "Traceback" not in ran.stderr
        if ran.returncode:
            assert said or ran.stdout
        elif ran.stdout != whole.out:
            assert said not in ("", whole.err.strip()), ran.stdout
        assert verify(str(directory)).exit_code == 0
        after = _records(directory)
        assert {seq: after[seq] for seq in before} == before
        again = world.run(*words)
        assert again.code == 0, again.err
        if name == "summarize":  # what the failed run has written, the next one does not repeat
            written = [kind for kind, _ in _records(directory).values()]
            assert written.count("session.summarized") == len(whole.data)
        else:
            assert again.out == whole.out
        if "struck" not in ran.stderr:
            assert nth > STEPS[0] or call != "open", "the fault never struck"
            return
