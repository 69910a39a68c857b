"""With any damaged file beside a log, every reader answers as before or says what is wrong."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from random import Random
from typing import TYPE_CHECKING, NamedTuple

import pytest

from hooks.background import run_background
from journal.errors import JournalOffError
from tests.cli.conftest import Workspace
from tests.laws.busy import (
    LOCKS,
    LOGS,
    MADE_AGAIN,
    STORED,
    WRITERS,
    build_busy,
    files_of,
    kind_of,
    modules_that_write,
    put_aside,
)
from tests.laws.damaged import IMPORTED_SID, READERS, cut, delete, directory, run
from tests.support.copied import Copied, copied
from tests.support.examples import part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

ASKED = {
    **READERS,
    "show of an import": ["show", IMPORTED_SID],
    "export of an import": ["export-session", "--session", IMPORTED_SID],
}


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _flip(share: float) -> Callable[[Path], None]:
    def flip(path: Path) -> None:
        data = bytearray(path.read_bytes())
        if data:
            data[int(len(data) * share)] ^= 4
        path.write_bytes(data)

    return flip


def _unreadable(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)  # opening it fails, also for root


def _nested(path: Path) -> None:
    deep = b"[" * 5_000 + b"]" * 5_000
    path.write_bytes(b'{"version":3,"nested":' + deep + b"}")


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path, 0o600)


def _endless(path: Path) -> None:
    path.unlink()
    path.symlink_to("/dev/zero")


def _random(path: Path) -> None:
    path.write_bytes(Random(path.name).randbytes(path.stat().st_size))


def _link(path: Path) -> None:
    path.with_name(f".{path.name}.{os.getpid()}-1.tmp").hardlink_to(path)


# What any file may be replaced by. "unreadable" is a link to itself: modes do not bind root.
REPLACED: dict[str, Callable[[Path], None]] = {
    "deleted": delete,
    "a directory": directory,
    "unreadable": _unreadable,
    "a pipe": _pipe,
    "endless": _endless,
    "linked": _link,
}
KINDS: dict[str, Callable[[Path], None]] = {
    **REPLACED,
    "cut": cut,
    "empty": _empty,
    "random": _random,
    "nested deeply": _nested,
    # A bit of the byte at this share of the file.
    **{f"flipped at {share}": _flip(share) for share in (0.02, 0.2, 0.4, 0.5, 0.6, 0.8, 0.97)},
}


class Whole(NamedTuple):
    """A home with every kind of file, and the answers of every reader there."""

    workspace: Workspace
    answers: dict[str, tuple[int, str, str]]


@pytest.fixture(scope="module")
def whole() -> Iterator[Copied[Whole]]:
    """Build a home with every kind of file once; each case damages a copy at the same path."""
    yield from copied(_built)


def _built(top: Path) -> Whole:
    workspace = Workspace(str(top))
    build_busy(workspace)
    shutil.rmtree(workspace.top / "claude")
    for words in ASKED.values():
        run(workspace, words)
    put_aside(workspace)
    return Whole(workspace, {name: run(workspace, words) for name, words in ASKED.items()})


@pytest.fixture
def home(whole: Copied[Whole]) -> Whole:
    """Return that home, restored."""
    return whole.restore()


# Files whose content is trusted: nothing else records what it was.
# `status` shows the size of the conversations' files, and whether its own file of a status line is there.
SHOWN = ("PROJECT/conversations/", "statusline.json")
BELIEVED = ("config.toml", "identity.json", "prices.json", "PROJECT/missed", "PROJECT/overlaps",
            "PROJECT/repo", "PROJECT/spool/", "PROJECT/lock")  # fmt: skip
SAMPLE = {
    ("cache/PROJECT/*/reached", "cut"), ("cache/sessions.sqlite", "flipped at 0.5"),
    ("cache/PROJECT/*/tables/*.parquet", "a pipe"),
    ("cache/PROJECT/*/folds/*", "random"),
    ("PROJECT/conversations/*", "flipped at 0.6"), ("import.state", "nested deeply"),
    ("PROJECT/settings.cache", "endless"),
    ("PROJECT/lock", "a directory"),
}  # fmt: skip
# Who opens a file that few readers open: they are asked in every run, of the others a ninth.
OF_LOGS = ("bare", "sql", "sql of sessions", "stats", "usage", "tune", "export")
OPENED_BY = {
    "PROJECT/conversations/*": ("show", "show of an import"),
    "import.state": ("usage", "show", "show of an import"),
    "cache/sessions.sqlite": ("bare", "sessions", "search", "get", "show", "summarize"),
    "identity.json": OF_LOGS,
    "cache/PROJECT/*/tables/*.checkpoint": OF_LOGS,
    "cache/PROJECT/*/tables/*.parquet": OF_LOGS,
}
CASES = [
    pytest.param(name, kind, marks=[] if (name, kind) in SAMPLE else pytest.mark.long)
    for names, kinds in (((*MADE_AGAIN, *STORED), KINDS), (LOCKS, REPLACED))
    for name in names
    for kind in kinds
]


def test_every_kind_of_file_is_damaged_here(home: Whole) -> None:
    """Each file of the home is of a named kind, each kind has one, and each module that writes is known."""
    known = (*LOGS, *MADE_AGAIN, *STORED, *LOCKS)
    workspace = home.workspace
    names = [kind_of(workspace, path) for path in workspace.home.rglob("*") if path.is_file()]
    assert [name for name in names if not any(fnmatch(name, kind) for kind in known)] == []
    assert [kind for kind in known if not files_of(workspace, kind)] == []
    assert modules_that_write() == WRITERS


@contextmanager
def _within(seconds: int) -> Iterator[None]:
    """Raise TimeoutError if the block waits for longer: a pipe in a file's place must not stop it."""

    def end(*_: object) -> None:
        raise TimeoutError

    old = signal.signal(signal.SIGALRM, end)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_damaged_file_changes_no_answer(home: Whole, name: str, kind: str) -> None:
    """Each reader answers as before, or fails and says on stderr what it cannot read."""
    workspace = home.workspace
    paths = files_of(workspace, name)
    assert paths, "there is no such file"
    for path in paths:
        KINDS[kind](path)
    wrong = {}
    asked = {*part(ASKED, 9, name + kind), *OPENED_BY.get(name, ())}
    for reader in filter(asked.__contains__, ASKED):
        with _within(30):
            code, out, err = run(workspace, ASKED[reader])
        same = (code, out) == home.answers[reader][:2]
        if reader == "status" and name.startswith(SHOWN):
            same = same or (code, _unshown(out)) == (0, _unshown(home.answers[reader][1]))
        if code not in (0, 1, 3) or "Traceback" in err or "unexpected" in err:
            wrong[reader] = (code, err)
        elif (
            not same and (kind == "linked" or not name.startswith(BELIEVED)) and not (code and err)
        ):
            wrong[reader] = (code, out, home.answers[reader][1])
        elif kind == "linked" and not same:
            wrong[reader] = (code, err)
    assert wrong == {}
    _hooks_work(workspace)


