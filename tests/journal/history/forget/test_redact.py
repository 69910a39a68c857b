"""`journal redact` over a home in which every kind of file holds a secret."""

from __future__ import annotations

import errno
import json
import os
import shutil
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import duckdb
import pytest

from journal.errors import JournalError
from journal.history.archive.files import conversation
from journal.history.export import run as export_run
from journal.history.forget import redact as redact_run
from journal.history.forget.redact import Redaction, redact_home
from journal.history.forget.replace import Secret
from journal.history.tables.logs import Log
from journal.history.team.positions import ALTERED, LogEnd, name_of, store_mark, stored_mark
from journal.identity import make_identity
from journal.log.append import Writer
from journal.log.read import Reader
from journal.log.record import unframe
from journal.log.rewrite_watch import is_unfinished
from journal.log.verify import verify
from journal.redaction import redact
from tests.journal.history.forget.conftest import OTHER, SECRET, TEXT, holding
from tests.journal.history.importer.lines import prompt, reply

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Workspace

NOW = "2026-11-22T10:00:00.000Z"


def _run(home: Path, *, dry: bool = False) -> Redaction:
    return redact_home(str(home), [], NOW, Secret(SECRET), dry=dry)


def _records(home: Path) -> dict[tuple[str, int], dict[str, object]]:
    """Return every record of a home by log and seq; check that all logs are complete."""
    found = {}
    for path in sorted({item.parent for item in home.rglob("active.jsonl")}):
        reader = Reader(str(path))
        found |= {(path.name, seq): unframe(line) for seq, line in reader}
        assert reader.found.complete, reader.found.listed
    return found


def test_the_rules_do_not_know_the_secret() -> None:
    """Ordinary redaction does not recognise the fixture's secret."""
    assert redact(TEXT) == TEXT


def test_every_file_is_reached(full: Workspace) -> None:
    """Before, the secret is in every kind of file; afterwards in none; logs verify, seqs stay."""
    before = holding(full.home)
    kinds = ("active.jsonl", ".jsonl.gz", "imported/", "quarantine/", "spool/", "transcripts/",
             "conversations/", "cache/", "hook-errors.log", ".tmp")  # fmt: skip
    assert [kind for kind in kinds if not any(kind in path for path in before)] == []
    old = _records(full.home)
    counted = _run(full.home, dry=True)
    assert holding(full.home) == before
    done = _run(full.home)
    assert holding(full.home) == []
    # One more: the record of the repair now has the new name of the quarantined file.
    assert (done.failed, done.total) == ({}, counted.total + 1)
    new = _records(full.home)
    for name, fields in old.items():
        if fields["type"] != "segment.opened":  # its digest of the segment before has changed
            held = "qzWx9k" in str(fields) or fields["type"] == "journal.repaired"
            assert (new[name] != fields) == held
        assert (new[name]["ts"], new[name]["type"]) == (fields["ts"], fields["type"])
    assert any(OTHER in str(fields) for fields in new.values())
    for path in {item.parent for item in full.home.rglob("active.jsonl")}:
        assert verify(str(path)).exit_code == 0, verify(str(path)).findings
    assert _run(full.home, dry=True).total == 0


@pytest.mark.parametrize("dry", [True, False])
def test_what_the_user_wrote_stays_and_is_named(full: Workspace, *, dry: bool) -> None:
    """Settings, and those that setup saved, may be what the user needs: redact says that they have it."""
    (full.home / "install").mkdir()
    own = {"config.toml": f"# {SECRET}\n", "install/1": SECRET, "statusline.json": "{}"}
    for name, text in own.items():
        (full.home / name).write_text(text)
    assert _run(full.home, dry=dry).failed.keys() == {"config.toml", "install/1"}
    assert {name: (full.home / name).read_text() for name in own} == own


