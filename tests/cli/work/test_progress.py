"""`journal progress …`: phases of a skill, its file, and who continues it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from journal.workfiles.progress_file import file_name, parse
from tests.cases.workshop import THIRD
from tests.cases.world import OTHER, SID, World
from tests.cli.work.steps import save

if TYPE_CHECKING:
    from pathlib import Path


def _file(shop: World, sid: str = SID) -> Path:
    return shop.project / "docs" / "plans" / file_name(sid)


def _state(shop: World, sid: str = SID) -> dict:
    return shop.view("progress", sid=sid)["state"]


def test_each_phase_is_kept_and_written_down(shop: World) -> None:
    """The view has every phase's summary, and the file says the same."""
    save(shop, 1)
    save(shop, 2)
    state = _state(shop)
    assert [item["summary"] for item in state["phases"]] == ["Found 1.", "Found 2."]
    assert (state["phase"], state["next"], state["output"]) == ("2", "Do 3", "docs/plans/01.md")
    assert state["path"] == f"docs/plans/{file_name(SID)}"
    read = parse(_file(shop).read_text())
    assert read is not None
    assert [item["summary"] for item in read["phases"]] == ["Found 1.", "Found 2."]
    assert read["next"] == "Do 3"
    exclude = (shop.project / ".git" / "info" / "exclude").read_text()
    assert exclude.count("/docs/plans/.cpm-progress-*.md") == 1


def test_a_phase_saved_again_is_corrected(shop: World) -> None:
    """A phase saved again appears once, with the later text."""
    save(shop, 1)
    said = shop.run("progress", "save", "--phase", "1", "--summary", "-", stdin="Better.\n")
    assert said.code == 0, said.err
    assert [item["summary"] for item in _state(shop)["phases"]] == ["Better."]
    assert _state(shop)["skill"] == "discover"


def test_a_skill_under_way_is_not_overwritten(shop: World) -> None:
    """Another skill waits until this one is closed or discarded; its results stay."""
    save(shop)
    spec = ("progress", "save", "--skill", "spec", "--phase", "1", "--summary", "Musts.")
    said = shop.run(*spec)
    assert said.code == 1
    assert "discover, phase 1" in said.err
    assert _state(shop)["skill"] == "discover"
    assert shop.run("progress", "discard", "--yes").code == 0
    assert shop.run(*spec).code == 0
    assert [item["summary"] for item in _state(shop)["phases"]] == ["Musts."]


USAGE = [
    pytest.param(["save", "--phase", "1"], "--skill", id="no-skill"),
    pytest.param(["save", "--skill", "s"], "--phase", id="no-phase"),
    pytest.param(["save", "--skill", "s", "--phase", " "], "--phase", id="blank-phase"),
    pytest.param(["save", "--skill", "s", "--phase", "-1"], "--phase", id="negative-phase"),
    pytest.param(["adopt"], "SID", id="adopt-whom"),
]


@pytest.mark.parametrize("words, named", USAGE)
def test_a_wrong_call_is_a_usage_error(shop: World, words: list[str], named: str) -> None:
    """A wrong call exits with 2, names what is missing, and appends nothing."""
    said = shop.run("progress", *words)
    assert said.code == 2
    assert named in said.err
    assert shop.events("progress.saved") == []


@pytest.mark.parametrize("words", [["save", "--skill", "s", "--phase", "1"], ["close"],
                                   ["adopt", OTHER], ["discard", "--yes"]])  # fmt: skip
def test_progress_belongs_to_a_session(shop: World, words: list[str]) -> None:
    """Without a session the command says so and refuses."""
    said = shop.run("progress", *words, sid=None)
    assert said.code == 2
    assert "none is given" in said.err


def test_a_long_text_is_bounded_and_it_is_said(shop: World) -> None:
    """A text that is too long is cut, and the command says so."""
    said = shop.run("progress", "save", "--skill", "s", "--phase", "1", "--summary", "漢" * 5000)
    assert said.code == 0
    assert "only the first 1,200 of 5,000" in said.err
    assert len(_state(shop)["phases"][0]["summary"]) == 1200