def _unshown(status: str) -> str:
    """Return the text of `journal status` without what it shows of the files in `SHOWN`."""
    return re.sub(r"conversations stored: [^M]*|status line [^\n]*", "", status)


def _hooks_work(workspace: Workspace) -> None:
    """Let a session run: each hook ends, and its events are recorded, or wait for the next writer."""
    new = "99999999-2222-4333-8444-555555555555"
    for hook, given in (
        ("SessionStart", {"source": "startup"}),
        ("UserPromptSubmit", {"prompt": "go on"}),
        ("PreCompact", {"trigger": "auto"}),
        ("SessionStart", {"source": "compact"}),
        ("Stop", {}),
    ):
        with _within(30):
            workspace.hook(hook, new, **given)
    data = {"hook_event_name": "SessionStart", "session_id": new, "cwd": str(workspace.project)}
    with _within(30), suppress(JournalOffError, OSError):  # its process notes them
        run_background(json.dumps(data).encode(), workspace.env)
    found = workspace.segment.read_bytes() if workspace.segment.is_file() else b""
    waiting = [path.read_bytes() for path in workspace.directory.glob("spool/*") if path.is_file()]
    assert sum(data.count(new.encode()) for data in (found, *waiting)) >= 5


def test_a_backup_by_links_changes_nothing(home: Whole) -> None:
    """With a second link to every file of the home each reader answers as before, and so do imports."""
    for path in sorted(path for path in home.workspace.home.rglob("*") if path.is_file()):
        if not path.is_symlink():
            _link(path)
    for reader in part(ASKED, 6):
        code, out, _ = run(home.workspace, ASKED[reader])
        assert (reader, code, out) == (reader, *home.answers[reader][:2])
    assert run(home.workspace, ["import"])[0] == 0
    _hooks_work(home.workspace)


CACHES = ("snapshot", "cache/sessions.sqlite", "live/tables/usage.checkpoint", "live/reached")


@pytest.mark.parametrize(
    "names", [CACHES, *(pytest.param([name], marks=pytest.mark.long) for name in CACHES)]
)
@pytest.mark.parametrize(
    "kind", ["a directory", pytest.param("unreadable", marks=pytest.mark.long)]
)
def test_rebuild_removes_what_stands_in_the_place_of_a_cache(
    home: Whole, names: Sequence[str], kind: str
) -> None:
    """After the `journal rebuild` that the error names, every reader answers again."""
    paths = [path for path in home.workspace.home.rglob("*") if any(map(path.match, names))]
    assert len(paths) >= len(names)
    for path in paths:
        KINDS[kind](path)
    assert run(home.workspace, ["rebuild"])[0] == 0
    for words in (["status"], ["stats"], ["sessions"], ["search", "discount"]):
        code, _, err = run(home.workspace, words)
        assert (code, "cannot be used" in err) == (0, False), (words, err)


@pytest.mark.parametrize(
    ("name", "words", "text"),
    [
        ("missed", ["status"], "never recorded is unknown"),
        ("overlaps", ["doctor"], "would not be counted"),
        ("identity.json", ["export", "--to", "out"], "is not the identity of a journal home"),
    ],
)
@pytest.mark.parametrize(
    "kind", ["a directory", pytest.param("unreadable", marks=pytest.mark.long)]
)
def test_a_count_or_identity_that_cannot_be_read_is_reported(
    home: Whole, name: str, words: list[str], text: str, kind: str
) -> None:
    """What is in the place of a counter or of the identity and is no file is named; before, it is not."""
    assert text not in "".join(run(home.workspace, words)[1:])
    for path in [found for found in home.workspace.home.rglob(name) if found.is_file()]:
        KINDS[kind](path)
    assert text in " ".join("".join(run(home.workspace, words)[1:]).split())
