"""What today and the block of five hours have cost, in the status line."""

from __future__ import annotations

import fcntl
import json
import subprocess

import pytest

from tests.hooks.status_line.conftest import ENTRY


def costs(client, total, at, *, session="s1", minutes=1, **env):
    """Return the line's part about cost, after a reading with a session's cost so far."""
    cost = {"total_cost_usd": total, "total_duration_ms": minutes * 60_000}
    client.env |= {"JOURNAL_NOW": at, **env}
    line = client.line(session_id=session, cost=cost)
    parts = line.strip().split(" · ")
    return " · ".join(part for part in parts if part.startswith(("today", "5h")))


@pytest.fixture
def spending(client):
    """A client whose line shows the cost."""
    client.home.mkdir()
    (client.home / "config.toml").write_text("[statusline]\ncost = true\n")
    return client


def test_cost_is_off_by_default(client):
    """Without the setting nothing is shown and nothing stored."""
    assert costs(client, 4.2, "2026-11-21T09:00:00Z") == ""
    assert not (client.home / "statusline.cost").exists()


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


def test_the_cost_while_another_window_adds_its_own(spending):
    """What the file has is shown, and nothing is written; the next reading adds this one, too."""
    costs(spending, 1, "2026-11-21T09:00:00Z")
    with (spending.home / "statusline.cost.lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert costs(spending, 2, "2026-11-21T09:01:00Z") == "today $1.00 · 5h $1.00 until 14:00"
    assert costs(spending, 3, "2026-11-21T09:02:00Z") == "today $3.00 · 5h $3.00 until 14:00"


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
