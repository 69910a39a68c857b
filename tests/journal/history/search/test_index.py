"""The index: what it finds, and that it always equals a newly built one."""

from __future__ import annotations

import errno
import os
import random
import shutil
import sqlite3
import stat
from typing import TYPE_CHECKING, Any

import pytest

from journal.errors import JournalError
from journal.history.replay import run
from journal.history.replay.stored import StoredFolds
from journal.history.search import database, logs
from journal.history.search.index import Index
from journal.history.search.ranking import Filter
from journal.log.findings import VALID
from journal.log.repair import repair
from journal.log.seal import seal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from projections.digest import Digest
    from tests.journal.history.search.conftest import Home

NOW = "2026-11-21T12:00:00.000Z"
SHOP = "shop-00000001"


def state(index: Index) -> dict[tuple[str, str], tuple[Digest, list[str]]]:
    """Return all that an index holds: per session its digest and terms."""
    connection = index.database.open()
    assert connection is not None
    connection.execute("create virtual table temp.held using fts5vocab(main, words, instance)")
    held: dict[int, list[str]] = {}
    for term, doc, column in connection.execute("select term, doc, col from temp.held"):
        held.setdefault(doc, []).append(f"{term} {column}")
    connection.execute("drop table temp.held")
    connection.execute("insert into words(words) values ('integrity-check')")
    found = {}
    for doc, project, sid in connection.execute("select doc, project, sid from sessions"):
        (past,) = index.find(sid, project=project)
        found[project, sid] = (past.digest, sorted(held.pop(doc)))
    assert held == {}
    return found


def anew(home: Home, tmp_path: Path) -> dict[Any, Any]:
    """Return what a new index of the current journals holds."""
    copy = tmp_path / f"copy{random.getrandbits(32):x}"
    shutil.copytree(home.top, copy, ignore=shutil.ignore_patterns("cache"))
    other = Index(str(copy), env={})
    other.update()
    found = state(other)
    other.close()
    return found


def test_sessions_are_found_by_what_they_say(home: Home) -> None:
    """Prompts, decisions, files, errors, summaries and branches are searched, best match first."""
    home.session("one", "fix the login redirect loop")
    home.tell("two", ("session.started", {"branch": "feature/invoices"}),
              ("decision.recorded", {"text": "Money is Decimal, never float"}),
              ("tool.finished", {"tool": "Edit", "target": "src/billing/render.py", "changed": True}),
              ("tool.failed", {"tool": "Bash", "target": "pytest", "error": "ZeroDivisionError"}),
              ("turn.ended", {"message": "Rounding happens once per line now."}))  # fmt: skip
    home.tell("", ("session.summarized", {"of": "two", "upto": 9, "title": "Exact sums",
                                          "summary": "Totals were off by a cent."}))  # fmt: skip
    for query in ("decimal", "render.py", "src/billing", "ZeroDivisionError", "rounding", "invoices",
                  "totals cent", "exact sums"):  # fmt: skip
        assert home.found(query)[:1] == ["two"], query
    assert home.found("redirect login")[0] == "one"
    assert home.found("kubernetes") == []


@pytest.mark.parametrize(("text", "query"), [("認証の画面を直す", "認証"), ("로그인을 고쳐 줘", "로그인"),
                         ("재고가 음수가 된다", "재고"), ("検索", "検索"), ("在庫", "在")],
                         ids=["ja", "ko-particle", "ko-two", "ja-whole", "ja-one"])  # fmt: skip
def test_short_words_of_cjk(home: Home, text: str, query: str) -> None:
    """A CJK word of two characters, or of one, is found, and the snippet marks it."""
    home.session("yes", text)
    home.session("no", "配信 監視 배포 복구")
    assert home.found(query) == ["yes"]
    (hit,) = home.index.search(query)
    assert next(hit.snippet[a:b] for a, b in hit.spans).startswith(query[0])


def test_filters(home: Home) -> None:
    """Project, date and status narrow a search and a list."""
    home.session("old", "parser one", project="a-00000001")
    home.session("new", "parser two", project="b-00000002", over=False)
    home.index.update()
    second = home.index.find("new")[0].digest.session.started
    assert sorted(home.found("parser")) == ["new", "old"]
    assert home.found("parser", project="a-00000001") == ["old"]
    assert home.found("parser", since=second) == ["new"]
    assert home.found("parser", status="completed") == ["old"]
    assert home.found("parser", status="open") == ["new"]
    assert home.found("parser", limit=1) in (["new"], ["old"])
    listed = home.index.sessions
    assert [past.digest.sid for past in listed()] == ["new", "old"]
    assert [past.project for past in listed(Filter("a-00000001"))] == ["a-00000001"]
    assert [past.digest.sid for past in listed(Filter(until=second[:16]), limit=1)] == ["new"]
    assert [past.digest.sid for past in listed(Filter(text="PARSER o"))] == ["old"]
    assert [past.digest.sid for past in listed(Filter(since=second, status="open"))] == ["new"]
    assert listed(Filter(since="2030-01-01")) == []


