"""With any damaged file beside a log, every reader answers as before or says what is wrong."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, NamedTuple

import pytest

from journal.log import spool
from journal.transcript.backup import copy_transcript
from tests.cli.conftest import AFTER, SID
from tests.laws.damaged import IMPORTED_SID, READERS, build, cut, delete, directory, run
from tests.support.copied import Copied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cli.conftest import Workspace

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


KINDS: dict[str, Callable[[Path], None]] = {
    "cut": cut,
    "empty": _empty,
    "deleted": delete,
    "a directory": directory,
    "unreadable": _unreadable,
    "nested deeply": _nested,
    # A bit of the byte at this share of the file.
    **{f"flipped at {share}": _flip(share) for share in (0.02, 0.2, 0.4, 0.5, 0.6, 0.8, 0.97)},
}


class Whole(NamedTuple):
    """A home with every kind of file, and the answers of every reader there."""

    workspace: Workspace
    answers: dict[str, tuple[int, str, str]]


def _more(workspace: Workspace) -> None:
    """Put one file of each other kind into the home."""
    with workspace.segment.open("ab") as file:
        file.write(b"rubbish\n")
    assert workspace.journal("repair").code == 0
    copy_transcript(str(workspace.top / "transcript.jsonl"), str(workspace.directory), SID, AFTER)
    note = {"type": "decision.recorded", "v": 1, "sid": SID, "text": "take the second discount"}
    spool.put(str(workspace.directory), AFTER, (note,))
    (workspace.home / "config.toml").write_text('[search]\nmodel = "none"\n')
    (workspace.home / "hook-errors.log").write_text(f"{AFTER} Stop ValueError: x\n")
    (workspace.directory / "missed").write_bytes(b"..")
    (workspace.directory / "overlaps").write_bytes(b".")


@pytest.fixture(scope="module")
def whole() -> Iterator[tuple[Copied, Whole]]:
    """Build a home with every kind of file once; each case damages a copy at the same path."""
    copied = Copied()
    workspace = copied.workspace
    build(workspace)
    _more(workspace)
    shutil.rmtree(workspace.top / "claude")
    for words in ASKED.values():
        run(workspace, words)
    copied.keep()
    yield copied, Whole(workspace, {name: run(workspace, words) for name, words in ASKED.items()})
    copied.remove()


@pytest.fixture
def home(whole: tuple[Copied, Whole]) -> Whole:
    """Return that home, restored."""
    copied, home = whole
    copied.restore()
    return home


# Files whose content is trusted: nothing else records what it was.
BELIEVED = ("config.toml", "identity.json", "missed", "overlaps", "repo", "spool/", "lock")
SAMPLE = {
    ("snapshot", "flipped at 0.02"), ("snapshot", "a directory"), ("live/reached", "cut"),
    ("cache/sessions.sqlite", "flipped at 0.5"), ("live/tables/facts-*", "flipped at 0.4"),
    ("live/tables/events.checkpoint", "unreadable"), ("conversations/*", "flipped at 0.6"),
    ("import.state", "nested deeply"), ("identity.json", "nested deeply"), ("settings.cache", "cut"),
}  # fmt: skip
KINDS_OF_FILES = sorted(
    {name for name, _ in SAMPLE}
    | {"live/tables/*.parquet", "live/tables/*.checkpoint", "imported/reached", "quarantine/*",
       "imported/tables/*.parquet", "imported/tables/*.checkpoint", "transcripts/*",
       "hook-errors.log", "config.toml", "identity.json", "missed", "overlaps", "repo", "spool/*"}
)  # fmt: skip
CASES = [
    pytest.param(name, kind, marks=[] if (name, kind) in SAMPLE else pytest.mark.long)
    for name in KINDS_OF_FILES
    for kind in KINDS
]


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_a_damaged_file_changes_no_answer(home: Whole, name: str, kind: str) -> None:
    """Each reader answers as before, or fails and says on stderr what it cannot read."""
    paths = [path for path in home.workspace.home.rglob("*") if path.match(name) and path.is_file()]
    assert paths, "there is no such file"
    for path in paths:
        KINDS[kind](path)
    wrong = {}
    for reader, words in ASKED.items():
        code, out, err = run(home.workspace, words)
        same = (code, out) == home.answers[reader][:2]
        if code not in (0, 1, 3) or "Traceback" in err or "unexpected" in err:
            wrong[reader] = (code, err)
        elif not same and not name.startswith(BELIEVED) and not (code and err):
            wrong[reader] = (code, out, home.answers[reader][1])
    assert wrong == {}


@pytest.mark.parametrize(
    "name", ["snapshot", "cache/sessions.sqlite", "live/tables/usage.checkpoint", "live/reached"]
)
@pytest.mark.parametrize("kind", ["a directory", "unreadable"])
def test_rebuild_removes_what_stands_in_the_place_of_a_cache(
    home: Whole, name: str, kind: str
) -> None:
    """After the `journal rebuild` that the error names, every reader answers again."""
    for path in [found for found in home.workspace.home.rglob("*") if found.match(name)]:
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