def test_the_marker(full: Workspace) -> None:
    """Each log has a marker with counts and without the secret, and all commands still work."""
    _run(full.home)
    markers = [f for f in _records(full.home).values() if f["type"] == "journal.redacted"]
    assert [(m["by"], m["records"] > 0) for m in markers] == [("secret", True)] * 2  # type: ignore[operator]
    assert sum(m["files"] for m in markers) >= 4  # type: ignore[misc]
    for words in (["status"], ["events"], ["verify"], ["sessions"], ["sql", "from turns"],
                  ["search", "ordinary sentence"], ["view", "recovery"], ["stats"]):  # fmt: skip
        result = full.journal(*words)
        assert (result.code, "qzWx9k" in result.out) == (0, False), (words, result.err)
    assert full.journal("search", "qzWx9k", "--json").data == []


def test_quarantine_is_found_under_its_new_name(full: Workspace) -> None:
    """A quarantined file gets a new name, from its new digest, and the repair's record has it."""
    (before,) = (full.directory / "quarantine").iterdir()
    _run(full.home)
    (after,) = (full.directory / "quarantine").iterdir()
    assert after.name != before.name
    assert b"rubbish [redacted:history]" in after.read_bytes()
    repaired = next(f for f in _records(full.home).values() if f["type"] == "journal.repaired")
    assert repaired["quarantined"] == f"quarantine/{after.name}"


@pytest.mark.parametrize("lost", ["nothing", "state", "inode", "state and inode"])
def test_an_import_does_not_bring_it_back(full: Workspace, lost: str) -> None:
    """The transcript has the secret and grows; only its new lines are stored, whatever was lost."""
    transcript = full.top / "claude" / "projects" / "-shop" / "5e55-imported.jsonl"
    _run(full.home)
    count = len(_records(full.home))
    if "state" in lost:
        (full.home / "import.state").unlink()
    if "inode" in lost:
        shutil.copy(transcript, copy := transcript.with_suffix(".copy"))
        copy.replace(transcript)
    assert full.journal("import").code == 0
    assert (len(_records(full.home)), holding(full.home)) == (count, [])
    with transcript.open("a") as file:
        file.write(json.dumps({**prompt("a new line", 3), "cwd": str(full.project)}) + "\n")
    assert full.journal("import").code == 0
    assert (len(_records(full.home)), holding(full.home)) == (count + 1, [])
    stored = list(conversation(str(full.directory), "5e55-imported"))
    assert len(stored) == 4
    assert "a new line" in str(stored[-1].content)


def test_a_conversation_with_a_damaged_part_may_still_have_it(full: Workspace) -> None:
    """A part behind a damaged header cannot be searched: its file is reported."""
    (path,) = (full.directory / "conversations").iterdir()
    path.write_bytes(path.read_bytes().replace(b"\n", b" ", 1))
    assert list(_run(full.home, dry=True).failed) == [str(path.relative_to(full.home))]


def test_exempt_files_and_other_projects(full: Workspace) -> None:
    """The user's configuration is left alone, and so is a project that was not named."""
    (full.home / "config.toml").write_text(f"# {SECRET}\n")
    name = full.directory.name
    shutil.copytree(full.directory, full.home / "till-00000000")
    redact_home(str(full.home), [name], NOW, Secret(SECRET), dry=False)
    left = holding(full.home)
    assert "config.toml" in left
    assert any(path.startswith("till-00000000/") for path in left)
    assert [path for path in left if path.startswith((name, "cache"))] == []


