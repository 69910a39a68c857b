"""The status line: what it shows and what it records."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.hooks.status_line.conftest import ENTRY, ROOT

RECORDED = (ROOT / "tests/fixtures/payloads/statusline.jsonl").read_text().splitlines()
NEVER = {"re", "json", "pathlib", "dataclasses", "typing", "enum", "logging", "subprocess",
         "datetime", "hashlib", "tempfile", "msgspec", "argparse"}  # fmt: skip


def test_a_reading_is_shown_and_taken(client):
    """Room until compaction, journal and model are shown, and the reading is recorded."""
    assert (
        client.line() == "context 96% left until compaction (42k of 967k) · journal #2 · Opus 5.5\n"
    )
    (sample,) = client.samples()
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
def test_unknown_is_not_zero(context, client):
    """A value the client does not know is shown as a question mark and not recorded."""
    assert client.line(context_window=context).startswith("context ? · journal ")
    assert client.samples() == []


def test_the_same_reading_is_taken_once(client):
    """Only another count, window or session makes a new reading."""
    client.line()
    client.line()
    assert len(client.samples()) == 1
    client.line(43_000)
    client.line(43_000, session_id="s2")
    client.line(43_000, session_id="s2")
    assert [(item["sid"], item["tokens"]) for item in client.samples()] == [
        ("s1", 42_000), ("s1", 43_000), ("s2", 43_000),
    ]  # fmt: skip
    window = {**client.input(43_000)["context_window"], "context_window_size": 200_000}
    client.line(43_000, context_window=window)
    assert client.samples()[-1]["window"] == 200_000


def test_the_same_count_after_a_compaction_is_new(client):
    """After a compaction the same count is a new reading."""
    from hooks.capture import capture

    client.line()
    call = {"session_id": "s1", "cwd": str(client.project), "hook_event_name": "PreCompact",
            "trigger": "manual"}  # fmt: skip
    capture(json.dumps(call).encode(), client.env)
    client.line()
    assert len(client.samples()) == 2


@pytest.mark.parametrize("tokens, mark", [
    (600_000, ""), (696_239, ""), (696_240, " info"), (870_299, " info"), (870_300, " urgent"),
])  # fmt: skip
def test_levels(tokens, mark, client):
    """From its threshold on a level is marked."""
    first = client.line(tokens).split(" · ")[0]
    assert first.endswith(f"967k){mark}")


def test_colour_only_without_no_color(client):
    """The level is coloured unless NO_COLOR is set."""
    assert "\x1b" not in client.line(900_000)
    del client.env["NO_COLOR"]
    assert client.line(900_000).startswith("\x1b[31mcontext 7%")
    assert "\x1b" not in client.line(1_000)


def test_the_stage_is_shown(client):
    """The line shows the stage of the session's open cycle, read from the snapshot."""
    from journal.history.current import Current
    from journal.log.append import Writer

    client.line()
    with Writer(str(next(client.home.glob("shop-*"))), "2026-11-21T09:00:00.000Z") as writer:
        writer.append(
            {"type": "stage.started", "v": 1, "sid": "s1", "cycle": "c", "stage": "audit"}
        )
        current = Current(writer.directory)
        current.advance(writer)
        current.store()
    assert " · audit · " in client.line()
    assert "audit" not in client.line(session_id="s2")


@pytest.mark.parametrize("version, mark", [
    ("2.1.330", ""), ("2.1.331", "client 2.1.331 untested"), ("1.0.0", "client 1.0.0 untested"),
    ("", ""), ("nightly", ""),
])  # fmt: skip
def test_versions_out_of_range_are_marked(version, mark, client):
    """A client version outside the tested range is marked; a missing version is not."""
    line = client.line(version=version).rstrip("\n")
    assert line.endswith(mark or "Opus 5.5")


@pytest.mark.parametrize("raw", [b"", b"x", b"[]", b"{}", b"\xff\xfe", b'{"session_id":3}',
                                 b'{"session_id":"s","cwd":7,"model":[]}', b"[" * 100_000],
                         ids=range(8))  # fmt: skip
def test_bad_input_still_gives_a_line(raw, client):
    """For any input: exit 0, one line, nothing on stderr."""
    done = client.run(raw)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b"\n")
    assert b"journal" in done.stdout


def test_a_journal_that_cannot_be_written_is_reported(client):
    """If the journal cannot be written the line says so and why, and still shows the reading."""
    client.home.write_text("in the way")
    done = client.run(json.dumps(client.input()).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"context 96% left until compaction (42k of 967k)")
    assert b"journal off: " in done.stdout


@pytest.mark.parametrize("name", range(6))
def test_recorded_input(name, client):
    """The client's recorded input gives a line through the program it runs."""
    done = client.run(RECORDED[name].replace("/home/dev/shop", str(client.project)).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1
    assert len(client.samples()) == (b"context ?" not in done.stdout)


def test_what_is_loaded(client):
    """The program loads only light modules of the standard library."""
    code = f"import sys, os; os._exit = lambda _: None; f = {ENTRY[3]!r}; "
    code += "exec(compile(open(f).read(), f, 'exec'), {'__name__': '__main__', '__file__': f}); "
    code += "print('\\n'.join(sys.modules))"
    done = subprocess.run([*ENTRY[:3], "-c", code], input=json.dumps(client.input()).encode(),
                          capture_output=True, check=True, env=client.env)  # fmt: skip
    modules = set(done.stdout.decode().split())
    assert "hooks.status_line.sample" in modules
    assert modules & NEVER == set()


def test_switched_off_it_is_silent_but_reads(client):
    """`statusline.show = false` hides the line; the reading is recorded either way."""
    client.home.mkdir(mode=0o700)
    (client.home / "config.toml").write_text("[statusline]\nshow = false\n")
    assert client.line() == ""
    assert len(client.samples()) == 1


def test_capture_off_takes_nothing(client):
    """With capture off nothing is appended, and the line says so."""
    client.home.mkdir(mode=0o700)
    (client.home / "config.toml").write_text('[capture]\nlevel = "off"\n')
    assert "journal off: capture.level is off" in client.line()
    assert client.samples() == []


def test_the_environment_is_not_stored(client):
    """No value of the environment is written to the journal."""
    client.run(json.dumps(client.input()).encode(), ANTHROPIC_API_KEY="very-secret-value")
    assert all(b"very-secret-value" not in path.read_bytes()
               for path in client.home.rglob("*") if path.is_file())  # fmt: skip
