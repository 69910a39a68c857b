"""Which past sessions are new, which will be lost, and what the background imports."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from journal.clock import millis
from journal.config.schema import DEFAULTS
from journal.history import new_transcripts
from journal.history.importer.run import Import
from journal.history.locks import import_lock
from journal.history.new_transcripts import (
    import_new,
    losses,
    note_losses,
    past_sessions,
    text_limit,
    unread_transcripts,
)
from journal.history.scope import ProjectScope
from journal.log.append import Writer
from tests.journal.history.importer.conftest import NOW, SID, sandbox
from tests.journal.history.importer.lines import prompt, reply

if TYPE_CHECKING:
    from tests.journal.history.importer.conftest import Sandbox

__all__ = ["sandbox"]


def shop(sandbox: Sandbox, session: str = "") -> ProjectScope:
    """Return the scope of the transcripts' project."""
    return ProjectScope(sandbox.env, cwd="/home/dev/shop", session=session)


def quietly(sandbox: Sandbox, **settings: Any) -> bool:
    """Import in the background."""
    scope = shop(sandbox)
    scope.settings = {**DEFAULTS, **settings}
    return import_new(scope, every=True)


def test_sessions_from_before_the_journal_are_new(sandbox: Sandbox) -> None:
    """Transcripts count until a project was imported; the session that asks is left out."""
    assert past_sessions(shop(sandbox)).items == []
    sandbox.write(prompt(), reply("m1"))
    found = past_sessions(shop(sandbox))
    assert (found.sessions, found.size) == (1, sandbox.file.stat().st_size)
    assert past_sessions(shop(sandbox, SID)).items == []
    assert past_sessions(ProjectScope(sandbox.env, cwd="/home/dev/mill")).items == []
    assert past_sessions(shop(sandbox), every=True).sessions == 1
    sandbox.run()
    sandbox.write(prompt("more", 9))
    assert past_sessions(shop(sandbox)).items == []
    assert past_sessions(shop(sandbox), every=True).items == []
    assert [item.sid for item in unread_transcripts(shop(sandbox))] == [SID]


@pytest.mark.parametrize(("line", "count"), [({"type": "custom-title", "customTitle": "x"}, 1),
                                             (prompt(), 2)])  # fmt: skip
def test_a_transcript_without_a_conversation_is_no_past_session(
    sandbox: Sandbox, line: dict[str, Any], count: int
) -> None:
    """As many sessions are found as an import adds."""
    sandbox.write(prompt(), reply("m1"))
    other = f"b{SID[1:]}"
    sandbox.write({**line, "sessionId": other}, to=sandbox.file.with_name(f"{other}.jsonl"))
    assert past_sessions(shop(sandbox), every=True).sessions == count
    sandbox.run()
    assert len(sandbox.events("session.started")) == count


def test_what_an_interrupted_import_left_is_still_past(sandbox: Sandbox) -> None:
    """An import that the user stops before it is done leaves the rest for the next command."""
    sandbox.write(prompt(), reply("m1"))

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Import(sandbox.env, str(sandbox.home), NOW, str(sandbox.client), progress=stop).run()
    assert past_sessions(shop(sandbox), every=True).sessions == 1


@pytest.mark.parametrize(
    ("began", "count"), [("2026-11-20T09:00:00Z", 0), ("2026-11-20T11:00:00Z", 1)]
)
def test_what_hooks_recorded_is_not_past(sandbox: Sandbox, began: str, count: int) -> None:
    """A session that began after the log did was recorded by hooks, so only earlier ones are new."""
    sandbox.write(prompt(), reply("m1"))
    with Writer(shop(sandbox).directory, began) as writer:
        writer.append({"type": "session.started", "v": 1, "sid": "live"})
    assert past_sessions(shop(sandbox)).sessions == count


@pytest.mark.parametrize("off", [{"import.auto": False}, {"capture.level": "off"}])
def test_the_background_does_what_settings_allow(sandbox: Sandbox, off: dict[str, Any]) -> None:
    """It imports all that fits its limits; where it is switched off, nothing is left to do."""
    sandbox.write(prompt(), reply("m1"))
    assert quietly(sandbox, **off)
    assert sandbox.events() == []
    assert quietly(sandbox)
    assert sandbox.outputs() == {"m1": 10}


def test_another_import_or_a_limit_leaves_work(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another import runs, and if the budget ends before the files, the result says so."""
    for name in (SID, "d" + SID[1:]):
        line = reply(name, sid=name)
        sandbox.write(line, to=sandbox.file.with_name(f"{name}.jsonl"))
    sandbox.home.mkdir(mode=0o700)
    with import_lock(str(sandbox.home)):
        assert not quietly(sandbox)
    monkeypatch.setattr(new_transcripts, "BACKGROUND", (1, 20.0))
    assert not quietly(sandbox)
    assert len(sandbox.outputs()) == 1


def test_the_limits() -> None:
    """A background run reads 256 MiB and takes 20 seconds at most; text is limited in MiB."""
    assert new_transcripts.BACKGROUND == (268_435_456, 20.0)
    assert text_limit({"import.text_mib": 3}) == 3_145_728


def test_what_claude_code_will_delete_is_noted_once(sandbox: Sandbox) -> None:
    """Sessions within a week of their deletion and not stored are an event when that changes."""
    now = millis(NOW) or 0
    scope = shop(sandbox)
    sandbox.write(prompt(), reply("m1"))
    os.utime(sandbox.file, (now / 1000 - 25 * 86_400,) * 2)
    assert losses(scope) == (1, 30, "2026-11-26T12:00:00.000Z")
    directory = sandbox.home / scope.project.name

    def noted() -> int:
        note_losses(scope)
        active = directory / "active.jsonl"
        return active.read_bytes().count(b"transcripts.checked") if active.exists() else 0

    assert [noted(), noted()] == [1, 1]
    assert (
        b'"expiring":1,"days":30,"first":"2026-11-26T12:00:00.000Z"'
        in (directory / "active.jsonl").read_bytes()
    )
    sandbox.run()
    assert losses(scope) == (0, 30, "")
    assert [noted(), noted()] == [2, 2]


def test_what_is_stored_in_part_or_of_another_file_will_be_lost(sandbox: Sandbox) -> None:
    """A transcript counts as stored only if all of it is, and if it is that file."""
    old = ((millis(NOW) or 0) / 1000 - 25 * 86_400,) * 2

    def lost(*, limit: int | None = None) -> int:
        os.utime(sandbox.file, old)
        if limit is not None:
            sandbox.run(limit=limit)
        return losses(shop(sandbox)).sessions

    sandbox.write(prompt("x" * 5000), reply("m1"))
    assert (lost(), lost(limit=0)) == (1, 0)
    sandbox.write(prompt("y" * 5000, 9))
    assert (lost(limit=1), lost(limit=0)) == (1, 0)
    text = sandbox.file.read_bytes()
    sandbox.file.rename(sandbox.top / "old")
    sandbox.file.write_bytes(text.replace(b"xxxxx", b"zzzzz"))
    assert lost() == 1


def test_a_loss_that_comes_earlier_is_noted_again(sandbox: Sandbox) -> None:
    """If as many sessions will be deleted, but the first of them on another day, that is an event."""
    sandbox.write(prompt(), reply("m1"))
    for days in (25, 26, 26):
        os.utime(sandbox.file, ((millis(NOW) or 0) / 1000 - days * 86_400,) * 2)
        note_losses(shop(sandbox))
    log = (Path(shop(sandbox).directory) / "active.jsonl").read_bytes()
    assert log.count(b"transcripts.checked") == 2