def test_what_cannot_be_changed_is_reported(full: Workspace) -> None:
    """A damaged compressed file cannot be searched: it is reported, and all others are done."""
    bad = full.directory / "quarantine" / f"x.jsonl.gz.20261121.{'0' * 16}"
    whole = next(full.directory.glob("*.jsonl.gz")).read_bytes()
    bad.write_bytes(whole[: len(whole) // 2])
    done = _run(full.home)
    assert [path.partition("/")[2] for path in done.failed] == [f"quarantine/{bad.name}"]


def test_a_folder_that_cannot_be_listed_is_reported(
    full: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody knows what is in a folder that cannot be listed: it is reported, and the rest is done."""
    hidden, scandir = str(full.directory / "quarantine"), os.scandir

    def listed(path: str) -> Any:
        if path == hidden:
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", listed)
    done = _run(full.home)
    assert [path.partition("/")[2] for path in done.failed] == ["quarantine"]
    assert done.total


def test_a_name_is_reported(full: Workspace) -> None:
    """A secret in the name of a project's directory is reported, because the user must rename it."""
    done = redact_home(str(full.home), [], NOW, Secret(full.directory.name), dry=True)
    assert "name" in done.failed[full.directory.name]


def test_an_import_and_a_redaction_wait_for_each_other(full: Workspace) -> None:
    """A redaction is refused during an import, which could append what it had already read."""
    from journal.history.locks import import_lock

    with import_lock(str(full.home)), pytest.raises(JournalError, match="import"):
        _run(full.home)
    assert holding(full.home) != []


CALLS = ("replace", "rename", "unlink", "fsync", "utime")


def _killed(redact: Callable[[], object], kill: int) -> bool:
    """Redact in a process that dies at call number `kill` of CALLS; return whether it died."""
    pid = os.fork()
    if pid == 0:
        count = 0

        def dying(call: object) -> object:
            def run(*args: object, **more: object) -> object:
                nonlocal count
                count += 1
                if count == kill:
                    os._exit(9)
                return call(*args, **more)  # type: ignore[operator]

            return run

        for name in CALLS:
            setattr(os, name, dying(getattr(os, name)))
        try:
            redact()
        except BaseException:  # noqa: BLE001 (the process must end here)
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    assert code in (0, 9)
    return code == 9


@pytest.fixture
def copies(full: Workspace, tmp_path: Path) -> Path:
    """Return a copy of the full home, for each round to start from."""
    kept = tmp_path / "kept"
    shutil.copytree(full.home, kept)
    return kept


def _kill_and_repeat(home: Path, kept: Path, step: int, first: int = 1) -> int:
    """Kill at every `step`-th call, from `first`, and repeat; return the number of rounds."""
    old = _records(kept)
    rounds, kill, died = 0, first, True
    while died:
        shutil.rmtree(home)
        shutil.copytree(kept, home)
        died = _killed(lambda: _run(home), kill)
        new = _records(home)
        assert {name: f["type"] for name, f in new.items() if name in old} == {
            name: f["type"] for name, f in old.items()
        }
        done = _run(home)
        assert (holding(home), done.failed) == ([], {})
        assert any(f["type"] == "journal.redacted" for f in _records(home).values())
        for path in {item.parent for item in home.rglob("active.jsonl")}:
            assert verify(str(path)).exit_code == 0, (kill, verify(str(path)).findings)
            assert not (path / "rewriting").exists()
        kill += step
        rounds += 1
    return rounds


def test_killed_at_some_steps(full: Workspace, copies: Path) -> None:
    """After a kill every record is there, old or new, and the repeat finishes the redaction."""
    assert _kill_and_repeat(full.home, copies, 13, 3) >= 4


@pytest.mark.long
def test_killed_at_every_step(full: Workspace, copies: Path) -> None:
    """The same for every call that changes the disk."""
    assert _kill_and_repeat(full.home, copies, 1) > 50


@pytest.mark.parametrize(("step", "first"), [(17, 5), pytest.param(1, 1, marks=pytest.mark.long)])
def test_killed_while_it_imports_first(
    full: Workspace, copies: Path, step: int, first: int
) -> None:
    """The command imports what is new first: killed anywhere and repeated, nothing comes back."""
    transcript = full.top / "claude" / "projects" / "-shop" / "7e55-new.jsonl"
    lines = [prompt(TEXT, 7), reply("m7"), prompt(OTHER, 8)]
    where = {"cwd": str(full.project), "sessionId": "7e55-new"}
    transcript.write_text("".join(json.dumps({**line, **where}) + "\n" for line in lines))

    def command() -> None:
        result = full.journal("redact", "--yes", stdin=SECRET)
        assert result.code == 0, result.err

    counts, kill, died = set(), first, True
    while died:
        shutil.rmtree(full.home)
        shutil.copytree(copies, full.home)
        died = _killed(command, kill)
        command()
        assert holding(full.home) == []
        assert full.journal("import").code == 0
        assert holding(full.home) == []
        types = [f["type"] for f in _records(full.home).values() if f.get("sid") == "7e55-new"]
        counts.add(tuple(sorted(types)))
        for path in {item.parent for item in full.home.rglob("active.jsonl")}:
            assert verify(str(path)).exit_code == 0, (kill, verify(str(path)).findings)
        kill += step
    assert [types.count("prompt.submitted") for types in counts] == [2]


def test_an_export_receives_it_as_an_update(
    full: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next export rewrites the rows that held the secret, and leaves other files alone."""
    tables = ("events", "turns", "usage")  # each takes time
    monkeypatch.setattr(export_run, "TIMES", {name: export_run.TIMES[name] for name in tables})
    where = str(full.top / "lake")
    words = ["export", "--to", where, "--redact", "none", "--json"]
    query = (
        f"select string_agg(row) from (select e::varchar as row from '{where}/{{}}/**/*.parquet' e)"
    )

    def texts() -> str:
        found = [duckdb.sql(query.format(table)).fetchall() for table in ("events", "turns")]
        return str(found)

    first = full.journal(*words)
    assert any("usage/" in name for name in first.data["written"])
    assert "qzWx9k" in texts()
    _run(full.home)
    second = full.journal(*words)
    assert any("events/" in name for name in second.data["written"])
    assert not any("usage/" in name for name in second.data["written"])
    assert "qzWx9k" not in texts()
    assert "[redacted:history]" in texts()


@pytest.mark.parametrize("cut_short", [False, True])
def test_a_team_gets_the_rows_anew(full: Workspace, cut_short: bool) -> None:
    """For a team's tables a changed log counts as altered, also if another run changed it."""
    directory = full.home / "till-00000000"
    with Writer(str(directory), NOW) as writer:
        writer.append({"type": "decision.recorded", "v": 1, "sid": "", "text": OTHER})
    origin = make_identity(str(full.home)).origin
    folder = full.home / "cache" / "export" / "0123456789abcdef"
    ends = []
    for name in (full.directory.name, directory.name):
        reader = Reader(str(full.home / name), whole=True)
        assert [*reader]
        log = Log(name, "live", str(full.home / name), "")
        position = reader.position()
        assert position is not None
        ends.append(LogEnd(log, position, name_of(origin, name, "live")))
        store_mark(str(folder), ends[-1].name, position, "table")
    assert [stored_mark(str(folder), end)[:2] for end in ends] == [
        (end.mark, "table") for end in ends
    ]
    if cut_short:
        with patch.object(redact_run, "drop", side_effect=OSError), pytest.raises(OSError):  # noqa: PT011
            _run(full.home)
        assert all(is_unfinished(str(path.parent)) for path in full.home.rglob("active.jsonl"))
    _run(full.home)
    assert stored_mark(str(folder), ends[0])[:2] == (ALTERED, "table")
    assert stored_mark(str(folder), ends[1])[:2] == (
        ALTERED if cut_short else ends[1].mark, "table",
    )  # fmt: skip
    assert b"checksum" not in (folder / ends[0].name).read_bytes()


@pytest.mark.parametrize("auto", [True, False])
def test_what_is_not_imported_yet_does_not_bring_it_back(full: Workspace, auto: bool) -> None:
    """The command imports first; where imports are declined, it reads no transcript."""
    transcript = full.top / "claude" / "projects" / "-shop" / "77e5-new.jsonl"
    lines = [prompt(TEXT, 7, sessionId="77e5-new"), reply("m7", sid="77e5-new")]
    transcript.write_text(
        "".join(json.dumps({**line, "cwd": str(full.project)}) + "\n" for line in lines)
    )
    if not auto:
        (full.home / "config.toml").write_text("[import]\nauto = false\n")
    assert full.journal("redact", "--yes", stdin=SECRET).code == 0
    assert list(conversation(str(full.directory), "77e5-new")) or not auto
    assert full.journal("import").code == 0
    assert (holding(full.home) == []) == auto


def test_a_file_in_the_place_of_a_log_stops_nothing(full: Workspace) -> None:
    """The logs beside it are searched and changed; the file is reported as damage."""
    (full.home / "lost-01234567").write_text("")
    done = full.journal("redact", "--all", "--yes", stdin=SECRET)
    assert (done.code, "lost-01234567 is damaged" in done.err) == (1, True)
    assert holding(full.directory) == []
