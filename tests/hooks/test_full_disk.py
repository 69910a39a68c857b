"""On a disk that takes no data each hook call is recorded later, or counted as lost."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hooks.capture import capture
from journal.history.damage import states_of
from journal.log.read import Reader
from journal.log.record import unframe
from tests.support.examples import scaled

ROOT = Path(__file__).parents[2]
CALLS = scaled(50, 25)
OF_WHICH_FAIL = range(CALLS // 5, CALLS * 4 // 5)


def _call(project: Path, number: int) -> bytes:
    return json.dumps(
        {"hook_event_name": "UserPromptSubmit", "session_id": "s", "cwd": str(project),
         "prompt": f"prompt {number}", "prompt_id": f"p{number}"}
    ).encode()  # fmt: skip


def _env(home: Path, project: Path) -> dict[str, str]:
    (project / ".git").mkdir(parents=True, exist_ok=True)
    return {
        "HOME": str(project.parent / "person"),
        "PATH": os.environ["PATH"],
        "JOURNAL_HOME": str(home),
    }


def _counts(home: Path) -> tuple[int, int]:
    """Return the prompts in the log, and the number of events it reports as lost."""
    (directory,) = (path for path in home.iterdir() if path.name.startswith("shop-"))
    rows = [unframe(line) for _, line in Reader(str(directory))]
    lost = sum(row.get("missed", 0) for row in rows if row["type"] == "journal.gap")
    return sum(row["type"] == "prompt.submitted" for row in rows), lost


def test_what_cannot_be_written_waits_in_the_spool(tmp_path: Path) -> None:
    """If a directory is in the log's place the calls wait in the spool, and nothing is lost."""
    home, project = tmp_path / "home", tmp_path / "shop"
    env = _env(home, project)
    capture(_call(project, 0), env)
    (log,) = home.glob("shop-*/active.jsonl")
    log.rename(tmp_path / "log")
    log.mkdir()
    for number in range(1, 6):
        capture(_call(project, number), env)
    (state,) = states_of(str(home))
    assert state.waiting == 5
    assert "5 hook calls wait" in state.losses
    log.rmdir()
    (tmp_path / "log").rename(log)
    capture(_call(project, 6), env)
    assert _counts(home) == (7, 0)


def test_what_cannot_be_written_at_all_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If every write fails, the next one that works records how many events were lost."""
    home, project = tmp_path / "home", tmp_path / "shop"
    env = _env(home, project)
    real, is_full = os.write, False

    def write(descriptor: int, data: bytes) -> int:
        if is_full:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(descriptor, data)

    monkeypatch.setattr(os, "write", write)
    monkeypatch.setattr("journal.replace_file.os.write", write)
    monkeypatch.setattr("journal.log.spool.put", _full)
    for number in range(CALLS):
        is_full = number in OF_WHICH_FAIL
        capture(_call(project, number), env)
        if number == OF_WHICH_FAIL[-1]:
            (state,) = states_of(str(home))
            assert state.missed == len(OF_WHICH_FAIL)
            assert f"{len(OF_WHICH_FAIL)} events never recorded" in state.losses
    assert _counts(home) == (CALLS - len(OF_WHICH_FAIL), len(OF_WHICH_FAIL))
    (state,) = states_of(str(home))
    assert not state.is_damaged
    assert f"{len(OF_WHICH_FAIL)} events never recorded" in state.losses


@pytest.mark.parametrize("where", ["append.Writer.append", "append.os.pread"])
def test_any_error_before_the_append_leaves_the_call_in_the_spool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """Whatever goes wrong before an event is in the log, also for want of memory, it waits."""
    home, project = tmp_path / "home", tmp_path / "shop"
    env = _env(home, project)
    capture(_call(project, 0), env)
    with monkeypatch.context() as patch:
        patch.setattr(f"journal.log.{where}", _no_memory)
        capture(_call(project, 1), env)
    (state,) = states_of(str(home))
    assert state.waiting == 1
    assert "MemoryError" in (home / "hook-errors.log").read_text()
    capture(_call(project, 2), env)
    assert _counts(home) == (3, 0)


def _no_memory(*_: object) -> str:
    raise MemoryError


def _full(*_: object) -> str:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _fill(path: Path) -> None:
    with path.open("wb", 0) as file:
        while True:
            file.write(b"x" * 4096)


def test_a_really_full_disk_loses_nothing_uncounted(tmp_path: Path) -> None:
    """Of prompts in separate processes, most on a full disk, each is recorded or counted lost."""
    disk, project = tmp_path / "disk", tmp_path / "shop"
    disk.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m,mode=0700", "tmpfs", str(disk)]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a small disk can only be mounted by root")
    try:
        home = disk / "home"
        env = _env(home, project)
        ballast = disk / "ballast"
        for number in range(CALLS):
            if number == OF_WHICH_FAIL[0]:
                with pytest.raises(OSError, match="No space"):
                    _fill(ballast)
            if number == OF_WHICH_FAIL[-1] + 1:
                ballast.unlink()
            done = subprocess.run(
                [sys.executable, "-I", "-S", str(ROOT / "hooks" / "run.py")],
                input=_call(project, number), env=env, capture_output=True, check=False,
            )  # fmt: skip
            assert done.returncode == 0
        there, lost = _counts(home)
        assert there + lost == CALLS
        assert there >= CALLS - len(OF_WHICH_FAIL)
        assert lost
    finally:
        subprocess.run(["umount", str(disk)], check=False)
