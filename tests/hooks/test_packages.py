"""How a hook imports msgspec: without what no event needs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import sys
sys.path.insert(0, {root!r})
from hooks.packages import ready
before = set(sys.modules)
print(ready())
print(*sorted(set(sys.modules) - before))
import contextlib, decimal, enum, re, uuid, warnings
print(enum.Enum("Size", "SMALL").SMALL.name, re.sub("a", "b", "ab"), decimal.Decimal("1.5"))
import msgspec
class Point(msgspec.Struct, frozen=True):
    at: int | None = None
    names: list[str] = []
    more: dict[str, list[str]] = {{}}
found = msgspec.json.decode(b'{{"at":3,"names":["a"],"more":{{"b":["c"]}}}}', type=Point)
print(msgspec.json.encode(found).decode())
"""
NEEDLESS = {"re", "uuid", "decimal", "contextlib", "warnings", "typing_extensions", "datetime"}
if sys.version_info < (3, 14):  # later ones build on enum what msgspec needs
    NEEDLESS |= {"enum"}


@pytest.fixture(scope="module")
def told() -> list[str]:
    """Return the lines that a process printed which imports msgspec as a hook does."""
    command = [sys.executable, "-I", "-S", "-c", PROGRAM.format(root=str(ROOT))]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def test_slow_modules_are_not_imported(told: list[str]) -> None:
    """Msgspec is imported, and none of the modules that only other types and formats need."""
    assert told[0] == "True"
    loaded = set(told[1].split())
    assert "msgspec" in loaded
    assert not loaded & NEEDLESS


def test_a_later_import_gets_the_real_module(told: list[str]) -> None:
    """Code that imports one of them afterwards gets the module itself."""
    assert told[2] == "SMALL bb 1.5"


def test_events_are_read_and_written(told: list[str]) -> None:
    """Structs of the kinds that events use are decoded and encoded."""
    assert told[3] == '{"at":3,"names":["a"],"more":{"b":["c"]}}'
