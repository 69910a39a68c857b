"""An interpreter without msgspec records everything, and says once that messages are off."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from tests.support.code import copy_code

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the command of an interpreter without any package."""
    place = tmp_path_factory.mktemp("bare") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    return [str(place / "bin" / "python"), "-I", "-S"]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of hooks/run.py, away from any environment beside the checkout."""
    return copy_code(tmp_path_factory.mktemp("alone")) / "hooks" / "run.py"


def test_a_bare_interpreter_captures_and_says_so_once_a_session(
    bare: list[str], alone: Path, make_world: Callable[..., World]
) -> None:
    """Without msgspec all is recorded, and each session says once how to turn answers on."""
    world = make_world()
    world.python, world.program = bare, alone
    world.flow(12)
    world.reading(78)
    first = world.start()
    assert not first.context
    for part in ("messages are off", "msgspec", "setup", bare[0]):
        assert part in first.message, part
    assert not world.prompt().out
    assert not world.tool().out
    assert not world.stop().out
    assert not world.compacting().out
    assert not world.start("compact").out
    world.compacted()
    world.end()
    other = "99999999-aaaa-4bbb-8ccc-000000000009"
    assert "messages are off" in world.start(sid=other).message
    assert not world.start("resume", sid=other).out
    assert world.types() == [
        "session.started", "advice.given", "pressure.sampled", "prompt.submitted", "tool.finished",
        "turn.ended", "compact.started", "session.started", "compact.finished", "session.ended",
        "session.started", "advice.given", "session.started",
    ]  # fmt: skip


@pytest.mark.parametrize("place", ["beside the code", "home", "copy"])
def test_an_environment_made_for_the_code_is_found(
    bare: list[str], tmp_path: Path, make_world: Callable[..., World], place: str
) -> None:
    """A bare interpreter answers if an environment is in one of the known places."""
    world = make_world()
    world.python, world.program = bare, copy_code(tmp_path / "code") / "hooks" / "run.py"
    world.flow(12)
    world.reading(78)
    venv = {
        "beside the code": tmp_path / "code" / ".venv",
        "home": world.journal / "venv",
        "copy": world.journal / "app" / "1" / "venv",
    }[place]
    site = venv / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages"
    site.mkdir(parents=True)
    (site / "msgspec").symlink_to(Path(msgspec.__file__).parent)
    if place == "copy":
        (venv.parent / "plugin").mkdir()
        (world.journal / "plugin").symlink_to("app/1/plugin")
    assert "12 work-log entries" in world.start().context


def test_the_same_with_msgspec_speaks(make_world: Callable[..., World]) -> None:
    """The tests' own interpreter answers."""
    world = make_world()
    world.flow(12)
    world.reading(78)
    assert "12 work-log entries" in world.start().context
    assert "urgent" in world.prompt().context


def test_answers_begin_where_a_bare_interpreter_left_off(
    bare: list[str], alone: Path, make_world: Callable[..., World]
) -> None:
    """Events recorded without msgspec count as soon as it is installed."""
    world = make_world()
    world.flow(2)
    ours, world.python, world.program = world.python, bare, alone
    world.start()
    world.prompt("add discount codes")
    world.compacting()
    world.python = ours
    assert "discount codes" in world.start("compact").context
    assert world.resumed_views() == world.views()


def test_what_is_off_is_said_in_the_language_of_the_settings(
    bare: list[str], alone: Path, make_world: Callable[..., World]
) -> None:
    """Without views the language of a notice is that of `messages.language`."""
    world = make_world()
    world.python, world.program = bare, alone
    world.journal.mkdir(parents=True, mode=0o700)
    (world.journal / "config.toml").write_text('[messages]\nlanguage = "ko"\n')
    message = world.start().message
    assert "메시지는 꺼져 있습니다" in message
    assert bare[0] in message
