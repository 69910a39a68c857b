"""The skills that work in stages and phases: their form, their commands, and what they leave to people."""

from __future__ import annotations

import fnmatch
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from cli.manual import commands as all_commands
from tests.cli.shop import Shop
from tests.e2e.client import find_client

ROOT = Path(__file__).parents[2]
SKILLS = ROOT / "skills"
PHASED = ("discover", "spec", "stories")
NAMES = ("dev-cycle", "shipping", "progress", *PHASED)
DYNAMIC = re.compile(r"!`([^`]*)`")
COMMAND = re.compile(r"`(journal [^`\n]+)`|^(journal [^\n]+)$", re.MULTILINE)
READING = {"view *", "stage status *", "progress show *", "progress list *"}
SAVING = {"stage start *", "stage finish *", "stage stop *", "progress save *", "progress close *"}


def _skill(name: str) -> tuple[dict[str, str], str]:
    text = (SKILLS / name / "SKILL.md").read_text(encoding="utf-8")
    opening, front, body = text.split("---\n", 2)
    assert opening == ""
    return dict(line.split(": ", 1) for line in front.splitlines()), body


def _commands(body: str) -> list[str]:
    return [
        (one or other).split(" 2>&1")[0].split(" <<")[0] for one, other in COMMAND.findall(body)
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_skill_has_name_and_description_and_is_short(name: str) -> None:
    """The name is the folder's, the description says when, and the body stays under 90 lines."""
    fields, body = _skill(name)
    assert fields["name"] == name
    assert 40 < len(fields["description"]) < 300
    assert body.count("\n") < 90
    assert body.count("```") % 2 == 0
    assert max(len(line) for line in body.splitlines()) <= 140


@pytest.mark.parametrize("name", NAMES)
def test_dynamic_context_runs_under_the_clients_rules(name: str) -> None:
    """Each command starts a line, is allowed, uses no shell variable and cannot fail the skill."""
    fields, body = _skill(name)
    allowed = re.findall(r"Bash\(([^)]*)\)", fields["allowed-tools"])
    commands = DYNAMIC.findall(body)
    assert commands
    for command in commands:
        assert f"\n!`{command}`\n" in body
        assert "$" not in command
        assert command.endswith(" 2>&1 || true")
        assert any(fnmatch.fnmatch(command, pattern) for pattern in allowed)
        assert any(fnmatch.fnmatch(command.removeprefix("journal "), one) for one in READING)


@pytest.mark.parametrize("name", NAMES)
def test_what_people_decide_is_not_allowed_beforehand(name: str) -> None:
    """Reading and the skill's own saving need no question; taking over and giving up do."""
    fields, _ = _skill(name)
    patterns = re.findall(r"Bash\(([^)]*)\)", fields["allowed-tools"])
    own = {one.removeprefix("journal ") for one in patterns if one.startswith("journal ")}
    assert own <= READING | SAVING
    assert {one for one in patterns if not one.startswith("journal ")} <= {
        "git status *", "git diff *", "git log *",
    }  # fmt: skip
    assert not {"Write", "Edit"} & set(re.split(r"[ ,]+", fields["allowed-tools"]))


@pytest.mark.parametrize("name", NAMES)
def test_every_command_a_skill_names_exists(name: str) -> None:
    """Command, subcommand and options are those of the command line."""
    known = {
        name: {flag for param in found.params for flag in param.opts}
        for _, name, found in all_commands()
    }
    commands = _commands(_skill(name)[1])
    assert commands
    for command in commands:
        words = shlex.split(command)[1:]
        called = " ".join(words[:2]) if " ".join(words[:2]) in known else words[0]
        assert called in known, command
        options = {word for word in words if word.startswith("--")}
        assert options <= known[called], command


def test_only_the_person_starts_a_cycle() -> None:
    """A mention is no invocation: the model cannot start these; shipping it may."""
    for name in ("dev-cycle", "progress", *PHASED):
        assert _skill(name)[0]["disable-model-invocation"] == "true"
    assert "disable-model-invocation" not in _skill("shipping")[0]


def test_the_cycle_looks_before_each_stage() -> None:
    """The skill reads the view between the end of a stage and the start of the next."""
    body = _skill("dev-cycle")[1]
    step = body[body.index("## 3.") :]
    assert step.index("journal stage finish") < step.index("journal view stage --json")
    assert step.index("journal view stage --json") < step.index("journal stage start")
    for word in ("`room` is true", "`room` is false", "`room` is null", "context_budget"):
        assert word in step
    assert "review_rounds" in _skill("shipping")[1]


@pytest.mark.parametrize("name", PHASED)
def test_a_phased_skill_saves_and_closes(name: str) -> None:
    """It begins with what is there, saves after each phase, and closes when its output exists."""
    body = _skill(name)[1]
    at = [body.index(part) for part in ("journal progress show", "journal progress adopt",
                                        "journal progress save", "journal progress close")]  # fmt: skip
    assert at == sorted(at)
    assert f"--skill {name} " in body
    assert "continue" in body


@pytest.mark.parametrize("name", NAMES)
def test_what_a_skill_shows_is_there(name: str, tmp_path: Path) -> None:
    """Its dynamic commands give something in a fresh project and in a session at work."""
    shop = Shop(tmp_path)
    for prepare in (lambda: None, lambda: _at_work(shop)):
        prepare()
        for command in DYNAMIC.findall(_skill(name)[1]):
            said = shop.run(*shlex.split(command.removesuffix(" 2>&1 || true"))[1:])
            assert said.out + said.err
            assert "Traceback" not in said.err


def _at_work(shop: Shop) -> None:
    shop.start()
    assert shop.run("stage", "start").code == 0
    assert shop.run("progress", "save", "--skill", "discover", "--phase", "1").code == 0


@pytest.mark.parametrize("name", PHASED)
def test_the_example_of_a_save_works(name: str, tmp_path: Path) -> None:
    """The very lines of the skill, filled in, save a phase; the close works once the file is there."""
    shop = Shop(tmp_path)
    shop.start()
    _, body = _skill(name)
    line = next(line for line in body.splitlines() if line.startswith("journal progress save"))
    words = shlex.split(
        line.split(" <<")[0].replace("N ", "1 ", 1).replace("PATH", "docs/plans/x.md")
    )
    said = shop.run(*words[1:], stdin="Because.\n")
    assert said.code == 0, said.err
    state = shop.view("progress")["state"]
    assert (state["skill"], state["phases"][0]["summary"]) == (name, "Because.")
    assert shop.run("progress", "close").code == 1
    (shop.project / "docs" / "plans" / "x.md").write_text("x")
    assert shop.run("progress", "close").code == 0


@pytest.mark.client
def test_the_client_finds_no_fault_in_the_plugin(tmp_path: Path) -> None:
    """`claude plugin validate --strict` on this checkout, in a home of its own."""
    executable, why = find_client()
    if executable is None:
        pytest.skip(why)
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "CI": "1", "ANTHROPIC_API_KEY": "x",
           "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1"}  # fmt: skip
    ran = subprocess.run([executable, "plugin", "validate", str(ROOT), "--strict"], env=env,
                         capture_output=True, text=True, timeout=120, check=False)  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
