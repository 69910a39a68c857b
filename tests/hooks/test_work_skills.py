"""The skills about the work files: what the client asks of their form, and what they promise."""

from __future__ import annotations

import fnmatch
import re
from pathlib import Path

import pytest

SKILLS = Path(__file__).parents[2] / "skills"
NAMES = ("compound", "getting-started", "context-persistence")
DYNAMIC = re.compile(r"!`([^`]*)`")


def _skill(name: str) -> tuple[dict[str, str], str]:
    text = (SKILLS / name / "SKILL.md").read_text(encoding="utf-8")
    opening, front, body = text.split("---\n", 2)
    assert opening == ""
    fields = dict(line.split(": ", 1) for line in front.splitlines())
    return fields, body


@pytest.mark.parametrize("name", NAMES)
def test_a_skill_has_name_and_description_and_is_short(name: str) -> None:
    """The name is the folder's, the description says when, and the body stays under 90 lines."""
    fields, body = _skill(name)
    assert fields["name"] == name
    assert 40 < len(fields["description"]) < 400
    assert body.count("\n") < 90
    assert body.count("```") % 2 == 0


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


@pytest.mark.parametrize("name", NAMES)
def test_no_skill_may_write_without_being_asked(name: str) -> None:
    """The tools allowed beforehand read only; what writes goes through the person's permission."""
    fields, _ = _skill(name)
    reading = {"view", "status", "events", "learning list"}
    for pattern in re.findall(r"Bash\(([^)]*)\)", fields["allowed-tools"]):
        assert pattern.removeprefix("journal ").removesuffix(" *") in reading
    assert not {"Write", "Edit"} & set(re.split(r"[ ,]+", fields["allowed-tools"]))


def test_only_the_person_starts_a_promotion() -> None:
    """The model cannot invoke compound; the other two skills it may read when they fit."""
    assert _skill("compound")[0]["disable-model-invocation"] == "true"
    assert "disable-model-invocation" not in _skill("getting-started")[0]
    assert "disable-model-invocation" not in _skill("context-persistence")[0]


def test_compound_asks_before_it_writes() -> None:
    """The step that asks stands before every command that writes, and the record comes last."""
    _, body = _skill("compound")
    asks = body.index("## 3. Ask")
    writes = [
        body.index(command) for command in ("journal learning add", "journal learning confirm")
    ]
    assert all(asks < place < body.index("journal compound --promoted") for place in writes)