def test_an_id_is_a_word(home: Home) -> None:
    """A session is found by its id, and by the beginning of its id."""
    home.session("9f31c2aa-5b1e-4c55-8d0a-77aa00bb11cc", "apple")
    home.session("other", "9f31 bananas")
    home.index.update()
    assert home.found("9f31c2aa-5b1e-4c55-8d0a-77aa00bb11cc")[0].startswith("9f31c2aa")
    assert home.found("9f31c2aa")[0].startswith("9f31c2aa")


def test_more_than_a_hundred(home: Home) -> None:
    """A limit above a hundred returns more than a hundred hits."""
    for number in range(130):
        home.session(f"s{number}", "apple")
    assert len(home.found("apple", limit=500)) == 130
    assert len(home.found("apple")) == 10


def test_find_by_id(home: Home) -> None:
    """An id finds its session; a beginning finds all sessions that start with it, newest first."""
    home.session("abc", "one")
    home.session("abcd", "two")
    home.index.update()
    assert [past.digest.sid for past in home.index.find("abc")] == ["abc"]
    assert [past.digest.sid for past in home.index.find("ab")] == ["abcd", "abc"]
    assert home.index.find("abc", project="other") == []
    assert home.index.find("") == []
    assert home.index.find("%") == []


def test_it_reads_on(home: Home, tmp_path: Path) -> None:
    """Updated step by step, the index equals a new one, across seals and resumed sessions."""
    random_ = random.Random(3)
    for step in range(24):
        sid = f"s{random_.randint(0, 7)}"
        project = random_.choice((SHOP, "mill-00000002"))
        if random_.random() < 0.6:
            home.session(sid, f"word{step} parser", over=random_.random() < 0.7, project=project)
        else:
            home.tell(sid, ("tool.failed", {"tool": "Bash", "target": "make", "error": f"E{step}"}),
                      ("decision.recorded", {"text": f"rule {step}"}), project=project)  # fmt: skip
        if step in (7, 15):
            seal(str(home.top / project), NOW, compress=step == 15)
        if step % 2:
            assert home.index.update() > 0
            assert home.index.update() == 0
    home.index.update()
    assert state(home.index) == anew(home, tmp_path)


@pytest.mark.parametrize("stores", [True, False])
def test_a_long_log_is_read_once(
    home: Home, monkeypatch: pytest.MonkeyPatch, *, stores: bool
) -> None:
    """The first read stores a checkpoint of the log's state, if the index may store."""
    monkeypatch.setattr(run, "SAVE_AFTER", 1)
    home.session("one", "fix the login redirect loop")
    directory = str(home.top / SHOP)
    index = Index(str(home.top), env={}, stores=stores)
    home.others.append(index)
    assert index.update() == 1
    stored = StoredFolds(directory).last()
    assert (stored is not None) == stores
    if stored is not None:
        assert stored.found().counts == {VALID: 4}
        assert stored.facts().events == 4


