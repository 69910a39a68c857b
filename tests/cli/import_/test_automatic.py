"""Past sessions on the first day: imported for a waiting person, only announced to others."""

from __future__ import annotations

import itertools
import json
import os
import pty
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hooks.background import run_background
from journal.history.importer.run import Budget, Import
from journal.home import Project
from tests.cli.conftest import Workspace
from tests.support.examples import third
from tests.tools.transcripts import write

ROOT = Path(__file__).resolve().parents[3]
DONE = "The invoice totals were off by a cent because cart.py rounded them twice."
SID = "{:08x}-28b8-49db-9cf4-92a4658e0b0f"


def write_transcript(
    workspace: Workspace, number: int, directory: Path, *, branch: str = "discounts"
) -> Path:
    """Write the transcript of a past session in a directory."""
    sid = SID.format(number)
    slug = "".join(c if c.isalnum() else "-" for c in str(directory))
    path = workspace.top / "claude" / "projects" / slug / f"{sid}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    common = {"sessionId": sid, "cwd": str(directory), "gitBranch": branch, "parentUuid": None}
    lines: list[dict[str, Any]] = [
        {"type": "user", "uuid": f"p{number}", "timestamp": f"2026-11-{number:02}T10:00:00.000Z",
         "message": {"role": "user", "content": f"round the invoice totals {number}"}},
        {"type": "assistant", "uuid": f"a{number}", "timestamp": f"2026-11-{number:02}T10:01:00.000Z",
         "requestId": f"r{number}", "message": {"id": f"m{number}", "model": "claude-opus-5-5",
         "role": "assistant", "stop_reason": "end_turn", "content": [{"type": "text", "text": DONE}],
         "usage": {"input_tokens": 5, "output_tokens": 7}}},
    ]  # fmt: skip
    path.write_text("".join(json.dumps({**common, **line}) + "\n" for line in lines))
    when = 1_793_000_000 + number
    os.utime(path, (when, when))
    return path


@pytest.fixture
def day_one(tmp_path: Path) -> Workspace:
    """Three past sessions of the project, two of another, and no journal."""
    workspace = Workspace(str(tmp_path))
    workspace.env["HOME"] = str(tmp_path)
    other = tmp_path / "till"
    (other / ".git").mkdir(parents=True)
    for number in (1, 2, 3):
        write_transcript(workspace, number, workspace.project)
    for number in (4, 5):
        write_transcript(workspace, number, other)
    return workspace


def at_a_terminal(workspace: Workspace, *words: str, **env: str) -> str:
    """Run a command line with a terminal on both sides; return what it shows."""
    main, side = pty.openpty()
    ran = subprocess.Popen(
        [sys.executable, "-m", "cli", *words], stdin=side, stdout=side, stderr=side,
        cwd=workspace.project, env={**workspace.env, "PYTHONPATH": str(ROOT), **env},
    )  # fmt: skip
    os.close(side)
    shown = b""
    while True:
        try:
            block = os.read(main, 4096)
        except OSError:  # the terminal was closed
            break
        if not block:
            break
        shown += block
    os.close(main)
    assert ran.wait(timeout=60) == 0, shown
    return " ".join(shown.decode().split())


def imported(workspace: Workspace) -> list[str]:
    """Return the projects for which something was imported."""
    return sorted(path.parent.name[:4] for path in workspace.home.glob("*/imported"))


def test_a_person_gets_an_answer_in_one_command(day_one: Workspace) -> None:
    """This project's sessions are imported immediately, others when a question needs them."""
    out = at_a_terminal(day_one, "status")
    assert "Found 3 past sessions of this project" in out
    assert "Imported 3 sessions" in out
    assert "3 known, 0 open" in out
    assert imported(day_one) == ["shop"]
    assert "Found" not in at_a_terminal(day_one, "status")
    out = at_a_terminal(day_one, "sql", "select count(*) as n from sessions")
    assert "Imported 2 sessions" in out
    assert "5" in out.split("n")[-1]
    assert imported(day_one) == ["shop", "till"]
    assert "Found" not in at_a_terminal(day_one, "search", "invoice")


def test_what_an_import_could_not_read_is_said(day_one: Workspace) -> None:
    """An import that a command starts names the damaged lines, as `journal import` does."""
    with write_transcript(day_one, 3, day_one.project).open("ab") as file:
        file.write(b'{"type": "user", \n' + b'{"type": "mode"}\n')
    out = at_a_terminal(day_one, "status")
    assert "Imported 3 sessions. journal: Skipped a line that is no record, at byte" in out


