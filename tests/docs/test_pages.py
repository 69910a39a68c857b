"""README and docs: every command shown runs or exists, and every link works."""

from __future__ import annotations

import itertools
import os
import re
import shlex
import subprocess
import sys
import tomllib
from typing import TYPE_CHECKING

import pytest

from journal.config.schema import DEFAULTS
from tests.cases.world import ROOT
from tests.support.command import all_commands
from tests.support.rows import each

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Workspace

PAGES = ["README.md", "CONTRIBUTING.md", "SECURITY.md", *(
    f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))
)]  # fmt: skip
HAND = [page for page in PAGES if page not in ("docs/cli.md", "docs/errors.md")]
KNOWN = {
    name: {flag for param in found.params for flag in param.opts}
    for _, name, found in all_commands()
}
NOT_RUN = {
    "setup": "tests/cli/install", "uninstall": "tests/cli/install", "doctor": "tests/cli/doctor",
    "serve": "tests/cli/serve", "demo": "tests/cli/demo", "import": "tests/cli/import_",
    "export": "tests/journal/history/export", "team": "tests/cli/test_team.py", "repair": "tests/cli/test_integrity.py",
    "get": "tests/cli/past", "show": "tests/cli/show", "pack": "tests/cli/past",
}  # fmt: skip
"""Command → its own tests: it installs, serves, or reads the history of the whole machine."""


def blocks(page: str, kind: str) -> list[str]:
    """Return the code blocks of this kind on a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def shown(page: str) -> list[str]:
    """Return the commands in a page's shell blocks, in order, without comments."""
    found: list[str] = []
    open_quote = False
    for line in "\n".join(blocks(page, "sh")).replace("\\\n", " ").splitlines():
        if open_quote:
            found[-1] += "\n" + line
        elif line.strip() and not line.lstrip().startswith("#"):
            found.append(line)
        else:
            continue
        open_quote = _is_open(found[-1])
    return found


def _is_open(command: str) -> bool:
    """Return whether a quote in a command continues on the next line."""
    try:
        shlex.split(command, comments=True)
    except ValueError:
        return True
    return False


def inline(page: str) -> list[str]:
    """Return the calls of `journal` in a page's running text."""
    text = re.sub(
        r"^```.*?^```",
        "",
        (ROOT / page).read_text(encoding="utf-8"),
        flags=re.DOTALL | re.MULTILINE,
    )
    found = re.findall(r"`((?:bin/)?journal [a-z][^`]*)`", text)
    return [call for each in found for call in each.split(" && ") if "journal " in call]


def words_of(command: str) -> list[str]:
    """Split a command line into words, up to a redirect or pipe."""
    words = command.split() if _is_open(command) else shlex.split(command, comments=True)
    plain = [word.replace("\\$", "$") for word in words]  # as a shell does in double quotes
    return list(itertools.takewhile(lambda word: word not in (">", "|", "<<"), plain))


@each("page", HAND)
def test_every_command_named_exists(page: str) -> None:
    """Each command, subcommand and option named on a page exists."""
    calls = [*inline(page), *(c for c in shown(page) if c.split()[0] in ("journal", "bin/journal"))]
    for call in calls:
        words = words_of(call.replace("…", "").replace("|", " "))[1:]
        if not words or words[0].startswith("-"):
            continue
        name = " ".join(words[:2]) if " ".join(words[:2]) in KNOWN else words[0]
        assert name in KNOWN or any(known.startswith(name + " ") for known in KNOWN), call
        flags = {word.split("=")[0] for word in words if word.startswith("--")}
        assert flags <= KNOWN.get(name, flags), call


