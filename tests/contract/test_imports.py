"""Which package may import which, and what a hook process loads."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from functools import cache
from typing import TYPE_CHECKING

import pytest

from tests.cases.world import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.cases.reply import Reply
    from tests.cases.world import World

# Package → packages of ours that it may import, as in docs/architecture.md.
MAY: dict[str, tuple[str, ...]] = {
    "journal": ("journal",),
    "journal/history": ("journal", "projections"),
    "projections": ("projections", "journal"),
    "hooks": ("hooks", "projections", "journal"),
    "cli": ("cli", "projections", "journal"),
}
TOP = ("journal", "projections", "hooks", "cli")
GROUND = ("journal", "projections")
"""Packages below `journal.history`, which they may not import."""
# Third-party package → where it may be imported.
THIRD: dict[str, tuple[str, ...]] = {
    "msgspec": ("journal/events/", "journal/history/", "projections/", "hooks/", "cli/"),
    "typer": ("cli/app.py", "cli/options.py", "cli/values.py", "cli/commands/"),
    "duckdb": ("journal/history/tables/engine.py",),
    "_duckdb": ("journal/history/tables/engine.py",),
    "deltalake": ("journal/history/team/store.py",),
    "fsspec": ("journal/history/export/",),
    # Each optional part has a place of its own.
    "claude_agent_sdk": ("journal/history/summaries/claude.py",),
    "fastembed": ("journal/history/search/embed.py",),
    "onnxruntime": ("journal/history/search/embed.py",),
    "tokenizers": ("journal/history/search/embed.py",),
    "numpy": ("journal/history/search/embed.py",),
    "nicegui": ("cli/serve/",),
    "fastapi": ("cli/serve/",),
    "starlette": ("cli/serve/",),
    "uvicorn": ("cli/serve/",),
    "pydantic": ("cli/serve/",),
}
ALONE = ("duckdb",)
"""Packages that at most one module may import, because they take tens of milliseconds."""

SLOW = {
    "re", "json", "typing", "pathlib", "dataclasses", "enum", "logging", "subprocess", "datetime",
    "hashlib", "tempfile", "argparse", "msgspec", "asyncio", "uuid", "typer", "duckdb", "inspect",
    "tomllib",
}  # fmt: skip
MOST = 79
"""How many modules a hook that only records may have loaded at its end."""


def modules() -> list[Path]:
    """Return every module of the product."""
    return [path for name in TOP for path in sorted((ROOT / name).rglob("*.py"))]


@cache
def imports(path: Path) -> tuple[tuple[str, bool], ...]:
    """Return `imported` of a module of the product, read once."""
    return tuple(imported(path))


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield every statement below a node; expressions import nothing."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for node in getattr(tree, name, ()):
            yield node
            yield from statements(node)


def imported(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield each imported name, and whether only a type checker imports it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    unseen = {
        id(inner)
        for node in statements(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for part in node.body
        for inner in (part, *statements(part))
    }
    package = path.relative_to(ROOT).parent.parts
    for node in statements(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, id(node) in unseen
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            name = ".".join(filter(None, (base, node.module)))
            for alias in node.names:
                yield f"{name}.{alias.name}", id(node) in unseen


@pytest.mark.parametrize("package", MAY)
def test_the_import_table(package: str) -> None:
    """Libraries are below programs, and neither program imports the other."""
    wrong = []
    for path in modules():
        where = path.relative_to(ROOT).as_posix()
        if max((one for one in MAY if where.startswith(f"{one}/")), key=len) != package:
            continue
        for name, _ in imports(path):
            top = name.partition(".")[0]
            allowed = MAY[package]
            upward = f"{name}.".startswith("journal.history.") and package in GROUND
            known = any(f"{name}.".startswith(f"{item}.") for item in allowed)
            if top in TOP and (upward or not known):
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert wrong == []


def test_third_party_packages_stay_where_they_may() -> None:
    """Only typed code imports msgspec, only commands import typer, and one module imports duckdb."""
    wrong, places = [], {name: set() for name in THIRD}
    ours = {*TOP, *sys.stdlib_module_names}
    for path in modules():
        where = str(path.relative_to(ROOT))
        for name, only_types in imports(path):
            top = name.partition(".")[0]
            if top in ours or only_types:
                continue
            if not where.startswith(THIRD.get(top, ("nowhere",))):
                wrong.append(f"{where} imports {name}")
            else:
                places[top].add(where)
    assert wrong == []
    assert {name: len(places[name]) <= 1 for name in ALONE} == dict.fromkeys(ALONE, True), places
    assert len(places["msgspec"]) > 3


@pytest.mark.parametrize("package", ["cli", "hooks", "journal", "projections"])
def test_no_circles(package: str) -> None:
    """No module imports itself through others, including imports in functions and for types."""
    paths = [*(ROOT / package).rglob("*.py")]
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in paths}
    edges = {
        name: {
            other
            for found, _ in imports(path)
            for other in names
            if other != name and f"{found}.".startswith(f"{other}.")
        }
        for name, path in names.items()
    }
    while free := {name for name, others in edges.items() if not others & edges.keys()}:
        edges = {name: others for name, others in edges.items() if name not in free}
    assert sorted(edges) == []


def test_projections_are_pure() -> None:
    """A projection imports nothing that reads files, the clock, the environment or chance."""
    impure = {"os", "io", "time", "datetime", "random", "sys", "pathlib", "subprocess", "socket"}
    for path in sorted((ROOT / "projections").rglob("*.py")):
        for name, only_types in imports(path):
            assert only_types or name.partition(".")[0] not in impure, (path.name, name)


def test_the_table_finds_a_breach(tmp_path: Path) -> None:
    """Plain, relative, nested and type-only imports are all found."""
    path = ROOT / "projections" / "x.py"
    source = tmp_path / "x.py"
    source.write_text("import cli.a\nfrom . import y\nif TYPE_CHECKING:\n    import os\n"
                      "def f():\n    from journal.log import read\n")  # fmt: skip

    class Fake:
        def read_text(self, encoding: str) -> str:
            return source.read_text(encoding=encoding)

        def relative_to(self, _root: Path) -> Path:
            return path.relative_to(ROOT)

    assert sorted(imported(Fake())) == [
        ("cli.a", False),
        ("journal.log.read", False),
        ("os", True),
        ("projections.y", False),
    ]


_LOADED = """
import os, sys
sys.path.insert(0, sys.argv[1])
from hooks.capture import capture
raw = sys.stdin.buffer.read()
answer = capture(raw, os.environ)
names = sorted(sys.modules)
import json
print(json.dumps([names, answer]))
"""


def loaded(world: World, act: Callable[[], Reply]) -> tuple[set[str], str]:
    """Return the modules that one hook call has loaded at its end, and what it printed."""
    payloads: list[bytes] = []
    world.feed = lambda raw, event="", **_: payloads.append(raw)
    act()
    del world.feed
    ran = subprocess.run([sys.executable, "-I", "-S", "-c", _LOADED, str(ROOT)], input=payloads[0],
                         env=world.env(), cwd=world.project, capture_output=True, check=True)  # fmt: skip
    names, answer = json.loads(ran.stdout)
    return set(names), answer


@pytest.mark.parametrize("work", [False, True], ids=["empty", "work-files"])
def test_capture_loads_the_cheap_half_only(work: bool, inline: World) -> None:
    """A tool call below the info level loads no slow module, and at most MOST modules."""
    if work:
        inline.flow(3)
        inline.stock()
    inline.start()
    inline.reading(45)
    inline.prompt()
    names, answer = loaded(inline, lambda: inline.tool("Edit", file_path="a.py"))
    assert answer == ""
    assert inline.types()[-1] == "tool.finished"
    assert sorted(names & SLOW) == []
    assert len(names) <= MOST, sorted(names)


@pytest.mark.parametrize("event", ["UserPromptSubmit", "PostToolUseFailure", "SubagentStop",
                                   "Notification", "SessionEnd", "PostCompact"])  # fmt: skip
def test_other_silent_hooks_load_as_little(event: str, inline: World) -> None:
    """Other hooks without an answer load no slow module either."""
    inline.start()
    inline.reading(45)
    inline.prompt()
    names, answer = loaded(inline, lambda: inline.hook(event, prompt="x", agent_type="x",
                           compact_summary="s", tool_name="Bash", error="e"))  # fmt: skip
    assert answer == ""
    assert sorted(names & SLOW) == []
    assert len(names) <= MOST, sorted(names)


def test_an_answer_loads_msgspec_and_no_command_line(inline: World) -> None:
    """A start with an answer loads msgspec, but neither typer nor duckdb nor the cli."""
    inline.flow(3)
    names, answer = loaded(inline, inline.start)
    assert "3 work-log entries" in answer
    assert "msgspec" in names
    assert not {"typer", "duckdb", "pydantic", "rich", "click", "asyncio", "numpy"} & names
    assert not any(name.split(".")[0] == "cli" for name in names)


@pytest.mark.parametrize("act", ["prompt", "tool"])
def test_a_warning_loads_msgspec_and_no_slow_module(act: str, inline: World) -> None:
    """A tool call or a prompt that warns loads msgspec, and nothing slow that it does not need."""
    inline.start()
    inline.reading(78)
    slow = SLOW - {"msgspec", "typing"} | {"contextlib", "warnings"}
    if sys.version_info >= (3, 14):  # there msgspec needs enum
        slow -= {"enum", "contextlib", "warnings", "re"}
    names, answer = loaded(inline, getattr(inline, act))
    assert "urgent" in answer
    assert "msgspec" in names
    assert sorted(names & slow) == []
