"""The status line: what it prints and appends, and that it never fails.

Tests that only need the text call it as a function; tests of exit code, stderr or loaded modules
run the program that the client runs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooks.status_line.line import show
from hooks.status_line.previous import NESTED
from hooks.status_line.text import Facts, compose
from journal.log.read import Reader
from journal.log.record import unframe
from journal.text import short_count, width

ROOT = Path(__file__).parents[2]
ENTRY = [sys.executable, "-I", "-S", str(ROOT / "hooks" / "statusline.py")]
RECORDED = (ROOT / "tests/fixtures/payloads/statusline.jsonl").read_text().splitlines()
NEVER = {"re", "json", "pathlib", "dataclasses", "typing", "enum", "logging", "subprocess",
         "datetime", "hashlib", "tempfile", "msgspec", "argparse"}  # fmt: skip


class Desk:
    """A project and a journal home; `line(...)` returns the line printed for a reading."""

    def __init__(self, top: Path) -> None:
        self.home = top / "journal"
        self.project = top / "shop"
        (self.project / ".git").mkdir(parents=True)
        self.env = {"HOME": str(top), "JOURNAL_HOME": str(self.home), "NO_COLOR": "1",
                    "COLUMNS": "120", "JOURNAL_NOW": "2026-11-21T09:00:00Z",
                    "CLAUDE_CONFIG_DIR": str(top / "claude"), "PATH": os.environ["PATH"],
                    "TZ": "UTC"}  # fmt: skip

    def input(self, tokens: int | None = 42_000, **changes: object) -> dict:
        """Build the client's status line input; tokens None is what it sends before a reply."""
        usage = None if tokens is None else {
            "input_tokens": tokens, "output_tokens": 0, "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
        }  # fmt: skip
        return {
            "session_id": "s1", "cwd": str(self.project), "version": "2.1.330",
            "model": {"id": "claude-opus-5-5", "display_name": "Opus 5.5"},
            "workspace": {"current_dir": str(self.project), "project_dir": str(self.project)},
            "context_window": {"context_window_size": 1_000_000, "current_usage": usage,
                               "used_percentage": None if tokens is None else tokens // 10_000},
            **changes,
        }  # fmt: skip

    def line(self, tokens: int | None = 42_000, **changes: object) -> str:
        """Return the printed line, from a call in this process."""
        return show(json.dumps(self.input(tokens, **changes)).encode(), self.env)

    def run(self, raw: bytes, **env: str) -> subprocess.CompletedProcess[bytes]:
        """Run the program the client runs."""
        return subprocess.run(ENTRY, input=raw, capture_output=True, check=False, timeout=30,
                              env={**self.env, **env}, cwd=self.project)  # fmt: skip

    def samples(self) -> list[dict]:
        """Readings in the journal."""
        if not self.home.exists():
            return []
        found = next(self.home.glob("shop-*"), None)
        every = [unframe(line) for _, line in Reader(str(found))] if found else []
        return [event for event in every if event["type"] == "pressure.sampled"]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    """A project and a journal home of the test's own."""
    return Desk(tmp_path)


def test_a_reading_is_shown_and_taken(desk):
    """Room until compaction, journal and model are shown, and the reading is recorded."""
    assert (
        desk.line() == "context 96% left until compaction (42k of 967k) · journal #2 · Opus 5.5\n"
    )
    (sample,) = desk.samples()
    assert sample | {"terms": []} == {
        "seq": 2, "ts": "2026-11-21T09:00:00.000Z", "type": "pressure.sampled", "v": 1,
        "sid": "s1", "tokens": 42_000, "window": 1_000_000, "limit": 1_000_000, "point": 967_000,
        "source": "statusline", "model": "claude-opus-5-5", "at": "2026-11-21T09:00:00.000Z",
        "terms": [], "used": 4, "pressure": 4.3,
    }  # fmt: skip


@pytest.mark.parametrize("context", [
    {"context_window_size": 1_000_000, "current_usage": None, "used_percentage": None},
    {"context_window_size": 1_000_000, "used_percentage": 0, "current_usage": {
        "input_tokens": 0, "output_tokens": 0, "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": 0}},
    {}, None, {"current_usage": {"input_tokens": "many"}},
], ids=["null", "zeros", "empty", "none", "words"])  # fmt: skip
def test_unknown_is_not_zero(context, desk):
    """A value the client does not know is shown as a question mark and not recorded."""
    assert desk.line(context_window=context).startswith("context ? · journal ")
    assert desk.samples() == []


def test_the_same_reading_is_taken_once(desk):
    """Only another count, window or session makes a new reading."""
    desk.line()
    desk.line()
    assert len(desk.samples()) == 1
    desk.line(43_000)
    desk.line(43_000, session_id="s2")
    desk.line(43_000, session_id="s2")
    assert [(item["sid"], item["tokens"]) for item in desk.samples()] == [
        ("s1", 42_000), ("s1", 43_000), ("s2", 43_000),
    ]  # fmt: skip
    window = {**desk.input(43_000)["context_window"], "context_window_size": 200_000}
    desk.line(43_000, context_window=window)
    assert desk.samples()[-1]["window"] == 200_000


def test_the_same_count_after_a_compaction_is_new(desk):
    """After a compaction the same count is a new reading."""
    from hooks.capture import capture

    desk.line()
    call = {"session_id": "s1", "cwd": str(desk.project), "hook_event_name": "PreCompact",
            "trigger": "manual"}  # fmt: skip
    capture(json.dumps(call).encode(), desk.env)
    desk.line()
    assert len(desk.samples()) == 2


@pytest.mark.parametrize("tokens, mark", [
    (600_000, ""), (696_239, ""), (696_240, " info"), (870_299, " info"), (870_300, " urgent"),
])  # fmt: skip
def test_levels(tokens, mark, desk):
    """From its threshold on a level is marked."""
    first = desk.line(tokens).split(" · ")[0]
    assert first.endswith(f"967k){mark}")


def test_colour_only_without_no_color(desk):
    """The level is coloured unless NO_COLOR is set."""
    assert "\x1b" not in desk.line(900_000)
    del desk.env["NO_COLOR"]
    assert desk.line(900_000).startswith("\x1b[31mcontext 7%")
    assert "\x1b" not in desk.line(1_000)


def test_the_stage_is_shown(desk):
    """The line shows the stage of the session's open cycle, read from the snapshot."""
    from journal.history.current import Current
    from journal.log.append import Writer

    desk.line()
    with Writer(str(next(desk.home.glob("shop-*"))), "2026-11-21T09:00:00.000Z") as writer:
        writer.append(
            {"type": "stage.started", "v": 1, "sid": "s1", "cycle": "c", "stage": "audit"}
        )
        current = Current(writer.directory)
        current.advance(writer)
        current.store()
    assert " · audit · " in desk.line()
    assert "audit" not in desk.line(session_id="s2")


@pytest.mark.parametrize("version, mark", [
    ("2.1.330", ""), ("2.1.331", "client 2.1.331 untested"), ("1.0.0", "client 1.0.0 untested"),
    ("", ""), ("nightly", ""),
])  # fmt: skip
def test_versions_out_of_range_are_marked(version, mark, desk):
    """A client version outside the tested range is marked; a missing version is not."""
    line = desk.line(version=version).rstrip("\n")
    assert line.endswith(mark or "Opus 5.5")


@pytest.mark.parametrize("raw", [b"", b"x", b"[]", b"{}", b"\xff\xfe", b'{"session_id":3}',
                                 b'{"session_id":"s","cwd":7,"model":[]}', b"[" * 100_000],
                         ids=range(8))  # fmt: skip
def test_bad_input_still_gives_a_line(raw, desk):
    """For any input: exit 0, one line, nothing on stderr."""
    done = desk.run(raw)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b"\n")
    assert b"journal" in done.stdout


