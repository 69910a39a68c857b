"""What `journal import` prints, and with which exit code it ends."""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING, Any

from cli.app import run
from tests.backfill.test_growth import prompt, reply

if TYPE_CHECKING:
    import pytest

    from tests.backfill.conftest import Desk


class Result:
    """code, out and err of a command line; data: stdout as JSON."""

    def __init__(self, desk: Desk, monkeypatch: pytest.MonkeyPatch, *words: str) -> None:
        for name in (
            "JOURNAL_SESSION",
            "CLAUDE_CODE_SESSION_ID",
            "CLAUDE_PROJECT_DIR",
            "JOURNAL_PROJECT",
        ):
            monkeypatch.delenv(name, raising=False)
        for name, value in {**desk.env, "COLUMNS": "60", "NO_COLOR": "1"}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.chdir(desk.top)
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in "oe")
        with redirect_stdout(out), redirect_stderr(err):
            self.code = run(list(words))
        self.out, self.err = (stream.buffer.getvalue().decode() for stream in (out, err))

    @property
    def data(self) -> Any:
        """Stdout as JSON, all of it."""
        return json.loads(self.out)


def test_what_it_says(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counts, what will be deleted, and nothing wider than the terminal; no bar without one."""
    desk.write(prompt(), reply("m1"))
    desk.file.touch()
    first = Result(desk, monkeypatch, "import")
    assert first.code == 0
    assert "1 session, 1 prompt, 1 API response" in first.out.replace("\n", " ")
    assert max(map(len, first.out.splitlines())) <= 60
    assert first.err == ""
    second = Result(desk, monkeypatch, "import")
    assert "nothing is new" in second.out


def test_what_the_client_deletes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Transcripts within a week of cleanupPeriodDays are named; others are not."""
    import os

    from journal.clock import millis
    from tests.backfill.conftest import NOW

    desk.write(prompt())
    now = (millis(NOW) or 0) / 1000
    for days, setting, soon in ((25, None, 1), (20, None, 0), (20, 25, 1), (0, 1, 1), (25, 99, 0)):
        os.utime(desk.file, (now - days * 86_400 - 1,) * 2)
        (desk.client / "settings.json").write_text(
            json.dumps({"cleanupPeriodDays": setting} if setting else {})
        )
        assert len(Result(desk, monkeypatch, "import", "--json").data["expiring"]) == soon, (
            days,
            setting,
        )


def test_exit_codes(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """0 in order, also with a torn end; 1 for a bad line; 2 for a wrong bound; 3 for no such path."""
    desk.write(reply("m1"), b'{"type":"assistant","mess')
    assert Result(desk, monkeypatch, "import", "--json").code == 0
    desk.write(b"\n", reply("m2"))
    found = Result(desk, monkeypatch, "import", "--json")
    assert (found.code, len(found.data["bad_lines"])) == (1, 1)
    assert Result(desk, monkeypatch, "import", "--since", "soon").code == 2
    assert Result(desk, monkeypatch, "import", "--since", "17").code == 2
    missing = Result(desk, monkeypatch, "import", "nowhere")
    assert (missing.code, "nowhere" in missing.err) == (3, True)


def test_a_path(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """PATH is a file, a folder of transcripts, or a client's directory."""
    desk.write(prompt(), reply("m1"))
    for path in (str(desk.file), str(desk.file.parent), str(desk.client)):
        assert (
            Result(desk, monkeypatch, "import", path, "--dry-run", "--json").data["added"][
                "usage.recorded"
            ]
            == 1
        )
    empty = desk.top / "empty"
    empty.mkdir()
    found = Result(desk, monkeypatch, "import", str(empty))
    assert (found.code, "no transcripts" in found.out) == (0, True)


def test_hostile_names(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory, an id or a branch of any kind becomes no path and reaches no terminal raw."""
    for at, cwd in enumerate(
        ("/../../etc", "/x\0y", "relative", "/" + "a" * 5000, "/tmp/\x1b[31m")
    ):
        desk.write(prompt("hi", at, cwd=cwd, sessionId=f"../s{at}", gitBranch="\x1b]0;x\x07"))
    found = Result(desk, monkeypatch, "import")
    assert found.code == 0
    assert "\x1b" not in found.out + found.err
    assert {path.name for path in desk.top.iterdir()} <= {"claude", "journal"}
    assert sys.getsizeof(desk.events("prompt.submitted"))
    assert len(desk.events("prompt.submitted")) == 5
