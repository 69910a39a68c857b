"""`journal export --format delta`: rows are added once, also after an interrupted export."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest
from msgspec import ValidationError, convert, structs, to_builtins

from journal.events.registry import KINDS
from journal.history.export.columns import TIMES
from journal.history.team.columns import FACTS, team_columns
from tests.journal.history.export.test_run import EVENTS

pytestmark = pytest.mark.team
ROOT = Path(__file__).resolve().parents[4]
MORE = [*EVENTS, {"type": "prompt.submitted", "text": "more", "origin": "human", "size": 4},
        {"type": "tool.finished", "tool": "Read", "ms": 3}]  # fmt: skip


def same(team, code=0) -> None:
    """Check that each table has the rows `journal sql` has."""
    assert {table: team.one(table) for table in TIMES} == team.journals.counts(TIMES, code)


def test_the_same_numbers(team):
    """Each table has as many rows as `journal sql`; a table without rows exists too."""
    team.journals.write(EVENTS, "shop-00000001")
    team.journals.write(EVENTS[:4], "till-00000002")
    done = team.export()
    assert done["rows"]["events"] == 15
    same(team)
    assert team.rows("stages") == []
    assert (team.there / "stages" / "_delta_log").is_dir()
    assert team.rows("usage", "sum(input_tokens)") == [(5,)]
    assert team.rows("tools", "distinct month")[0] == ("2026-11",)


def test_a_second_export_adds_nothing(team):
    """Without new events a second export adds no row and no commit; new events add only their rows."""
    team.journals.write(EVENTS, "shop-00000001")
    team.export()
    before = sorted(team.there.rglob("*"))
    assert team.export()["rows"] == {}
    assert sorted(team.there.rglob("*")) == before
    team.journals.write(MORE, "shop-00000001")
    done = team.export()
    assert (done["rows"]["events"], done["rows"]["tools"]) == (2, 1)
    assert done["rows"]["sessions"] == 1
    same(team)
    assert team.one("sessions", counted=False) == 2


@pytest.mark.long
def test_a_home_that_forgot_what_it_exported(team):
    """A home without its cache reads from the tables how far it has exported."""
    team.journals.write(EVENTS, "shop-00000001")
    team.export()
    shutil.rmtree(team.journals.home / "cache")
    assert team.export()["rows"] == {}
    shutil.rmtree(team.journals.home / "cache")
    team.journals.write(MORE, "shop-00000001")
    assert team.export()["rows"]["events"] == 2
    same(team)


@pytest.mark.long
def test_a_log_restored_from_a_backup(team):
    """Rows of a restored log are replaced under a new epoch, without lost or doubled rows."""
    team.journals.write(EVENTS, "till-00000002")
    team.journals.write(MORE, "shop-00000001")
    team.export()
    other = [*EVENTS[:3], {"type": "tool.failed", "tool": "Bash", "error": "no"}]
    team.journals.write(other, "shop-00000001")
    done = team.export(code=1)  # the log is shorter than before, and no repair has settled that yet
    assert done["replaced"] == ["shop-00000001"]
    same(team, code=1)
    assert sorted(team.rows("tools", "distinct project, epoch")) == [
        ("shop-00000001", 2), ("till-00000002", 1)]  # fmt: skip
    assert team.export(code=1)["rows"] == {}


def cut_short(team, monkeypatch, before: str) -> None:
    """Export, and be killed before the rows of a table are added."""
    from journal.history.team import store

    real = store.Store.append

    def until(self, table, rows, marks):
        if table == before:
            raise KeyboardInterrupt
        real(self, table, rows, marks)

    with monkeypatch.context() as patched:
        patched.setattr(store.Store, "append", until)
        team.journals.workspace.journal("export", "--to", str(team.there), "--format", "delta")


@pytest.mark.long
def test_an_export_killed_between_two_tables(team, monkeypatch):
    """Tables that were complete before the kill get no row twice."""
    team.journals.write(EVENTS, "shop-00000001")
    cut_short(team, monkeypatch, "usage")
    assert (team.one("tools"), team.one("events")) == (2, 0)
    team.journals.write(MORE, "shop-00000001")
    done = team.export()
    assert (done["rows"]["tools"], done["rows"]["events"]) == (1, 12)
    same(team)
    assert team.one("tools", counted=False) == 3


def test_a_project_is_exported_after_another_was_cut_short(team, monkeypatch):
    """What is known of a cut export is known per log: another project's export changes nothing."""
    team.journals.write(EVENTS, "shop-00000001")
    team.journals.write(EVENTS, "till-00000001")
    team.export()
    team.journals.write(MORE, "shop-00000001")
    cut_short(team, monkeypatch, "events")
    team.journals.write(MORE, "till-00000001")
    team.export("--project", "till-00000001")
    team.export()
    same(team)
    assert team.one("tools", counted=False) == 6


