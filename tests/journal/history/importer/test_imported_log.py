"""What commands do with an imported log: verify, repair, seal, doctor."""

from __future__ import annotations

import json
import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from cli.doctor import stored
from journal.clock import millis
from journal.log.read import Reader
from tests.journal.history.importer.conftest import NOW, Sandbox
from tests.journal.history.importer.lines import prompt, reply
from tests.support.command import Result, run_command

if TYPE_CHECKING:
    from pathlib import Path

    from cli.doctor.installation import Check


def imported(sandbox: Sandbox) -> Path:
    """Import a few lines; return the imported log."""
    sandbox.write(prompt(), reply("m1"), reply("m2", second=2), reply("m3", second=3))
    sandbox.run()
    (log,) = sandbox.home.glob("*/imported")
    return log


def installation(sandbox: Sandbox) -> Any:
    """Return what the doctor's checks take as their argument."""
    (name,) = (path.parent.name for path in sandbox.home.glob("*/imported"))
    return SimpleNamespace(
        env=sandbox.env,
        scope=sandbox.scope(),
        home=str(sandbox.home),
        project=SimpleNamespace(name=name),
        directory=str(sandbox.home / name),
    )


def ours(sandbox: Sandbox, *words: str) -> Result:
    """Run a command for the imported project."""
    return run_command([*words, "--project", "/home/dev/shop"], sandbox.env, sandbox.top)


def spoil(log: Path) -> None:
    """Damage a record in the middle of the log."""
    path = log / "active.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"message":"m2"', b'"message":"mX"', 1))


def test_verify_looks_at_the_imported_log(sandbox: Sandbox) -> None:
    """Damage in the imported log is a finding with exit code 1, and repair fixes it."""
    log = imported(sandbox)
    assert ours(sandbox, "verify").code == 0
    spoil(log)
    found = ours(sandbox, "verify", "--json")
    assert (found.code, found.data["counts"]["corrupt"]) == (1, 1)
    assert found.data["journal"] == str(log)
    assert ours(sandbox, "repair").code == 0
    assert ours(sandbox, "verify").code == 0
    sandbox.run()
    stored_now = b"".join(line for _, line in Reader(str(log)))
    assert [stored_now.count(b'"message":"m%d"' % number) for number in (1, 2, 3)] == [1, 1, 1]


def test_verify_shows_both_logs(sandbox: Sandbox) -> None:
    """The hooks' log is shown first; the exit code is that of the worse log."""
    log = imported(sandbox)
    (log.parent / "active.jsonl").write_bytes((log / "active.jsonl").read_bytes())
    (log.parent / "active.jsonl").chmod(0o600)
    spoil(log)
    found = ours(sandbox, "verify", "--json")
    assert (found.code, found.data["ok"], found.data["imported"]["ok"]) == (1, True, False)
    told = ours(sandbox, "verify")
    assert told.code == 1
    assert "\nimported:\n" in told.out


@pytest.mark.parametrize("how", ["--no-compress", "--json"])
def test_seal(sandbox: Sandbox, how: str) -> None:
    """The imported log is sealed too, and no transcript has to be read again."""
    log = imported(sandbox)
    found = ours(sandbox, "seal", "--json", how)
    (name,) = found.data["sealed"]
    assert name.startswith("imported/")
    assert (log.parent / name).is_file()
    assert len(sandbox.events("usage.recorded")) == 3
    assert sandbox.run().changed == []
    assert ours(sandbox, "seal", "--json").code == 0


def row(sandbox: Sandbox) -> Check:
    """Return the doctor's row about transcripts."""
    (found,) = stored.transcripts(installation(sandbox))
    return found


def test_doctor_tells_what_the_client_will_delete(sandbox: Sandbox) -> None:
    """Transcripts to be deleted soon are reported until they are imported, and again if they grow."""
    imported(sandbox)
    now = (millis(NOW) or 0) / 1000
    later = sandbox.file.with_name("e" + sandbox.file.name[1:])
    sandbox.write(reply("n1"), to=later)
    assert row(sandbox).status == "ok"
    for path in (sandbox.file, later):
        os.utime(path, (now - 25 * 86_400,) * 2)
    assert (row(sandbox).status, row(sandbox).what[:13]) == ("note", "2 transcripts")
    assert "within 7 days (cleanupPeriodDays is 30)" in row(sandbox).what
    assert row(sandbox).remedy == "run: journal import"
    sandbox.run()
    assert row(sandbox).status == "ok"
    sandbox.write(reply("n2"), to=later)
    os.utime(later, (now - 25 * 86_400,) * 2)
    assert row(sandbox).details == (str(later),)
    (sandbox.client / "settings.json").write_text(json.dumps({"cleanupPeriodDays": 99}))
    assert row(sandbox).status == "ok"


def test_doctor_looks_into_the_imported_log(sandbox: Sandbox) -> None:
    """The findings of the imported log are a row of their own."""
    log = imported(sandbox)
    assert [(r.name, r.status) for r in stored.findings(installation(sandbox))] == [
        ("findings", "ok"), ("imported", "ok")
    ]  # fmt: skip
    spoil(log)
    assert stored.findings(installation(sandbox))[1].status == "warn"
