"""A journal that cannot be written, or that is switched off: the user hears of it, once."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cases.reply import Reply
from tests.cases.streams import remove
from tests.cases.world import RUN, World
from tests.support.code import copy_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NOBODY = 65534


def payload(world: World, event: str, **fields: object) -> bytes:
    """Return the input of one call as bytes."""
    body = {"session_id": world.sid, "cwd": str(world.project), "hook_event_name": event, **fields}
    return json.dumps(body).encode()


@pytest.fixture
def someone() -> Iterator[tuple[World, dict[str, object], list[str]]]:
    """Yield a world with effective permissions, options for subprocess, and the hook command.

    As root, hooks run as another user, with an interpreter that user may run and a copy of the code,
    because the checkout may be in a directory only root can read.
    """
    world = World(Path(tempfile.mkdtemp(prefix="journal-test-")))
    try:
        if os.geteuid():
            yield world, {}, [*world.python, "-B", str(RUN)]
            return
        candidates = [sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"]
        check = "import sys; sys.exit(sys.version_info < (3, 11))"
        for path in candidates:
            try:
                ran = subprocess.run([path, "-c", check], user=NOBODY, group=NOBODY,
                                     extra_groups=[], capture_output=True, check=False)  # fmt: skip
            except OSError:
                continue
            if ran.returncode == 0:
                break
        else:
            pytest.skip("no interpreter here that an unprivileged user may run")
        copy_code(world.base / "code")
        for at in [world.base, *world.base.rglob("*")]:
            os.chown(at, NOBODY, NOBODY)
        options = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        run = world.base / "code" / "hooks" / "run.py"
        yield world, options, [path, "-I", "-S", "-B", str(run)]
    finally:
        for at in world.base.rglob("*"):
            if at.is_dir():
                at.chmod(0o700)
        remove(world)


def ask(world: World, options: dict, command: list[str], event: str, **fields: object) -> Reply:
    """Run one hook call with these subprocess options."""
    ran = subprocess.run(command, input=payload(world, event, **fields),
                         env=world.env(), cwd="/", capture_output=True, check=False, **options)  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, b"")
    return Reply(event, ran.stdout)


def test_a_home_that_cannot_be_written(someone: tuple[World, dict, list[str]]) -> None:
    """With a read-only home hooks are silent, and the next start says that the journal is off and why."""
    world, options, command = someone
    (world.home / ".claude").mkdir()
    (world.home / ".claude").chmod(0o555)
    for event in ("UserPromptSubmit", "PostToolUse", "Stop", "PreCompact", "SessionEnd"):
        assert not ask(world, options, command, event).out
    reply = ask(world, options, command, "SessionStart", source="startup")
    assert set(reply.output) == {"systemMessage"}
    for part in ("journal is off", str(world.journal.parent), "denied"):
        assert part in reply.message, part
    assert not ask(world, options, command, "UserPromptSubmit").out
    assert not ask(world, options, command, "SessionStart", source="compact").out
    (world.home / ".claude").chmod(0o755)
    if options:
        os.chown(world.home / ".claude", NOBODY, NOBODY)
    assert "is off" not in ask(world, options, command, "SessionStart", source="resume").message
    for at in world.journal.rglob("*"):
        os.chown(at, os.geteuid(), os.getegid())
    assert world.types()[0] == "session.started"


def test_a_log_that_cannot_be_written(someone: tuple[World, dict, list[str]]) -> None:
    """With a read-only journal the start says that it is off, and the log stays as it was."""
    world, options, command = someone
    ask(world, options, command, "SessionStart", source="startup")
    before = (world.directory / "active.jsonl").read_bytes()
    for at in (world.directory / "active.jsonl", world.directory / "lock"):
        at.chmod(0o400)
    world.directory.chmod(0o500)
    world.after(seconds=30)
    assert not ask(world, options, command, "Stop").out
    reply = ask(world, options, command, "SessionStart", source="resume")
    assert "journal is off" in reply.message
    assert (world.directory / "active.jsonl").read_bytes() == before


def _no_room(room: int) -> Callable[[], None]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    return limit


@pytest.mark.parametrize("left", [100, *(pytest.param(x, marks=pytest.mark.long) for x in (0, 1))])
def test_a_disk_that_takes_no_more(left: int, world: World) -> None:
    """Short writes are rolled back, the next start says why, and with free space recording goes on."""
    world.start()
    world.prompt()
    log = world.directory / "active.jsonl"
    before = log.read_bytes()
    full = {"preexec_fn": _no_room(len(before) + left)}
    world.after(seconds=30)
    command = [*world.python, "-B", str(RUN)]
    assert not ask(world, full, command, "Stop").out
    assert log.read_bytes() == before
    reply = ask(world, full, command, "SessionStart", source="resume")
    assert "journal is off" in reply.message
    assert log.read_bytes() == before
    assert not ask(world, full, command, "UserPromptSubmit").out
    assert not world.prompt().out
    assert "prompt.submitted" in world.types()[-2:]
    assert world.resumed_views() == world.views()


def test_a_full_file_system(world: World) -> None:
    """On a full file system hooks are silent, the start names the reason, and the log stays intact."""
    unshare, mount = shutil.which("unshare"), shutil.which("mount")
    if not unshare or not mount:
        pytest.skip("no unshare or mount here")
    calls = world.base / "calls"
    calls.mkdir()
    (calls / "start").write_bytes(payload(world, "SessionStart", source="resume"))
    for number in range(20):  # the last ones are small, so that no space is left for a start
        text = "x" * 1_200 if number < 13 else ""
        body = payload(world, "UserPromptSubmit", prompt=text, prompt_id=f"p{number}")
        (calls / f"prompt-{number:02}").write_bytes(body)
    world.journal.mkdir(parents=True)
    script = """
        mount -t tmpfs -o size=16k,mode=700 none "$1" || exit 77
        for f in "$2"/prompt-*; do "$3" -I -S "$4" < "$f" > "$f.out" 2> "$f.err" || exit 1; done
        "$3" -I -S "$4" < "$2/start" > "$2/start.out" 2> "$2/start.err" || exit 1
        cp -r "$1" "$2/kept"
    """
    words = [unshare, "-m", "sh", "-c", script, "sh", str(world.journal), str(calls),
             sys.executable, str(RUN)]  # fmt: skip
    ran = subprocess.run(words, env=world.env(), capture_output=True, check=False)
    if ran.returncode == 77 or b"unshare" in ran.stderr:
        pytest.skip("may not mount a file system here")
    assert ran.returncode == 0, ran.stderr
    assert all(not path.read_bytes() for path in calls.glob("*.err"))
    assert all(not path.read_bytes() for path in calls.glob("prompt-*.out"))
    message = json.loads((calls / "start.out").read_bytes())["systemMessage"]
    assert "journal is off" in message
    assert "space" in message
    world.journal.rmdir()
    shutil.copytree(calls / "kept", world.journal)
    assert "prompt.submitted" in world.types()


def test_an_open_home_is_refused(make_world: Callable[..., World]) -> None:
    """In a world-writable home hooks record nothing and say so once; commands name the remedy."""
    world = make_world()
    world.start()
    home = world.directory.parent
    before = len(world.events())
    home.chmod(0o777)
    assert "writable by everyone" in world.start().message
    assert [world.prompt().out, world.tool().out, world.stop().out] == ["", "", ""]
    for words in (("status",), ("events",), ("decide", "x")):
        result = world.run(*words)
        assert (result.code, result.out) == (3, "")
        assert f"run: chmod 700 {home}" in result.err
    home.chmod(0o700)
    assert world.run("status").code == 0
    assert len(world.events()) == before


def _off(folder: Path, name: str) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text('[capture]\nlevel = "off"\n')


@pytest.mark.parametrize("headless", [False, True])
def test_a_clone_that_switches_capture_off_is_reported_once(
    make_world: Callable[..., World], headless: bool
) -> None:
    """The user is told once, at the first start in the project, or in a script at the first prompt."""
    world = make_world()
    env = {"CLAUDE_CODE_SESSION_ATTENDED": "0"} if headless else {}
    _off(world.project, ".claude/journal.toml")
    first = [world.hook("SessionStart", source="startup", env=env),
             world.hook("UserPromptSubmit", prompt="go", env=env)]  # fmt: skip
    messages = [reply.message for reply in first]
    assert 'capture.level = "off"' in messages[int(headless)]
    assert messages[int(not headless)] == ""
    again = [world.start(), world.prompt(), world.tool(), world.stop()]
    assert [reply.out for reply in again] == [""] * 4
    assert not world.journal_exists()


def test_a_person_who_switches_capture_off_hears_nothing(make_world: Callable[..., World]) -> None:
    """What users switched off themselves is not reported to them."""
    world = make_world()
    world.journal.mkdir(parents=True, mode=0o700)
    _off(world.journal, "config.toml")
    _off(world.project, ".claude/journal.toml")
    assert [world.start().out, world.prompt().out] == ["", ""]