@pytest.mark.parametrize("first", [True, False])
def test_records_altered_after_a_cut_export(team, monkeypatch, first):
    """What a killed export added is replaced if a repair or redaction changed its records since."""
    later = [{"type": "tool.finished", "tool": name} for name in ("Glob", "Read")]
    if not first:
        team.journals.write(EVENTS, "shop-00000001")
        team.export()
    team.journals.write([*EVENTS, *later], "shop-00000001")
    cut_short(team, monkeypatch, "events")
    assert team.one("tools", "count(*) filter (tool = 'Glob')") == 1
    team.journals.write([*EVENTS, {**later[0], "tool": "Grep"}, later[1]], "shop-00000001")
    assert team.export()["replaced"] == ["shop-00000001"]
    same(team)
    assert team.one("tools", "count(*) filter (tool = 'Glob')", counted=False) == 0


def test_one_export_of_a_home_at_a_time(team):
    """While a home exports, another export of it is refused, since both would add the same rows."""
    from journal.history.exclusive import exclusive

    team.journals.write(EVENTS, "shop-00000001")
    with exclusive(str(team.journals.home), "export.lock", "export"):
        assert "is under way" in team.export(code=3)
    team.export()
    same(team)


def test_dry_run(team):
    """--dry-run lists what would be exported and writes nothing."""
    team.journals.write(EVENTS, "shop-00000001")
    planned = team.export("--dry-run")
    assert (planned["rows"]["events"], "repo" in planned["columns"]["tools"]) == (10, True)
    assert not team.there.exists()
    assert team.export()["rows"] == planned["rows"]


@pytest.mark.long
def test_killed_and_its_memory_lost(team, monkeypatch):
    """Without cache and without `events` each table itself says how far it is."""
    import shutil

    test_an_export_killed_between_two_tables(team, monkeypatch)
    shutil.rmtree(team.journals.home / "cache")
    shutil.rmtree(team.there / "events")
    team.export()
    same(team)
    assert team.one("tools", counted=False) == 3


@pytest.mark.long
def test_records_altered_before_the_end(team):
    """A repair or redaction of exported records replaces the project's rows."""
    team.journals.write([{"type": "tool.finished", "tool": "Edit"}, *EVENTS], "shop-00000001")
    team.export()
    team.journals.write([{"type": "tool.finished", "tool": "Read"}, *EVENTS], "shop-00000001")
    assert team.export()["replaced"] == ["shop-00000001"]
    same(team)
    assert team.one("tools", "count(*) filter (tool = 'Read')") == 1


@pytest.mark.long
def test_an_import_that_comes_after_the_export(team):
    """Facts in both logs are one row, also if the import comes after the export; `events` has both."""
    calls = [event | {"use": f"toolu_{n}", "prompt": f"p{n}"} for n, event in enumerate(EVENTS)]
    team.journals.write(calls, "shop-00000001")
    team.export()
    team.journals.write(calls, "shop-00000001", "imported")
    team.export()
    tables = [table for table in TIMES if table != "events"]
    assert {table: team.one(table) for table in tables} == team.journals.counts(tables)
    assert team.rows("events", "count(*) filter (imported), count(*) filter (not imported)") == [
        (9, 10)
    ]