def test_only_the_sessions_concerned_are_touched(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new record updates only its session, and the log is read from where the last update ended."""
    for number in range(5):
        home.session(f"s{number}", "parser")
    home.index.update()
    read: list[int] = []
    whole = logs.Reader.batches

    def counted(self: logs.Reader, segment: Any, active: Any) -> Any:
        for batch in whole_segment(self, segment, active):
            read.append(len(batch))
            yield batch

    whole_segment = logs.Reader._segment
    monkeypatch.setattr(logs.Reader, "_segment", counted)
    home.tell("s2", ("prompt.submitted", {"text": "tokenizer"}))
    assert home.index.update() == 1
    assert read == [1]
    assert whole is logs.Reader.batches
    assert home.found("tokenizer") == ["s2"]


def test_a_hook_call_that_came_twice_counts_once(home: Home, tmp_path: Path) -> None:
    """Repeats are recognised by key, even if the index was updated between them."""
    body = {"text": "parser", "key": "k1"}
    home.tell("one", ("session.started", {}), ("prompt.submitted", body))
    home.index.update()
    home.tell("one", ("prompt.submitted", body))
    home.index.update()
    assert home.index.find("one")[0].digest.session.prompts == 1
    assert state(home.index) == anew(home, tmp_path)


def _corrupt(home: Home) -> None:
    path = home.top / SHOP / "active.jsonl"
    data = path.read_bytes()
    at = data.index(b"banana")
    path.write_bytes(data[:at] + b"\0" + data[at + 1 :])


def _repair(home: Home) -> None:
    _corrupt(home)
    home.index.update()
    repair(str(home.top / SHOP), NOW)


def _replace(home: Home) -> None:
    shutil.rmtree(home.top / SHOP)
    home.session("other", "cherry cake")


def _cut(home: Home) -> None:
    path = home.top / SHOP / "active.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:4]))


def _sealed_damage(home: Home) -> None:
    seal(str(home.top / SHOP), NOW, compress=False)
    home.session("late", "date palm")
    home.index.update()
    path = next((home.top / SHOP).glob("0*.jsonl"))
    path.write_bytes(path.read_bytes().replace(b"banana", b"bananx"))


def _remove(home: Home) -> None:
    shutil.rmtree(home.top / SHOP)


@pytest.mark.parametrize("happen", [_corrupt, _repair, _replace, _cut, _sealed_damage, _remove])
def test_another_log_is_noticed(home: Home, tmp_path: Path, happen: Callable[[Home], None]) -> None:
    """After damage, repair, a cut, replacement or removal the index has nothing of the old log."""
    home.session("keep", "elderberry", project="mill-00000002")
    home.session("one", "apple pie")
    home.session("two", "banana bread")
    home.session("three", "grape juice")
    assert home.found("banana") == ["two"]
    happen(home)
    home.index.update()
    assert state(home.index) == anew(home, tmp_path)
    assert home.found("banana") == []
    assert home.found("elderberry") == ["keep"]


def test_hooks_and_transcript_tell_of_one_session(home: Home, tmp_path: Path) -> None:
    """A session in both logs is one: the hooks' facts stand, and the title that ranks higher."""
    home.session("both", "from the transcript", imported=True)
    home.tell(
        "both", ("session.titled", {"title": "Told by transcript", "source": "ai"}), imported=True
    )
    home.session("alone", "an old history", imported=True)
    assert home.found("history") == ["alone"]
    assert home.index.find("alone")[0].digest.imported
    home.session("both", "seen by the hooks", over=False)
    assert home.index.update() == 1
    (past,) = home.index.find("both")
    assert past.digest.prompts == ["seen by the hooks"]
    assert past.digest.session.title == "Told by transcript"
    assert not past.digest.imported
    assert [item.digest.sid for item in home.index.sessions(Filter(status="open"))] == ["both"]
    assert len(home.index.sessions()) == 2
    assert state(home.index) == anew(home, tmp_path)


def test_a_summary_of_an_imported_session(home: Home) -> None:
    """A summary in the live log and its session in the imported log are one session."""
    home.session("old", "an old history", imported=True)
    home.tell("", ("session.summarized", {"of": "old", "upto": 4, "title": "Ancient times",
                                          "summary": "How it all began."}))  # fmt: skip
    assert home.found("ancient") == ["old"]
    digest = home.index.find("old")[0].digest
    assert (digest.prompts, digest.summary) == (["an old history"], "How it all began.")


def test_an_exported_part_is_a_session(home: Home) -> None:
    """An exported part is found beside the session it came from."""
    home.session("whole", "parser and lexer")
    home.tell("whole", ("session.exported", {"of": "whole", "title": "Only the lexer", "seqs": [3],
                                             "summary": "The lexer was split off."}))  # fmt: skip
    assert home.found("lexer split")[0] == "whole.5"


def test_the_file_is_private_and_can_go(home: Home) -> None:
    """The index has mode 0600 in a 0700 folder; if it is deleted, it is built again."""
    home.session("one", "apple")
    assert home.found("apple") == ["one"]
    path = home.top / "cache" / "sessions.sqlite"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.unlink()
    assert home.found("apple") == ["one"]
    home.index.close()
    assert [item.name for item in path.parent.iterdir()] == ["sessions.sqlite"]


def _noise(path: Path) -> None:
    path.write_bytes(random.Random(1).randbytes(300_000))


def _half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _middle(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for at in range(12_288, len(data), 64):
        data[at] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.parametrize("damage", [_noise, _half, _middle])
@pytest.mark.parametrize("more", [False, True], ids=["nothing-new", "something-new"])
def test_a_damaged_index_is_made_anew(
    home: Home, damage: Callable[[Path], None], more: bool
) -> None:
    """With a damaged index the search still answers, and says on stderr that it was built again."""
    home.session("one", "apple")
    assert home.found("apple") == ["one"]
    home.index.close()
    damage(home.top / "cache" / "sessions.sqlite")
    if more:
        home.session("two", "banana")
    assert home.found("apple") == ["one"]
    assert "built again" in "".join(home.reports)


@pytest.mark.parametrize("asked", ["sessions", "live", "waiting"])
def test_a_damaged_row_is_made_anew(home: Home, asked: str) -> None:
    """A row whose digest cannot be read costs no list: the index is built again."""
    home.session("one", "apple")
    assert home.found("apple") == ["one"]
    with home.index.database.writing() as connection:
        connection.execute("update sessions set live = x'00'")
    index = home.index
    lists = {
        "sessions": index.sessions,
        "live": lambda: index.live(SHOP),
        "waiting": lambda: index.waiting(SHOP),
    }
    lists[asked]()
    assert "built again" in "".join(home.reports)


@pytest.mark.parametrize("damage", [_noise, _half, _middle])
def test_a_reader_does_without_a_damaged_index(home: Home, damage: Callable[[Path], None]) -> None:
    """Who may not write finds everything despite a damaged index, and leaves it as it is."""
    home.session("one", "apple")
    assert home.found("apple") == ["one"]
    home.index.close()
    path = home.top / "cache" / "sessions.sqlite"
    damage(path)
    before = path.read_bytes()
    home.index = Index(str(home.top), env={}, progress=home.reports.append, stores=False)
    assert home.found("apple") == ["one"]
    assert [past.digest.sid for past in home.index.sessions()] == ["one"]
    assert path.read_bytes() == before
    assert "built again" in "".join(home.reports)


def test_an_index_of_another_build(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index with other tables is built again, and that is reported once."""
    home.session("one", "apple")
    assert home.found("apple") == ["one"]
    home.index.close()
    monkeypatch.setattr(database, "CODE", "another")
    assert home.found("apple") == ["one"]
    assert home.found("apple") == ["one"]
    assert "".join(home.reports).count("another version") == 1


def test_no_journal_no_file(tmp_path: Path) -> None:
    """Without a journal nothing is found and no file is created."""
    index = Index(str(tmp_path / "none"), env={})
    assert index.update() == 0
    assert index.search("apple") == []
    assert index.sessions() == []
    assert index.find("x") == []
    assert not os.path.lexists(tmp_path / "none")


def test_only_the_named_projects_are_brought_up_to_date(home: Home) -> None:
    """Only the named projects are updated; the others stay as they are."""
    home.session("a", "apple", project="a-00000001")
    home.session("b", "apple", project="b-00000002")
    home.index.update()
    home.session("a2", "apple", project="a-00000001")
    home.session("b2", "apple", project="b-00000002")
    assert home.index.update(["a-00000001"]) == 1
    assert sorted(hit.digest.sid for hit in home.index.search("apple")) == ["a", "a2", "b"]
    shutil.rmtree(home.top / "a-00000001")
    assert home.index.update(["b-00000002"]) == 1
    assert len(home.index.search("apple")) == 4
    home.index.update()
    assert sorted(hit.digest.sid for hit in home.index.search("apple")) == ["b", "b2"]


def test_without_fts5_every_session_is_read(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without FTS5 in SQLite, search says so, reads every session and finds the same."""
    monkeypatch.setattr(database, "has_fts5", lambda: False)
    home.session("one", "fix the login redirect loop", "redirect again")
    home.session("two", "a redirect of invoices")
    home.session("three", "bananas")
    assert home.found("redirect login") == ["one", "two"]
    assert "no FTS5" in "".join(home.reports)
    home.session("four", "login")
    assert home.found("login") == ["one", "four"] or home.found("login") == ["four", "one"]
    assert home.found("kubernetes") == []
    assert home.found("login", status="open") == []


def test_with_fts5_again_the_index_is_built_again(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index made without FTS5 is built again as soon as SQLite has it."""
    with monkeypatch.context() as patch:
        patch.setattr(database, "has_fts5", lambda: False)
        home.session("one", "apple")
        assert home.found("apple") == ["one"]
        home.index.close()
    home.reports.clear()
    assert home.found("apple") == ["one"]
    assert "no FTS5" not in "".join(home.reports)


@pytest.mark.parametrize("error", [sqlite3.OperationalError("attempt to write a readonly database"),
                                   OSError(errno.ENOSPC, "No space left on device")])  # fmt: skip
def test_an_index_that_cannot_be_made(
    home: Home, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """Without an index to read, the error of the disk becomes one that names the file."""
    home.session("a", "zebra")

    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(database.Database, "_make_tables", fails)
    with pytest.raises(JournalError, match=r"sessions\.sqlite: cannot be made: (attempt|no space)"):
        home.index.update()


def test_a_home_that_cannot_be_written_is_read(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no index can be stored, one in memory answers, and nothing is written."""
    home.session("a", "zebra")
    monkeypatch.setattr("journal.history.search.database.os.access", lambda *_: False)
    index = Index(str(home.top), env={})
    index.update()
    assert [past.digest.sid for past in index.sessions(Filter())] == ["a"]
    assert not (home.top / "cache").exists()
    index.close()