def test_a_skill_closes_only_when_its_output_exists(shop: World) -> None:
    """Without the output: exit 1, state unchanged; with it the state is closed, the file gone."""
    save(shop)
    said = shop.run("progress", "close")
    assert said.code == 1
    assert "does not exist" in said.err
    assert _file(shop).exists()
    assert _state(shop)["status"] == "live"
    (shop.project / "docs" / "plans" / "01.md").write_text("# Brief\n")
    assert shop.run("progress", "close").code == 0
    assert not _file(shop).exists()
    assert _state(shop)["status"] == "closed"
    assert shop.run("progress", "close").code == 1


def test_another_output_can_be_named(shop: World) -> None:
    """Another output can be named, also from a subdirectory; a missing file does not count."""
    save(shop)
    (shop.project / "src").mkdir()
    (shop.project / "src" / "out.md").write_text("x")
    assert shop.run("progress", "close", "--output", "src/none.md").code == 1
    said = shop.run("progress", "close", "--output", "out.md", cwd=shop.project / "src")
    assert said.code == 0, said.err
    assert shop.one("progress.closed")["output"] == "src/out.md"


def test_an_edit_nobody_saw_is_not_overwritten(shop: World) -> None:
    """A change of the file outside the client is taken in before the next save."""
    save(shop)
    text = _file(shop).read_text() + "\n### Phase 2 (By hand)\n\nAdded in an editor.\n"
    _file(shop).write_text(text)
    save(shop, 3)
    assert [item["summary"] for item in _state(shop)["phases"]] == [
        "Found 1.", "Added in an editor.", "Found 3.",
    ]  # fmt: skip
    assert "Added in an editor." in _file(shop).read_text()


def test_a_summary_longer_than_is_kept_stays_whole_in_its_file(shop: World) -> None:
    """The journal has the beginning, the file all of it, even after the next save."""
    save(shop)
    long = "word " * 500 + "END"
    path = _file(shop)
    before = path.read_text()
    path.write_text(before.replace("Found 1.", long))
    shop.tool("Edit", {"filePath": str(path), "originalFile": before}, file_path=str(path))
    assert len(_state(shop)["phases"][0]["summary"]) <= 1200
    told = len(shop.events("progress.saved"))
    save(shop, 2)
    assert long in path.read_text()
    assert len(shop.events("progress.saved")) == told + 1
    shop.run("progress", "save", "--phase", "1", "--summary", "Short.")
    assert "END" not in path.read_text()


def test_progress_is_taken_over_with_everything(shop: World) -> None:
    """State, phases and file move to the new session; the old state refers to it."""
    save(shop, sid=OTHER)
    save(shop, 2, sid=OTHER)
    before = _state(shop, OTHER)
    said = shop.run("progress", "adopt", OTHER[:8])
    assert said.code == 0, said.err
    state = _state(shop)
    assert state["phases"] == before["phases"]
    assert (state["skill"], state["phase"], state["next"]) == ("discover", "2", "Do 3")
    assert state["from"] == OTHER
    assert state["path"] == f"docs/plans/{file_name(SID)}"
    assert _file(shop).exists()
    assert not _file(shop, OTHER).exists()
    old = _state(shop, OTHER)
    assert (old["status"], old["by"]) == ("adopted", SID)


def test_adoption_leaves_a_file_that_says_more(shop: World) -> None:
    """Adoption does not remove a file with an edit that the journal does not know."""
    save(shop, sid=OTHER)
    _file(shop, OTHER).write_text(_file(shop, OTHER).read_text() + "\n### Phase 9 (X)\n\nMore.\n")
    assert shop.run("progress", "adopt", OTHER).code == 0
    assert "More." in _file(shop, OTHER).read_text()


