"""Rules for every skill: its form, its commands, and what needs the person's permission."""

from __future__ import annotations

import fnmatch
import re
import shlex
from typing import TYPE_CHECKING

import pytest

from journal.config.schema import SETTINGS
from tests.cases.world import ROOT, World
from tests.skills.skill import NAMES, read
from tests.support.command import all_commands
from tests.support.rows import each

if TYPE_CHECKING:
    from pathlib import Path

READING = {
    "status *", "view *", "events *", "learning list *", "stage status *", "progress show *",
    "progress list *", "get *", "search *", "sessions *",
}  # fmt: skip
SAVING = {
    "stage start *", "stage finish *", "stage stop *", "stage resume *", "progress save *",
    "progress close *", "progress adopt *", "learning add *", "learning confirm *", "compound *",
    "note *", "decide *", "unit start *", "export-session *",
}  # fmt: skip
ASKED = {"progress discard", "stage abandon", "setup"}
"""Commands of skills that Claude Code asks about: they discard work, or install something."""
GIT = {"git status *", "git diff *", "git log *"}
BY_THE_PERSON = {
    "compound", "dev-cycle", "discover", "export", "pane", "progress", "spec", "stories",
}  # fmt: skip
KNOWN = {
    name: {flag for param in found.params for flag in param.opts}
    for _, name, found in all_commands()
}


def test_the_skills_are_these() -> None:
    """A new skill is added to the tables below, and to the tests of its kind."""
    assert set(NAMES) == BY_THE_PERSON | {
        "context-persistence", "get", "getting-started", "shipping",
    }  # fmt: skip


def test_the_rows_of_the_status() -> None:
    """The rows that a skill explains are those that `journal status` prints."""
    text = read("context-persistence").body.partition("## Reading `journal status`")[2]
    named = re.findall(r"^- \*\*(.+?)\*\*", text.partition("\n## ")[0], re.MULTILINE)
    printed = set(re.findall(r'\("([a-z ]+)", ', (ROOT / "cli/status_text.py").read_text()))
    assert len(named) > 5
    assert set(named) <= printed


def test_the_settings_that_skills_name() -> None:
    """A setting that a skill names exists."""
    named = {found for name in NAMES for found in re.findall(r"setting `(.+?)`", read(name).body)}
    assert named
    assert named <= set(SETTINGS)


@each("name", NAMES)
def test_a_skill_has_name_and_description_and_is_short(name: str) -> None:
    """The name is the folder's, the description says when to use it, the body is under 90 lines."""
    skill = read(name)
    assert skill.fields["name"] == name
    assert 40 < len(skill.fields["description"]) < 300
    assert skill.fields.get("argument-hint", '"[').startswith('"[')
    assert skill.body.count("\n") < 90
    assert skill.body.count("```") % 2 == 0
    assert max(map(len, skill.body.splitlines())) <= 140


@each("name", NAMES)
def test_dynamic_context_runs_under_the_clients_rules(name: str) -> None:
    """Each command starts a line, is allowed, reads only and cannot fail the skill."""
    skill = read(name)
    assert skill.dynamic
    for command in skill.dynamic:
        assert f"\n!`{command}`\n" in skill.body
        assert command.endswith(" 2>&1 || true")
    for command in skill.shown:
        patterns = {*skill.allowed, *(one.removesuffix(" *") for one in skill.allowed)}
        assert any(fnmatch.fnmatch(command, pattern) for pattern in patterns)


@each("name", NAMES)
def test_the_only_variable_is_what_the_person_typed(name: str) -> None:
    """It is one argument of the command, in double quotes, and only `get` passes it on."""
    wanted = ['journal get "$ARGUMENTS"'] if name == "get" else []
    assert [command for command in read(name).shown if "$" in command] == wanted


@each("name", NAMES)
def test_what_people_decide_needs_their_permission(name: str) -> None:
    """Reading and saving need no permission; discarding work, editing files and commits do."""
    skill = read(name)
    own = {one.removeprefix("journal ") for one in skill.allowed if one.startswith("journal ")}
    assert own <= READING | SAVING
    assert {one for one in skill.allowed if not one.startswith("journal ")} <= GIT
    assert not {"Write", "Edit"} & set(re.split(r"[ ,]+", skill.fields["allowed-tools"]))
    for command in skill.commands:
        call = command.removeprefix("journal ")
        if " " not in call:
            continue  # the text mentions it by name
        fits = any(fnmatch.fnmatch(call + " ", pattern) for pattern in own)
        assert fits != any(call.startswith(asked) for asked in ASKED), command


@each("name", NAMES)
def test_only_the_person_starts_what_writes(name: str) -> None:
    """The model cannot start these skills by itself; it may read the others when they match."""
    assert ("disable-model-invocation" in read(name).fields) is (name in BY_THE_PERSON)


@each("name", NAMES)
def test_every_command_a_skill_names_exists(name: str) -> None:
    """Command, subcommand and options are those of the command line."""
    commands = read(name).commands
    assert commands
    for command in commands:
        words = shlex.split(command.replace("…", "x"))[1:]
        called = " ".join(words[:2]) if " ".join(words[:2]) in KNOWN else words[0]
        assert called in KNOWN, command
        assert {word for word in words if word.startswith("--")} <= KNOWN[called], command


@pytest.mark.parametrize("name", NAMES)
def test_what_a_skill_shows_is_there(name: str, tmp_path: Path) -> None:
    """The dynamic commands print something in a fresh project and in a working session."""
    shop = World(tmp_path, inline=True)
    for prepare in (lambda: None, lambda: _at_work(shop)):
        prepare()
        for command in read(name).shown:
            said = shop.run(*shlex.split(command.replace("$ARGUMENTS", ""))[1:])
            assert said.out + said.err
            assert "Traceback" not in said.err


def _at_work(shop: World) -> None:
    shop.start()
    shop.tool("Edit", file_path="a.py")
    assert shop.run("stage", "start").code == 0
    assert shop.run("progress", "save", "--skill", "discover", "--phase", "1").code == 0
