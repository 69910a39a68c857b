"""What is done for imported histories once they are there: verify, repair, seal, doctor, SQL."""

from __future__ import annotations

import json
import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from cli.doctor import stored
from journal.clock import millis
from journal.log.read import Reader
from tests.backfill.conftest import NOW, Desk
from tests.backfill.test_command import Result
from tests.backfill.test_growth import prompt, reply

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from cli.doctor.rows import Row


def imported(desk: Desk) -> Path:
    """Import a little; give the log."""
    desk.write(prompt(), reply("m1"), reply("m2", second=2), reply("m3", second=3))
    desk.run()
    (log,) = desk.home.glob("*/imported")
    return log


def case(desk: Desk) -> Any:
    """Give what doctor looks at."""
    (name,) = (path.parent.name for path in desk.home.glob("*/imported"))
    return SimpleNamespace(env=desk.env, home=str(desk.home), project=SimpleNamespace(name=name))


def ours(desk: Desk, monkeypatch: pytest.MonkeyPatch, *words: str) -> Result:
    """Run a command about the imported project."""
    return Result(desk, monkeypatch, *words, "--project", "/home/dev/shop")


def spoil(log: Path) -> None:
    """Damage a record in the middle."""
    path = log / "active.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"message":"m2"', b'"message":"mX"', 1))


def test_verify_looks_at_the_imported_log(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order it says so; damage in it is a finding with exit code 1, and repair mends it."""
    log = imported(desk)
    assert ours(desk, monkeypatch, "verify").code == 0
    spoil(log)
    found = ours(desk, monkeypatch, "verify", "--json")
    assert (found.code, found.data["counts"]["corrupt"]) == (1, 1)
    assert found.data["journal"] == str(log)
    assert ours(desk, monkeypatch, "repair").code == 0
    assert ours(desk, monkeypatch, "verify").code == 0
    desk.run()
    stored_now = b"".join(line for _, line in Reader(str(log)))
    assert [stored_now.count(b'"message":"m%d"' % number) for number in (1, 2, 3)] == [1, 1, 1]


def test_verify_shows_both_logs(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hooks' log first; the exit code is that of the worse one."""
    log = imported(desk)
    (log.parent / "active.jsonl").write_bytes((log / "active.jsonl").read_bytes())
    (log.parent / "active.jsonl").chmod(0o600)
    spoil(log)
    found = ours(desk, monkeypatch, "verify", "--json")
    assert (found.code, found.data["ok"], found.data["imported"]["ok"]) == (1, True, False)
    told = ours(desk, monkeypatch, "verify")
    assert told.code == 1
    assert "\nimported:\n" in told.out


def test_seal_and_its_mirror(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It seals the imported log too, and makes what a query would make first."""
    log = imported(desk)
    found = ours(desk, monkeypatch, "seal", "--no-compress", "--json")
    (name,) = found.data["sealed"]
    assert name.startswith("imported/")
    assert (log.parent / name).is_file()
    assert [
        path.suffix for path in (desk.home / "cache" / log.parent.name / "imported").glob("*.p*")
    ]
    assert len(desk.events("usage.recorded")) == 3
    assert desk.run().changed == []
    assert ours(desk, monkeypatch, "seal", "--json").code == 0


def row(desk: Desk) -> Row:
    """Look at the transcripts as doctor does."""
    (found,) = stored.transcripts(case(desk))
    return found


def test_doctor_tells_what_the_client_will_delete(desk: Desk) -> None:
    """Transcripts it deletes soon are told until their facts are kept, and again when they grow."""
    imported(desk)
    now = (millis(NOW) or 0) / 1000
    later = desk.file.with_name("e" + desk.file.name[1:])
    desk.write(reply("n1"), to=later)
    assert row(desk).status == "ok"
    for path in (desk.file, later):
        os.utime(path, (now - 25 * 86_400,) * 2)
    assert (row(desk).status, row(desk).what[:13]) == ("note", "2 transcripts")
    assert "within 7 days (cleanupPeriodDays is 30)" in row(desk).what
    assert row(desk).remedy == "run: journal import"
    desk.run()
    assert row(desk).status == "ok"
    desk.write(reply("n2"), to=later)
    os.utime(later, (now - 25 * 86_400,) * 2)
    assert row(desk).details == (str(later),)
    (desk.client / "settings.json").write_text(json.dumps({"cleanupPeriodDays": 99}))
    assert row(desk).status == "ok"


def test_doctor_looks_into_the_imported_log(desk: Desk) -> None:
    """Its findings are a row of their own."""
    log = imported(desk)
    assert [(r.name, r.status) for r in stored.findings(case(desk))] == [
        ("findings", "ok"), ("imported", "ok")
    ]  # fmt: skip
    spoil(log)
    assert stored.findings(case(desk))[1].status == "warn"