@pytest.mark.parametrize("page", [page for page in HAND if shown(page)])
def test_every_command_shown_runs(page: str, played: Workspace) -> None:
    """Each command in a shell block succeeds with a recorded session, or has tests of its own."""
    for command in shown(page):
        program, *words = words_of(command)
        if program == "bin/journal-dev":
            known = (ROOT / "bin" / "journal-dev").read_text(encoding="utf-8")
            assert f"\n  {words[0]})" in known, command
        elif program in ("journal", "bin/journal") and words[:1] and words[0] in NOT_RUN:
            assert (ROOT / NOT_RUN[words[0]]).exists()
        elif program in ("journal", "bin/journal") and not re.search(r"\b[A-Z]{2,}\b", command):
            result = played.journal(
                *words, CLAUDE_CODE_SESSION_ID="c00f089c-b528-49db-9cf4-92a4658e0b0f"
            )
            assert result.code in (0, 1), (command, result.err)
            assert "Traceback" not in result.err
        else:
            assert program in ("journal", "uv", "just", "git", "curl", "duckdb"), command


@each("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    """Every relative link and picture is a file of the repository."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for link in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text):
        assert (ROOT / page).parent.joinpath(link).exists(), link


def test_the_quick_start_is_two_commands() -> None:
    """The quick start has two commands, and both are programs of the checkout."""
    section = (
        (ROOT / "README.md")
        .read_text(encoding="utf-8")
        .split("## Quick start")[1]
        .split("\n## ")[0]
    )
    lines = [
        line
        for block in re.findall(r"```sh\n(.*?)```", section, re.DOTALL)
        for line in block.splitlines()
    ]
    assert lines == ["bin/journal demo", "bin/journal-dev test"]
    assert all(os.access(ROOT / line.split()[0], os.X_OK) for line in lines)


def test_few_words_before_the_first_command() -> None:
    """Fewer than 60 words precede the first command of the quick start."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").split("## Quick start")[1]
    assert len(section.split("```sh")[0].split()) < 60


def test_the_figures_of_the_first_screen() -> None:
    """The levels named in the README are the defaults of the settings."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    levels = [round(100 * DEFAULTS[f"pressure.{name}"]) for name in ("info", "urgent")]
    assert f"at {levels[0]} % and {levels[1]} %" in text


def test_upgrade_and_extras_are_those_of_the_project() -> None:
    """docs/install.md names every optional part that users may add, and no other."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    text = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    extras = set(project["optional-dependencies"]) - {"dev", "parts", "docs", "engines"}
    assert set(re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE)) == extras


def test_the_picture_holds_what_the_text_says() -> None:
    """docs/picture.svg shows warning, status line and recovery, and loads nothing from a network."""
    picture = re.sub(
        r"<[^>]+>|&#160;", " ", (ROOT / "docs" / "picture.svg").read_text(encoding="utf-8")
    )
    plain = " ".join(picture.split())
    for part in (
        "left until compaction",
        "/compact",
        "Journal of this session",
        "Decisions recorded",
    ):
        assert part in plain
    assert "url(" not in (ROOT / "docs" / "picture.svg").read_text(encoding="utf-8").replace(
        "url(#", ""
    )


@pytest.mark.page
def test_the_site_builds(tmp_path: Path) -> None:
    """The strict build finds no dead link and no unlisted page; the site loads nothing from elsewhere."""
    subprocess.run([sys.executable, "-m", "tests.tools.site"], check=True, cwd=ROOT)
    ran = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    fetched = re.findall(r"<(?:link|script|img)[^>]+(?:href|src)=\"(https?://[^\"]+)\"", page)
    assert fetched == []


def test_each_promise_names_tests_that_exist() -> None:
    """Each path and each word after -k in the table of promises selects a test."""
    text = (ROOT / "docs" / "RELIABILITY.md").read_text(encoding="utf-8")
    named = re.findall(r"tests/[\w/.]+", text)
    assert len(named) > 15
    assert [path for path in named if not (ROOT / path).exists()] == []
    for call in re.findall(r"`(?:pytest|bin/journal-dev bench) ([^`]+)`", text):
        paths, _, words = call.partition(" -k ")
        files = [file for path in paths.split() for file in _sources(ROOT / path)]
        defined = " ".join(re.findall(r"def (test_\w+)", "".join(f.read_text() for f in files)))
        for word in words.strip('"').split(" or ") if words else ["test_"]:
            assert word in defined, call


def _sources(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(path.rglob("test_*.py"))
