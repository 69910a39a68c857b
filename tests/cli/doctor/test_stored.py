"""Rows of `journal doctor` about the journal on disk: findings, spool, file system, space."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from cli.doctor import home
from tests.cases.world import World
from tests.cli.doctor.examined import NOW, project_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from cli import doctor
    from tests.cli.install.machine import LocalMachine


def test_events_are_told_with_their_age(
    examine: Callable[..., dict[str, doctor.Check]], served: LocalMachine
) -> None:
    """The last event of each kind is shown with its age, newest first; a line without a kind or a time is none."""
    folder = project_of(served)
    folder.mkdir()
    lines = [
        {"type": "session.started", "ts": "2026-03-01T09:00:00.000Z"},
        {"type": "turn.ended", "ts": "2026-03-01T11:00:00.000Z"},
        {"type": "turn.ended", "ts": "2026-03-01T11:59:30.000Z"},
        {"type": "turn.ended"},
        {"ts": "2026-03-01T11:59:40.000Z"},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "active.jsonl").write_text(text + '{"torn": ', encoding="utf-8")
    rows = examine()
    assert (rows["last events"].what, *rows["last events"].details) == (
        "turn.ended 30 seconds ago", "session.started 3 hours ago",
    )  # fmt: skip
    assert rows["findings"].status == "warn", "these lines carry no seq and no crc"


def test_a_project_is_found_by_the_name_of_its_journal(tmp_path: Path) -> None:
    """`--project` takes the name that reports show, also where the directory is gone."""
    world = World(tmp_path, inline=True)
    world.start()
    world.prompt("fix the cart")
    world.project.rename(world.project.with_name("elsewhere"))
    world.project.mkdir()
    (name,) = [row["project"] for row in world.run("sessions", "--all", "--json").data]
    rows = world.run("doctor", "--project", name, "--json").data
    (row,) = [row for row in rows if row["name"] == "last events"]
    assert row["what"].startswith("prompt.submitted")


def test_findings(examine: Callable[..., dict[str, doctor.Check]], served: LocalMachine) -> None:
    """A complete journal has no findings; a torn end is a note; a damaged line is a finding."""
    from journal.log.append import Writer

    folder = project_of(served)
    with Writer(str(folder), NOW) as writer:
        for number in range(3):
            writer.append({"type": "turn.ended", "v": 1, "sid": "", "ts": NOW, "n": number})
    path = folder / "active.jsonl"
    whole = path.read_bytes()
    row = examine()["findings"]
    assert (row.status, row.what.split(" in ")[0]) == ("ok", "no damage")
    path.write_bytes(whole + b'{"seq":9,"ts":"2026')
    assert examine()["findings"].status == "note"
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:-2], lines[-2].replace(b"turn.", b"tuRn."), lines[-1]]))
    row = examine()["findings"]
    assert (row.status, "1 corrupt" in row.what, bool(row.details)) == ("warn", True, True)


@pytest.mark.parametrize(("side", "row"), [("", "findings"), ("imported", "imported")])
def test_a_log_is_a_directory(
    examine: Callable[..., dict[str, doctor.Check]], served: LocalMachine, side: str, row: str
) -> None:
    """What stands where a log's directory has to be is a failure, with the command that moves it."""
    path = project_of(served) / side
    if path.exists():
        shutil.rmtree(path)
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    found = examine()[row]
    assert (found.status, found.what, found.remedy) == (
        "fail", "is not a directory", f"move it: mv {path} {path}.old"
    )  # fmt: skip


def test_what_waits_and_what_was_missed(
    examine: Callable[..., dict[str, doctor.Check]], served: LocalMachine
) -> None:
    """Spooled calls are a note; calls set aside, lost or not to be counted are a finding."""
    empty = examine()["spool"]
    assert (empty.status, empty.what) == ("ok", "empty; no event was lost")
    spool = served.journal / "other-01234567" / "spool"
    spool.mkdir(parents=True)
    (spool / "1.jsonl").touch()
    assert (examine()["spool"].status, examine()["spool"].what[:7]) == ("note", "1 call ")
    (spool / "2.bad").touch()
    assert examine()["spool"].status == "warn"
    (spool.parent / "missed").write_bytes(b"..")
    assert "2 events" in examine()["missed"].what
    (spool.parent / "missed").unlink()
    (spool.parent / "missed").mkdir()
    assert "not a file" in examine()["missed"].what
    shutil.rmtree(spool)
    spool.touch()
    assert (examine()["spool"].status, examine()["spool"].what) == ("warn", "cannot be read")


MOUNTS = """21 1 8:1 / / rw - ext4 /dev/sda1 rw
30 21 0:40 / /home/dev/far rw - nfs4 host:/far rw
31 21 0:41 / /home/dev/with\\040space rw - fuse.sshfs x rw
"""


@pytest.mark.parametrize(
    "path, kind",
    [("/home/dev", "ext4"), ("/home/dev/far/away", "nfs4"), ("/home/dev/farther", "ext4"),
     ("/home/dev/with space/x", "fuse.sshfs")],
)  # fmt: skip
def test_the_filesystem(tmp_path: Path, path: str, kind: str) -> None:
    """The filesystem is that of the longest mount point above the path."""
    table = tmp_path / "mountinfo"
    table.write_text(MOUNTS, encoding="utf-8")
    assert home.filesystem(path, str(table)) == kind


@pytest.mark.parametrize(
    "kind, status", [("nfs4", "warn"), ("fuse.sshfs", "warn"), ("9p", "warn"), ("xfs", "ok")]
)
def test_a_shared_filesystem(
    examine: Callable[..., dict[str, doctor.Check]], monkeypatch: pytest.MonkeyPatch, kind: str, status: str
) -> None:  # fmt: skip
    """On a filesystem shared between hosts the doctor warns that locks may not work."""
    monkeypatch.setattr(home, "filesystem", lambda _path: kind)
    row = examine()["home"]
    assert (row.status, "single host" in row.what) == (status, status == "warn")


@pytest.mark.parametrize("free, status", [(10**12, "ok"), (5 * 10**7, "warn"), (1000, "fail")])
def test_room(
    examine: Callable[..., dict[str, doctor.Check]], monkeypatch: pytest.MonkeyPatch, free: int, status: str
) -> None:  # fmt: skip
    """Low disk space is reported before the disk is full."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: shutil._ntuple_diskusage(0, 0, free))
    assert examine()["disk"].status == status


def test_a_look_that_breaks_is_a_row(
    examine: Callable[..., dict[str, doctor.Check]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A check that raises is reported as its own row, and the other rows are still there."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: 1 / 0)
    rows = examine(spoilt=True)
    assert "ZeroDivisionError" in rows["space"].what
    assert "configuration" in rows