def test_a_journal_that_cannot_be_written_is_reported(desk):
    """If the journal cannot be written the line says so and why, and still shows the reading."""
    desk.home.write_text("in the way")
    done = desk.run(json.dumps(desk.input()).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"context 96% left until compaction (42k of 967k)")
    assert b"journal off: " in done.stdout


@pytest.mark.parametrize("name", range(6))
def test_recorded_input(name, desk):
    """The client's recorded input gives a line through the program it runs."""
    done = desk.run(RECORDED[name].replace("/home/dev/shop", str(desk.project)).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1
    assert len(desk.samples()) == (b"context ?" not in done.stdout)


def test_what_is_loaded(desk):
    """The program loads only light modules of the standard library."""
    code = f"import sys, os; os._exit = lambda _: None; f = {ENTRY[3]!r}; "
    code += "exec(compile(open(f).read(), f, 'exec'), {'__name__': '__main__', '__file__': f}); "
    code += "print('\\n'.join(sys.modules))"
    done = subprocess.run([*ENTRY[:3], "-c", code], input=json.dumps(desk.input()).encode(),
                          capture_output=True, check=True, env=desk.env)  # fmt: skip
    modules = set(done.stdout.decode().split())
    assert "hooks.status_line.sample" in modules
    assert modules & NEVER == set()


def test_switched_off_it_is_silent_but_reads(desk):
    """`statusline.show = false` hides the line; the reading is recorded either way."""
    desk.home.mkdir(mode=0o700)
    (desk.home / "config.toml").write_text("[statusline]\nshow = false\n")
    assert desk.line() == ""
    assert len(desk.samples()) == 1


def test_capture_off_takes_nothing(desk):
    """With capture off nothing is appended, and the line says so."""
    desk.home.mkdir(mode=0o700)
    (desk.home / "config.toml").write_text('[capture]\nlevel = "off"\n')
    assert "journal off: capture.level is off" in desk.line()
    assert desk.samples() == []


def wrap(desk: Desk, command: object) -> None:
    """Store a previous status line, as setup does."""
    desk.home.mkdir(mode=0o700, exist_ok=True)
    previous = {"type": "command", "command": command, "padding": 0}
    (desk.home / "statusline.json").write_text(json.dumps({"previous": previous}))


@pytest.mark.parametrize("command, shown", [
    ("printf 'theirs'", "theirs\n"),
    ("printf 'a\\nb\\n'", "a\nb\n"),
    ("cat | tr -d '\\n' | cut -c1-13", '{"session_id"\n'),
    ("printf '\\033[32mgreen\\033[0m'", "\x1b[32mgreen\x1b[0m\n"),
    ("echo oops >&2; exit 3", ""),
    ("exit 1", ""),
    ("no-such-command-here", ""),
    ("true", ""),
    (7, ""), (None, ""), ("echo \0", ""),
])  # fmt: skip
def test_the_previous_line_is_shown_above(command, shown, desk):
    """The person's own line gets the same input and is printed above ours unchanged."""
    wrap(desk, command)
    done = desk.run(json.dumps(desk.input()).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    theirs, found, ours = done.stdout.decode().rpartition("context ")
    assert (theirs, found) == (shown, "context ")
    assert ours.startswith("96% left")


def test_a_previous_line_in_an_open_home_is_not_run(desk):
    """If others can write to the journal home, a previous line stored there is not run."""
    wrap(desk, f"touch {desk.project}/ran; printf theirs")
    desk.home.chmod(0o777)
    assert "theirs" not in desk.line()
    assert not (desk.project / "ran").exists()
    desk.home.chmod(0o700)
    assert desk.line().startswith("theirs\n")


def test_a_previous_line_that_hangs_is_ended(desk, monkeypatch):
    """A previous line that hangs is ended with its children; its output so far is shown."""
    monkeypatch.setattr("hooks.status_line.previous.TIMEOUT", 0.4)
    wrap(desk, f"echo begun; sleep 60 & echo $! > {desk.project}/pid; wait")
    assert desk.line().startswith("begun\ncontext 96%")
    pid = int((desk.project / "pid").read_text())
    for _ in range(100):
        if not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text():
            break
        os.sched_yield()
    else:
        pytest.fail("the child of the command still runs")


@pytest.mark.parametrize("command", ["python3 -I -S /opt/journal/hooks/statusline.py", "env"])
def test_it_never_calls_itself(command, desk):
    """A previous line that is our own is not run, nor is any from within a previous line."""
    wrap(desk, command)
    nested = command == "env"
    done = desk.run(json.dumps(desk.input()).encode(), **({NESTED: "1"} if nested else {}))
    assert done.stdout.decode().count("\n") == 1


def test_the_environment_is_not_stored(desk):
    """No value of the environment is written to the journal."""
    desk.run(json.dumps(desk.input()).encode(), ANTHROPIC_API_KEY="very-secret-value")
    assert all(b"very-secret-value" not in path.read_bytes()
               for path in desk.home.rglob("*") if path.is_file())  # fmt: skip


@given(
    st.integers(0, 2_000_000) | st.none(), st.integers(1, 2_000_000) | st.none(), st.text(),
    st.text(), st.text(), st.integers(1, 120), st.booleans(),
)  # fmt: skip
def test_a_line_fits(tokens, point, model, state, stage, columns, colour):
    """The line is a single line, printable except for colour, and never wider than asked for."""
    facts = Facts()
    facts.tokens, facts.point, facts.model, facts.stage = tokens, point, model, stage
    facts.state, facts.untested = f"off: {state}", model
    facts.level = "urgent"
    text = compose(facts, columns, colour=colour)
    for mark in ("\x1b[31m", "\x1b[33m", "\x1b[0m"):
        text = text.replace(mark, "")
    assert text.isprintable()
    assert width(text) <= columns


@pytest.mark.parametrize("tokens, text", [
    (0, "0"), (999, "999"), (1_000, "1k"), (1_499, "1k"), (1_500, "2k"), (999_499, "999k"),
    (999_500, "1.0M"), (1_250_000, "1.2M"),
])  # fmt: skip
def test_short(tokens, text):
    """Token counts take about four characters."""
    assert short_count(tokens) == text


# -- cost of the day and the block ----------------------------------------------------------------


def costs(desk, total, at, *, session="s1", minutes=1, **env):
    """Return the line's part about cost, after a reading with a session's cost so far."""
    cost = {"total_cost_usd": total, "total_duration_ms": minutes * 60_000}
    desk.env |= {"JOURNAL_NOW": at, **env}
    line = desk.line(session_id=session, cost=cost)
    parts = line.strip().split(" · ")
    return " · ".join(part for part in parts if part.startswith(("today", "5h")))


@pytest.fixture
def spending(desk):
    """A desk whose line shows the cost."""
    desk.home.mkdir()
    (desk.home / "config.toml").write_text("[statusline]\ncost = true\n")
    return desk


def test_cost_is_off_by_default(desk):
    """Without the setting nothing is shown and nothing stored."""
    assert costs(desk, 4.2, "2026-11-21T09:00:00Z") == ""
    assert not (desk.home / "statusline.cost").exists()


def test_cost_of_today_and_the_block(spending):
    """Each reading's increase is summed over sessions; a new block and a new day start at zero."""
    assert costs(spending, 1.5, "2026-11-21T09:10:00Z") == "today $1.50 · 5h $1.50 until 14:00"
    assert costs(spending, 1.5, "2026-11-21T09:11:00Z") == "today $1.50 · 5h $1.50 until 14:00"
    assert costs(spending, 2, "2026-11-21T10:00:00Z") == "today $2.00 · 5h $2.00 until 14:00"
    two = costs(spending, 3, "2026-11-21T13:00:00Z", session="s2")
    assert two == "today $5.00 · 5h $5.00 until 14:00"
    assert costs(spending, 3, "2026-11-21T14:00:01Z", session="s2") == "today $5.00"
    assert costs(spending, 3.5, "2026-11-21T14:30:00Z") == "today $6.50 · 5h $1.50 until 19:00"
    assert costs(spending, 3.75, "2026-11-22T09:00:00Z") == "today $0.25 · 5h $0.25 until 14:00"


def test_cost_of_a_session_from_yesterday(spending):
    """What a session cost before its first reading counts for today only if it began today."""
    text = costs(spending, 80, "2026-11-21T09:00:00Z", minutes=24 * 60)
    assert text == "today $0.00"
    assert costs(spending, 81, "2026-11-21T09:05:00Z", minutes=24 * 60 + 5) == (
        "today $1.00 · 5h $1.00 until 14:00"
    )


def test_cost_of_a_resumed_session(spending):
    """If a resumed session counts from zero again, its whole figure is added."""
    costs(spending, 5, "2026-11-21T09:00:00Z")
    assert costs(spending, 0.5, "2026-11-21T09:30:00Z") == "today $5.50 · 5h $5.50 until 14:00"


@pytest.mark.parametrize("text", ["", "[]", '{"day":1}', "\0", '{"day":"2026-11-21","today":1}'])
def test_a_broken_cost_file(text, spending):
    """A broken cost file is replaced, and the line is still printed."""
    (spending.home / "statusline.cost").write_text(text)
    assert costs(spending, 1, "2026-11-21T09:00:00Z") == "today $1.00 · 5h $1.00 until 14:00"


@pytest.mark.parametrize("cost", [None, {}, {"total_cost_usd": "1"}, {"total_cost_usd": -1}, 7])
def test_an_unknown_cost(cost, spending):
    """Without the client's figure the line shows no cost."""
    assert "today" not in spending.line(cost=cost)


def test_the_cost_file_is_bounded_and_private(spending):
    """With any number of sessions the file stays small, and only its owner can read it."""
    for number in range(260):
        costs(spending, 1, "2026-11-21T09:00:00Z", session=f"session-{number}")
    path = spending.home / "statusline.cost"
    assert path.stat().st_size < 8 * 1024
    assert path.stat().st_mode & 0o777 == 0o600
    assert b"session-1" not in path.read_bytes()


def test_the_cost_in_the_real_process(spending):
    """The program the client runs shows the cost, loads no slow module for it, and exits with 0."""
    cost = {"total_cost_usd": 2.5, "total_duration_ms": 60_000}
    done = subprocess.run(
        ENTRY, input=json.dumps(spending.input(cost=cost)).encode(), env=spending.env,
        capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert "today $2.50 · 5h $2.50 until 14:00" in done.stdout.decode()