OTHER = "77777777-0000-4000-8000-000000000001"
STEPS = [
    [*EVENTS, {"type": "stage.started", "cycle": "c", "stage": "plan", "remaining": 90.0},
     {"type": "decision.recorded", "text": "keep it"},
     {"type": "usage.recorded", "message": "m9", "key": "u9", "model": "claude-sonnet-4-5",
      "input_tokens": 5, "output_tokens": 1}],
    [{"type": "session.started", "source": "startup", "sid": OTHER},
     {"type": "stage.finished", "cycle": "c", "stage": "plan", "remaining": 60.0, "sid": OTHER},
     {"type": "prompt.submitted", "text": "go on", "origin": "human", "size": 5, "sid": OTHER}],
    [{"type": "pressure.sampled", "tokens": 130_000, "point": 160_000, "sid": OTHER},
     {"type": "advice.given", "what": "pressure", "level": "info", "channel": "context", "sid": OTHER},
     {"type": "compact.started", "trigger": "auto", "tokens": 150_000, "point": 160_000, "sid": OTHER},
     {"type": "compact.finished", "summary": "All.", "size": 4, "sid": OTHER},
     {"type": "tool.finished", "tool": "Edit", "target": "a.py", "changed": True, "ms": 3}],
    [{"type": "usage.recorded", "message": "m9", "key": "u9", "model": "claude-sonnet-4-5",
      "input_tokens": 5, "output_tokens": 70, "sid": OTHER},
     {"type": "compound.ran", "promoted": 1, "sid": OTHER},
     {"type": "turn.ended", "sid": OTHER}],
    [{"type": "tool.finished", "tool": "Read", "ms": 3}, {"type": "session.ended", "reason": "other"}],
]  # fmt: skip