@pytest.mark.parametrize("env", [{"CLAUDECODE": "1"}, {"CLAUDE_CODE_ENTRYPOINT": "cli"}])
def test_inside_claude_code_nothing_is_imported(day_one: Workspace, env: dict[str, str]) -> None:
    """Inside Claude Code a command answers immediately and says that sessions are waiting."""
    out = at_a_terminal(day_one, "status", **env)
    assert "Found 3 past sessions of this project, not imported yet" in out
    assert imported(day_one) == []


COMMANDS = (
    "status", "events", "replay", "view sessions", "view past", "sessions", "get", "stats",
    "tune", "search invoice", "stats --all",
)  # fmt: skip


@pytest.mark.parametrize(("words", "form"), third(itertools.product(COMMANDS, ("", "--json"))))
def test_a_program_gets_its_answer_and_is_told(day_one: Workspace, words: str, form: str) -> None:
    """Without a journal and a terminal stderr says what was found; nothing is imported."""
    ran = day_one.journal(*words.split(), *filter(None, [form]))
    assert ran.code == 0, ran.err
    assert "past sessions of" in ran.err
    assert "journal import" in ran.err
    assert imported(day_one) == []
    if form:
        json.loads(ran.out)


@pytest.mark.parametrize("how", ["option", "setting"])
def test_it_can_be_declined(day_one: Workspace, how: str) -> None:
    """With --no-import, or import.auto off, it is only announced; `journal import` still works."""
    words = ["status", "--no-import"] if how == "option" else ["status"]
    if how == "setting":
        day_one.home.mkdir()
        (day_one.home / "config.toml").write_text("[import]\nauto = false\n")
    assert "Found 3 past sessions" in at_a_terminal(day_one, *words)
    assert imported(day_one) == []
    assert day_one.journal("import").code == 0
    assert imported(day_one) == ["shop", "till"]
    assert "Found" not in day_one.journal("status").err


def test_a_dry_setup_lists_its_import(day_one: Workspace) -> None:
    """A dry setup lists the import at its end and imports nothing; without a past it lists none."""
    shown = at_a_terminal(day_one, "setup", "--dry-run")
    assert shown.endswith("? import 5 past sessions of all projects"), "small ones without a size"
    assert imported(day_one) == []
    shutil.rmtree(day_one.top / "claude" / "projects")
    assert "? import" not in at_a_terminal(day_one, "setup", "--dry-run")


@pytest.mark.parametrize("how", ["setup", "hook"])
def test_who_has_only_imported_is_shown_setup(day_one: Workspace, how: str) -> None:
    """Bare `journal` names setup until it has run, or a hook has recorded a session."""
    day_one.journal("import")
    assert "Next: journal setup (Claude then gets back" in day_one.journal().out
    if how == "setup":
        (day_one.home / "install.json").write_text("{}")
    else:
        start(day_one, 17)
    assert "Next: journal show last" in day_one.journal().out


def start(workspace: Workspace, number: int) -> dict[str, Any]:
    """Run the hook of a start, then its background handler; return the hook's answer."""
    sid = SID.format(number)
    out = workspace.hook("SessionStart", sid=sid, source="startup")
    raw = {"session_id": sid, "cwd": str(workspace.project), "hook_event_name": "SessionStart"}
    run_background(json.dumps(raw).encode(), workspace.env)
    return json.loads(out or "{}")


def test_each_start_imports_what_is_new(day_one: Workspace) -> None:
    """A start imports this project's new sessions in the background; the next one offers them."""
    assert start(day_one, 17) == {}
    assert imported(day_one) == ["shop"]
    write_transcript(day_one, 6, day_one.project)
    text = start(day_one, 18)["hookSpecificOutput"]["additionalContext"]
    assert text.count("\n- ") == 3
    assert SID.format(3)[:8] in text
    assert len(day_one.journal("sessions", "--json").data) == 4 + 2
    assert day_one.journal("replay", "--answers").code == 0


def test_an_import_is_offered_at_the_next_start(day_one: Workspace) -> None:
    """After `journal import` the first start offers past sessions, its own branch first."""
    write_transcript(day_one, 2, day_one.project, branch="elsewhere")
    day_one.journal("import")
    text = start(day_one, 17)["hookSpecificOutput"]["additionalContext"]
    first = next(line for line in text.splitlines() if line.startswith("- "))
    assert "discounts" in first


