"""The skills about past sessions: their form, their commands, and what they leave to people."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from cli.manual import commands as all_commands
from cli.past.plan import FORM, choices
from tests.cli.shop import Shop

SKILLS = Path(__file__).parents[2] / "skills"
NAMES = ("get", "export")
DYNAMIC = re.compile(r"!`([^`]*)`")
COMMAND = re.compile(r"`(journal [^`\n]+)`|^(journal [^\n]+)$", re.MULTILINE)
ALLOWED = {
    "get": {"journal get *", "journal search *", "journal sessions *"},
    "export": {"journal export-session --json", "journal events *", "journal get *"},
}


def _skill(name: str) -> tuple[dict[str, str], str]:
    text = (SKILLS / name / "SKILL.md").read_text(encoding="utf-8")
    opening, front, body = text.split("---\n", 2)
    assert opening == ""
    return dict(line.split(": ", 1) for line in front.splitlines()), body


@pytest.mark.parametrize("name", NAMES)
def test_a_skill_has_name_and_description_and_is_short(name: str) -> None:
    """The name is the folder's, the description says when, and the body stays under 90 lines."""
    fields, body = _skill(name)
    assert fields["name"] == name
    assert 40 < len(fields["description"]) < 300
    assert fields["argument-hint"].startswith('"[')
    assert body.count("\n") < 90
    assert body.count("```") % 2 == 0
    assert max(len(line) for line in body.splitlines()) <= 140


@pytest.mark.parametrize("name", NAMES)
def test_dynamic_context_runs_under_the_clients_rules(name: str) -> None:
    """One command, on a line of its own, allowed, which cannot fail the skill."""
    fields, body = _skill(name)
    (command,) = DYNAMIC.findall(body)
    assert f"\n!`{command}`\n" in body
    assert command.endswith(" 2>&1 || true")
    called = command.removesuffix(" 2>&1 || true")
    patterns = re.findall(r"Bash\(([^)]*)\)", fields["allowed-tools"])
    assert any(called == one or called.startswith(one.removesuffix("*")) for one in patterns)


def test_what_the_person_typed_is_one_word_of_the_command() -> None:
    """The selector stands in double quotes, and no other variable is in a command."""
    assert DYNAMIC.findall(_skill("get")[1]) == ['journal get "$ARGUMENTS" 2>&1 || true']
    assert "$" not in DYNAMIC.findall(_skill("export")[1])[0]
    assert "$ARGUMENTS" in _skill("export")[1]


@pytest.mark.parametrize("name", NAMES)
def test_what_writes_is_not_allowed_beforehand(name: str) -> None:
    """Looking needs no question; to export does."""
    fields, _ = _skill(name)
    assert set(re.findall(r"Bash\(([^)]*)\)", fields["allowed-tools"])) == ALLOWED[name]
    assert set(re.sub(r"Bash\([^)]*\)", "", fields["allowed-tools"]).split(",")) <= {"", " "}


@pytest.mark.parametrize("name", NAMES)
def test_every_command_a_skill_names_exists(name: str) -> None:
    """Command and options are those of the command line."""
    known = {
        name: {flag for param in found.params for flag in param.opts}
        for _, name, found in all_commands()
    }
    commands = [(one or other).split(" <<")[0] for one, other in COMMAND.findall(_skill(name)[1])]
    assert commands
    for command in commands:
        words = shlex.split(command.split(" 2>&1")[0])[1:]
        assert words[0] in known, command
        assert {word for word in words if word.startswith("--")} <= known[words[0]], command


def test_only_the_person_starts_an_export() -> None:
    """The model may look sessions up when they are asked for; it cannot begin to export."""
    assert _skill("export")[0]["disable-model-invocation"] == "true"
    assert "disable-model-invocation" not in _skill("get")[0]


def test_export_asks_before_it_writes() -> None:
    """The step that asks stands before every command that writes; silence is no choice."""
    body = _skill("export")[1]
    asks = body.index("## 3. Ask")
    for command in ("journal export-session --pick", "journal export-session --plan"):
        assert asks < body.index(command)
    assert "nothing is written" in body[asks : body.index("## 4.")]


def test_the_plan_of_the_skill_is_one(tmp_path: Path) -> None:
    """Its example, with the numbers of a session, is taken; so is the form errors name."""
    shop = Shop(tmp_path)
    shop.start()
    for name in ("a.py", "b.py", "c.py"):
        shop.prompt(f"Write {name}")
        shop.tool("Write", file_path=str(shop.project / name))
    body = _skill("export")[1]
    plan = body[body.index("<<'PLAN'\n") + 9 : body.index("\nPLAN\n")]
    seqs = [event["seq"] for event in shop.events("tool.finished")]
    filled = plan.replace('"10-19"', f'"{seqs[0]}-{seqs[1]}"').replace("22", str(seqs[2]))
    said = shop.run("export-session", "--plan", "-", stdin=filled)
    assert said.code == 0, said.err
    assert [len(event["files"]) for event in shop.events("session.exported")] == [2, 3]
    groups = json.loads(FORM)
    assert [sorted(entry) for entry in groups] == [
        ["groups", "title"],
        ["seqs", "summary", "title"],
    ]
    assert choices("[]", [], ()) == []


@pytest.mark.parametrize("name", NAMES)
def test_what_a_skill_shows_is_there(name: str, tmp_path: Path) -> None:
    """Its command says something in a fresh project and in a session at work."""
    shop = Shop(tmp_path)
    (command,) = DYNAMIC.findall(_skill(name)[1])
    words = shlex.split(command.removesuffix(" 2>&1 || true").replace("$ARGUMENTS", ""))[1:]
    for prepare in (lambda: None, shop.start, lambda: shop.tool("Edit", file_path="a.py")):
        prepare()
        said = shop.run(*words)
        assert said.out + said.err
        assert "Traceback" not in said.err