@pytest.mark.long
def test_in_steps_or_at_once(team):
    """Exported in steps or all together, every row that counts is the same."""
    written: list[dict[str, object]] = []
    for step in STEPS:
        written += step
        team.journals.write(written, "shop-00000001")
        team.journals.write(written[: len(written) // 2], "shop-00000001", "imported")
        team.export("--redact", "none")
    stepwise, team.there = team.there, team.journals.workspace.top / "at-once"
    team.export("--redact", "none")
    at_once = team.there
    for table in TIMES:
        told = "*" if table in FACTS else "* exclude (version, place)"
        shown = f"columns({told})::varchar"
        team.there = at_once
        expected = sorted(map(repr, team.rows(table, shown)))
        team.there = stepwise
        assert sorted(map(repr, team.rows(table, shown))) == expected, table
        assert expected, table


def test_a_replacement_is_not_disturbed_for_good(team, monkeypatch):
    """Rows that others add while a project's rows are replaced only make the commit start again."""
    from journal.history.team import store

    team.journals.write(MORE, "shop-00000001")
    team.export()
    real = store.Store.must_open
    disturbed: list[str] = []

    def must_open(there, table):
        opened = real(there, table)
        if table == "events" and len(disturbed) < 3:
            disturbed.append(table)
            columns = ", ".join(
                "'another' as origin_id" if name == "origin_id" else f'"{name}"'
                for name, _kind in store.team_columns(table)
            )
            rows = there.stream(table, f"select {columns} from {table} limit 1", opened)
            there._write(table, rows, {}, real(there, table), mode="append")
        return opened

    monkeypatch.setattr(store.Store, "must_open", must_open)
    monkeypatch.setattr(store.time, "sleep", lambda _seconds: None)
    team.journals.write([*EVENTS[:3], {"type": "tool.failed", "tool": "Bash"}], "shop-00000001")
    assert team.export(code=1)["replaced"] == ["shop-00000001"]
    where = "count(*) filter (origin_id <> 'another'), count(*) filter (origin_id = 'another')"
    assert team.rows("events", where) == [(5, 3)]


# Columns that name something: tools, models, stages, ids, and words of Claude Code or of the journal.
NAMES = {
    "events": {"agent", "prompt"},
    "sessions": {"model", "reason"},
    "turns": {"prompt", "origin"},
    "tools": {"tool", "tests", "use", "agent", "prompt"},
    "pressure": {"source", "model"},
    "compactions": {"trigger", "point_from", "warned_level"},
    "advice": {"kind", "what", "level", "channel", "hook"},
    "stages": {"cycle", "stage", "part"},
    "usage": {"model", "message_id", "agent", "request", "speed"},
    "hooks": {"hook"},
}
PLANTED = "planted in /home/ann/x.py"


def planted(kind: str) -> dict[str, object]:
    """Return an event with a text in each of its members that takes one, also within lists."""
    module, name = KINDS[kind]
    members = structs.fields(getattr(import_module(f"journal.events.{module}"), name))
    made: dict[str, object] = {"type": kind}
    for member in members:
        if member.encode_name not in ("seq", "ts", "v", "sid"):
            for value in (PLANTED, [PLANTED], {PLANTED: PLANTED}, [{"text": PLANTED}], 7, True):
                with suppress(ValidationError):
                    made[member.encode_name] = to_builtins(convert(value, member.type))
                    break
    return made


def test_no_text_of_any_event_leaves(team):
    """With `full` a text in any member of any event is in no column but those that name something."""
    events = [planted(kind) for kind in KINDS if kind != "segment.opened"]
    team.journals.write([*events, *events], "shop-00000001")
    team.journals.write(events, "shop-00000001", "imported")
    team.export()
    for table in TIMES:
        leaves = {
            name for name, kind in team_columns(table)
            if kind.startswith("VARCHAR")
            and PLANTED in str(team.rows(table, f'list("{name}")', counted=False))
        }  # fmt: skip
        assert leaves <= NAMES[table], table
    for path in team.there.rglob("*.json"):
        assert b"/home/ann" not in path.read_bytes()


APART = """
import sys
from cli.__main__ import main
sys.argv = ["journal", "export", "--to", sys.argv[1], "--format", "delta", "--json"]
code = main()
print(code, *sorted({"_duckdb", "deltalake"} & set(sys.modules)), file=sys.stderr)
"""


def apart(team) -> tuple[dict[str, object], str]:
    """Export in a process of its own; return the output, and exit code and libraries it has loaded."""
    ran = subprocess.run([sys.executable, "-c", APART, str(team.there)], capture_output=True, text=True,
                         check=False, env={**team.journals.workspace.env, "PYTHONPATH": str(ROOT)})  # fmt: skip
    return json.loads(ran.stdout), ran.stderr.splitlines()[-1]


def test_one_library_in_memory_at_a_time(team):
    """An export that goes on where the last one ended adds the same rows without DuckDB or delta-rs."""
    team.journals.write(EVENTS, "shop-00000001")
    assert apart(team)[1] == "0 _duckdb deltalake"  # this home remembers nothing yet
    assert apart(team) == (apart(team)[0] | {"rows": {}}, "0")
    team.journals.write(MORE, "shop-00000001")
    done, loaded = apart(team)
    assert (done["rows"]["events"], done["rows"]["tools"], loaded) == (2, 1, "0")
    assert done["projects"] == ["shop-00000001"]
    same(team)
    assert team.one("tools", counted=False) == 3
    folder = next((team.journals.home / "cache" / "export").iterdir())
    assert [path for path in folder.iterdir() if path.is_dir()] == []
    team.journals.write([*MORE[:3], {"type": "tool.finished", "tool": "Grep"}], "shop-00000001")
    done, loaded = apart(team)  # another log than the one exported
    assert (done["replaced"], loaded) == (["shop-00000001"], "1 _duckdb deltalake")
    same(team, code=1)


@pytest.mark.parametrize("is_apart", [False, True])
def test_a_home_restored_with_its_caches(team, is_apart):
    """Rows of events that a restored home has lost are replaced, even before a new event."""
    home, backup = team.journals.home, team.journals.workspace.top / "backup"
    team.journals.write(EVENTS, "shop-00000001")
    team.export()
    shutil.copytree(home, backup)
    team.journals.write(MORE, "shop-00000001")
    team.export()
    shutil.rmtree(home)
    backup.rename(home)
    done = apart(team)[0] if is_apart else team.export()
    assert done["replaced"] == ["shop-00000001"]
    same(team)
    assert team.export()["rows"] == {}


def test_one_library_at_a_time_after_forget(team):
    """Rows of what was forgotten stay away, also if the export needs one library at a time."""
    team.journals.write(EVENTS, "shop-00000001")
    team.export()
    sid = team.rows("sessions", "session")[0][0]
    team.export("--forget", f"session:{sid}")
    other = {"type": "tool.finished", "tool": "Grep", "sid": OTHER}
    team.journals.write([*MORE, other], "shop-00000001")
    done, loaded = apart(team)
    assert (done["rows"]["tools"], loaded) == (1, "0")
    assert team.rows("tools", "tool") == [("Grep",)]


def test_a_version_that_adds_a_column_meanwhile(team, monkeypatch):
    """An export that meets another version's new column is told to export again, and then adds all."""
    from journal.history.team import store

    real = store.Store.append

    def append(there, table, rows, marks):
        if table == "tools":
            text = "Failed to commit transaction: Metadata changed since last commit."
            with there.faults():
                raise RuntimeError(text)
        real(there, table, rows, marks)

    team.journals.write(EVENTS, "shop-00000001")
    with monkeypatch.context() as patched:
        patched.setattr(store.Store, "append", append)
        assert "others committed at the same time" in team.export(code=3)
    team.export()
    same(team)