def test_before_text_is_lost(day_one: Workspace) -> None:
    """The person, not Claude, is warned before texts are deleted, once a day; an import ends it."""
    day_one.home.mkdir()
    config = day_one.home / "config.toml"
    config.write_text("[import]\nauto = false\n")
    start(day_one, 17)
    said = start(day_one, 18)
    assert "transcripts of 3 sessions" in said["systemMessage"]
    assert "hookSpecificOutput" not in said
    assert "systemMessage" not in start(day_one, 19)
    day_one.at(86_400)
    assert "transcripts of 3 sessions" in start(day_one, 20)["systemMessage"]
    assert "3 sessions would lose text" in " ".join(day_one.journal("status").out.split())
    day_one.journal("import")
    assert day_one.journal("status", "--json").data["losses"]["sessions"] == 0
    start(day_one, 21)
    day_one.at(2 * 86_400)
    assert "systemMessage" not in start(day_one, 22)


def test_a_day_that_has_passed_is_no_date_to_come(day_one: Workspace) -> None:
    """What Claude Code could delete already, it deletes at its next start."""
    assert "the next on 2026-" in day_one.journal("status").out
    day_one.at(40 * 86_400)
    assert "the next at its next start" in day_one.journal("status").out


def test_usage_elsewhere_imports_every_project_first(day_one: Workspace) -> None:
    """Where no session ever ran, `usage` counts all projects, imported whole and with progress."""
    shutil.rmtree(write_transcript(day_one, 1, day_one.project).parent)
    out = at_a_terminal(day_one, "usage")
    assert "Found 2 past sessions of all projects" in out
    assert "Imported 2 sessions" in out
    assert "Tokens and cost of all projects" in out


def test_what_a_cut_import_left_is_offered_again(day_one: Workspace) -> None:
    """After an import of the project that was stopped, the next command finds and reads the rest."""
    source = str(day_one.top / "claude" / "projects")
    project, now = Project(str(day_one.project)), "2026-11-21T09:00:00.000Z"
    size = write_transcript(day_one, 1, day_one.project).stat().st_size
    budget = Budget(size=size + 1)
    assert (
        Import(day_one.env, str(day_one.home), now, source, only=project, budget=budget)
        .run()
        .is_cut
    )
    assert "Found 1 past session of this project" in day_one.journal("status").err
    assert "Imported 1 session." in at_a_terminal(day_one, "status")
    assert "Found" not in at_a_terminal(day_one, "status")


def test_a_bounded_run_goes_on_where_it_ended(day_one: Workspace) -> None:
    """A budget may end a run within a file; later runs import the rest, once."""
    path = write_transcript(day_one, 3, day_one.project)
    line = path.read_text().splitlines()[0]
    more = [line.replace('"p3"', f'"q{at}"') for at in range(20)]
    path.write_text(path.read_text() + "".join(text + "\n" for text in more))
    project, runs = Project(str(day_one.project)), 0
    while True:
        run = Import(
            day_one.env, str(day_one.home), "2026-11-21T09:00:00.000Z",
            str(day_one.top / "claude" / "projects"), only=project, budget=Budget(size=600),
        ).run()  # fmt: skip
        runs += 1
        if not run.is_cut:
            break
        assert runs < 60
    assert runs > 4
    found = day_one.journal("events", "--json", "--type", "prompt.submitted").data
    assert len(found) == 23
    assert len({event["cite"] for event in found}) == 23


def test_one_way_to_cite(day_one: Workspace) -> None:
    """`i:N` is an imported event in events, replay and explain; it may be a bound too."""
    day_one.journal("import")
    start(day_one, 17)
    found = day_one.journal("events", "--json").data
    times = [event["ts"] for event in found]
    assert times == sorted(times)
    cites = [event["cite"] for event in found]
    assert "i:2" in cites
    assert "1" in cites
    bounded = day_one.journal("events", "--json", "--since", "i:3", "--until", "i:5").data
    assert [event["cite"] for event in bounded] == ["i:3", "i:4", "i:5"]
    steps = day_one.journal("replay", "--json").data
    assert [step["event"]["cite"] for step in steps] == cites
    assert day_one.journal("explain", "i:3", "--json").data
    assert "no event i:99" in day_one.journal("explain", "i:99").err
    assert "no event i:99" in day_one.journal("events", "--since", "i:99").err


@pytest.mark.parametrize("sessions", [40, 400], ids=["bounded", "whole"])
@pytest.mark.long
def test_from_nothing_to_an_answer(tmp_path: Path, sessions: int) -> None:
    """With an empty home and years of transcripts one command describes one's own work.

    The whole size is 400 transcripts, 50 MB: under 10 s on two cores. Here CPU time is held
    against that, of both cores together.
    """
    workspace = Workspace(str(tmp_path))
    truth = write(tmp_path / "claude", sessions=sessions, entries=85)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = at_a_terminal(workspace, "sql", "select count(*) as sessions from sessions")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert f"Imported {sessions} sessions" in out
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{truth['bytes'] / 1e6:.0f} MB: {spent:.1f} s of CPU")
    assert spent < 2 * 10
