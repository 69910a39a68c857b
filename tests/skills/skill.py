"""Read a skill: its front matter, its text, and the commands it names."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

SKILLS = Path(__file__).parents[2] / "skills"
NAMES = sorted(path.name for path in SKILLS.iterdir() if path.is_dir())
_DYNAMIC = re.compile(r"!`([^`]*)`")
_COMMAND = re.compile(r"`(journal [^`\n]+)`|^(journal [^\n]+)$", re.MULTILINE)
_QUIET = " 2>&1 || true"


class Skill(NamedTuple):
    """A skill. fields: its front matter."""

    fields: dict[str, str]
    body: str

    @property
    def dynamic(self) -> list[str]:
        """Commands that Claude Code runs when it loads the skill, as written."""
        return _DYNAMIC.findall(self.body)

    @property
    def shown(self) -> list[str]:
        """The same commands without the parts that hide their errors."""
        return [command.removesuffix(_QUIET) for command in self.dynamic]

    @property
    def commands(self) -> list[str]:
        """Every `journal` command it names, without redirections."""
        found = [one or other for one, other in _COMMAND.findall(self.body)]
        return [command.split(" 2>&1")[0].split(" <<")[0] for command in found]

    @property
    def allowed(self) -> list[str]:
        """Patterns of shell commands that need no permission."""
        return re.findall(r"Bash\(([^)]*)\)", self.fields["allowed-tools"])


def read(name: str) -> Skill:
    """Return a skill by the name of its folder."""
    text = (SKILLS / name / "SKILL.md").read_text(encoding="utf-8")
    opening, front, body = text.split("---\n", 2)
    assert opening == ""
    return Skill(dict(line.split(": ", 1) for line in front.splitlines()), body)