def test_adoptions_that_would_break_the_chain_are_refused(shop: World) -> None:
    """Unknown, one's own, over one's own, or adopted by another: exit 1 with the reason."""
    save(shop, sid=OTHER)
    save(shop)
    for sid, named, why in (
        ("", "nobody-known", "no progress of session"),
        ("", SID, "own already"),
        ("", OTHER, "overwrite"),
    ):
        said = shop.run("progress", "adopt", named, sid=sid)
        assert said.code == 1
        assert why in said.err
    assert shop.run("progress", "adopt", OTHER, sid=THIRD).code == 0
    late = shop.run("progress", "adopt", OTHER, sid="44444444")
    assert late.code == 1
    assert f"session {THIRD} adopted it already" in late.err
    assert len(shop.events("progress.adopted")) == 1


def test_a_session_without_progress_may_adopt(shop: World) -> None:
    """A known session, even with a closed skill, may adopt progress (CP36)."""
    save(shop, sid=OTHER)
    save(shop)
    (shop.project / "docs" / "plans" / "01.md").write_text("x")
    assert shop.run("progress", "close").code == 0
    assert shop.run("progress", "adopt", OTHER).code == 0
    assert _state(shop)["status"] == "live"


def test_giving_up_is_confirmed(shop: World) -> None:
    """Discarding needs --yes without a terminal; on one it asks, and only a yes discards."""
    save(shop)
    assert shop.run("progress", "discard").code == 2
    no = shop.run("progress", "discard", stdin="\n", terminal=True)
    assert no.code == 1
    assert "discover, phase 1" in no.err
    assert _state(shop)["status"] == "live"
    assert _file(shop).exists()
    assert shop.run("progress", "discard", stdin="y\n", terminal=True).code == 0
    assert _state(shop)["status"] == "discarded"
    assert not _file(shop).exists()


def test_only_what_is_named_is_given_up(shop: World) -> None:
    """Another session's progress is discarded by name, from anywhere; one's own stays."""
    save(shop)
    save(shop, sid=OTHER)
    assert shop.run("progress", "discard", OTHER, "--yes", sid=None).code == 0
    assert _state(shop, OTHER)["status"] == "discarded"
    assert not _file(shop, OTHER).exists()
    assert _state(shop)["status"] == "live"
    assert _file(shop).exists()
    assert shop.run("progress", "discard", OTHER, "--yes").code == 1
    assert shop.run("progress", "discard", "unknown", "--yes").code == 1


def test_a_hostile_id_stays_in_its_folder(shop: World) -> None:
    """An id that looks like a path is a digest in the file's name."""
    sid = "../../../../escape"
    save(shop, sid=sid)
    inside = [path.name for path in (shop.project / "docs" / "plans").iterdir()]
    assert inside == [file_name(sid)]
    assert not list(shop.base.rglob("escape*"))
    assert shop.one("progress.saved")["path"] == f"docs/plans/{file_name(sid)}"


def test_where_the_folder_cannot_be_made_the_event_is_there_all_the_same(shop: World) -> None:
    """A link in place of docs is not followed: the state is saved and names no file."""
    away = shop.base / "away"
    away.mkdir()
    (shop.project / "docs").symlink_to(away, target_is_directory=True)
    save(shop)
    assert list(away.iterdir()) == []
    assert _state(shop)["path"] is None
    assert _state(shop)["skill"] == "discover"


def test_a_secret_is_neither_in_the_log_nor_in_the_file(shop: World) -> None:
    """The file has exactly what was recorded, without secrets."""
    said = shop.run("progress", "save", "--skill", "s", "--phase", "1",
                    "--summary", "key AKIAIOSFODNN7EXAMPLE found")  # fmt: skip
    assert said.code == 0
    raw = _file(shop).read_text() + (shop.directory / "active.jsonl").read_text() + said.out
    assert "AKIAIOSFODNN7EXAMPLE" not in raw
    assert "found" in _file(shop).read_text()
