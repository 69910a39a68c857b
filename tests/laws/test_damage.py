"""With damage in any one log of a journal home, no reader answers as if it had seen everything."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from journal.log.reached import forget_reached
from journal.log.segment import segments
from tests.cli.conftest import Workspace
from tests.laws.damaged import READERS, build, cut, delete, directory, run
from tests.support.copied import Copied, copied
from tests.support.examples import part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def _cut_lines(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[: len(lines) // 2]))


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _link(path: Path) -> None:
    (path.parents[1] / f"{path.name}.backup").hardlink_to(path)


KINDS: dict[str, Callable[[Path], None]] = {
    "cut": cut,
    "cut at a line": _cut_lines,
    "flipped": _flip,
    "deleted": delete,
    "a directory": directory,
    "linked": _link,
}
ASKED = {
    **READERS,
    "redact": ["redact", "--pattern", "stands nowhere"],
    "gc": ["gc", "--class", "observations", "--older-than", "9999"],
}
LOGS = ("sealed", "packed", "active", "imported")


class Home(NamedTuple):
    """A journal with two sealed segments, an active and an imported one, in its workspace."""

    workspace: Workspace

    def path(self, name: str) -> Path:
        """Return the file of one of LOGS."""
        top = self.workspace.directory
        listed = [Path(segment.path) for segment in segments(str(top))]
        found = dict(zip(("packed", "sealed", "active"), listed, strict=True))
        found["imported"] = top / "imported" / "active.jsonl"
        return found[name]


@pytest.fixture(scope="module")
def whole() -> Iterator[Copied[Home]]:
    """Build the journal once; each case damages a copy at the same path."""
    yield from copied(_built)


def _built(top: Path) -> Home:
    workspace = build(Workspace(str(top)))
    for words in READERS.values():  # so that up-to-date derived files exist
        run(workspace, words)
    return Home(workspace)


@pytest.fixture
def home(whole: Copied[Home]) -> Home:
    """Return the intact journal, restored."""
    return whole.restore()


def _damaged(home: Home, name: str, kind: str) -> None:
    KINDS[kind](home.path(name))


CASES = [
    pytest.param(name, kind, marks=[] if (name, kind) in (
        ("active", "cut at a line"), ("sealed", "deleted"), ("packed", "flipped"),
        ("active", "linked"),
    ) else pytest.mark.long)
    for name in LOGS for kind in KINDS
]  # fmt: skip


@pytest.mark.parametrize(("name", "kind"), CASES)
def test_no_reader_pretends_to_have_seen_all(home: Home, name: str, kind: str) -> None:
    """With an incomplete log each reader fails with what, where and the next command; a link is fine."""
    _damaged(home, name, kind)
    wrong = {}
    for reader in part(ASKED, 6, name + kind):
        words = ASKED[reader]
        code, out, err = run(home.workspace, words)
        if kind == "linked":
            # `redact` does not write to the backup, and says so.
            if (code and reader != "redact") or "damaged" in err:
                wrong[reader] = (code, err)
        elif not code or (reader != "verify" and "is damaged" not in err):
            wrong[reader] = (code, err)
        if "--json" in words:
            json.loads(out)
    assert wrong == {}
    rows = home.workspace.journal("doctor", "--json").data
    states = {row["status"] for row in rows if row["name"] in ("findings", "imported")}
    assert ("warn" in states) == (kind != "linked")


def _file(path: Path) -> None:
    shutil.rmtree(path)
    path.write_text("")


@pytest.mark.parametrize(
    ("side", "damage"), [("imported", shutil.rmtree), ("imported", _file), ("live", _file)]
)
def test_a_log_whose_directory_is_gone_is_reported(
    home: Home, side: str, damage: Callable[[Path], None]
) -> None:
    """What a checkpoint has read, or another file replaces, was a log; one that never was is none."""
    place = home.path("imported" if side == "imported" else "active").parent
    damage(place)
    for reader in part(READERS, 6, side + damage.__name__):
        code, _, err = run(home.workspace, READERS[reader])
        # Without its own log, a project has no session to name.
        assert code in ((1, 3) if side == "imported" else (1, 2, 3)), reader
        assert err or reader == "verify"
    code, out, err = run(home.workspace, READERS["sql"])  # what can be read is
    assert (code, "damaged" in err, bool(out)) == (1, True, True)
    if place.exists():
        place.unlink()
    forget_reached(str(place))
    code, _, err = run(home.workspace, READERS["sql"])
    assert (code, "damaged" in err) == (0, False)
