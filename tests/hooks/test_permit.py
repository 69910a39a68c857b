"""Which calls of the plugin's own command run without a question, and which do not."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hooks import permit
from tests.cases.world import RUN
from tests.skills.skill import NAMES, read

if TYPE_CHECKING:
    from tests.cases.world import World

ALLOWED = [
    "journal status",
    "journal status --json",
    "  journal get 1,3  ",
    "journal search 'what about {\"a\"}'",
    'journal search "two words"',
    "journal note - <<'TEXT'\na {\"b\"} it's `x` $y\n; rm -r /\nTEXT",
    "journal note - <<'TEXT'\nTEXT\n",
]
ASKED = [
    "touch x",
    "journal",
    "journalctl status",
    "journal setup",
    "journal uninstall",
    "journal progress discard s --yes",
    "journal status; touch x",
    "journal status & touch x",
    "journal status && touch x",
    "journal status | tee x",
    "journal status > x",
    "journal status < x",
    "journal status\ntouch x",
    "journal status $(touch x)",
    "journal status `touch x`",
    'journal search "$(touch x)"',
    'journal search "`touch x`"',
    'journal search "a\\"; touch x; \\""',
    "journal status *",
    "journal status ~",
    "journal status {a,b}",
    "journal status #",
    "journal search 'a\n' b",
    "journal note - <<TEXT\n$(touch x)\nTEXT",
    "journal note - <<'TEXT'\na\nTEXT\ntouch x",
    "journal note - <<'TEXT'\na\nTEXT\ntouch x\nTEXT",
    "journal note - <<'TEXT'\nTEXT\ntouch x\nTEXT\n",
    "\u00a0journal status",
    "journal note - <<'TEXT'; touch x\na\nTEXT",
    "journal note - <<'A' <<'B'\na\nA\nb\nB",
    "X=1 journal status",
    "./journal status",
    "journal statusx",
]


def ask(world: World, command: str, **fields: object) -> str:
    """Ask as Claude Code does; return the decision, "" if it is left to the person."""
    call = {
        "session_id": world.sid, "cwd": str(world.project), "hook_event_name": "PermissionRequest",
        "tool_name": "Bash", "tool_input": {"command": command}, **fields,
    }  # fmt: skip
    out = permit.permit(json.dumps(call).encode(), world.env())
    return json.loads(out)["hookSpecificOutput"]["decision"]["behavior"] if out else ""


@pytest.mark.parametrize("command", ALLOWED)
def test_a_plain_call_is_allowed(inline: World, command: str) -> None:
    """A plain call, with quotes or a quoted here-document of any content, is allowed."""
    assert ask(inline, command) == "allow"


@pytest.mark.parametrize("command", ASKED)
def test_everything_else_is_left_to_the_person(inline: World, command: str) -> None:
    """Another program, or a joined, redirected, expanded or unknown call, is left to the person."""
    assert ask(inline, command) == ""


def test_another_tool_or_agent_is_left_to_the_person(inline: World) -> None:
    """The hook decides only about the session's own shell calls."""
    assert ask(inline, "journal status", tool_name="Write") == ""
    assert ask(inline, "journal status", agent_id="a1") == ""
    assert permit.permit(b"[]", inline.env()) == ""


@pytest.mark.parametrize(
    "name", [name for name in NAMES if "disable-model-invocation" in read(name).fields]
)
def test_a_skill_of_the_person_s_is_allowed_once_started(inline: World, name: str) -> None:
    """A command of a skill only the person starts is allowed once they have started it here."""
    free = {
        p
        for n in NAMES
        if "disable-model-invocation" not in read(n).fields
        for p in read(n).allowed
    }
    own = next((p for p in read(name).allowed if p.startswith("journal ") and p not in free), "")
    if not own:
        pytest.skip("it names nothing of its own")
    command = own.removesuffix(" *")
    assert ask(inline, command) == "", "without a log"
    inline.start()
    assert ask(inline, command) == ""
    inline.hook("UserPromptExpansion", command_name=f"journal:{name}", prompt=f"/{name}")
    assert ask(inline, command) == "allow"
    assert ask(inline, command, session_id="another") == ""


ENDS = st.text(alphabet="journal sttus;|&<>$`'\"\\\n(){}*~#!", max_size=40)
LINES = st.lists(st.sampled_from(["T", "touch x", "", " T", "T ", "T\\", "'T'", "\tT"]), max_size=5)


@given(st.one_of(ENDS, LINES.map(lambda lines: "<<'T'\n" + "\n".join(lines))))
def test_the_shell_sees_what_the_check_saw(tail: str) -> None:
    """A real shell runs an allowed text as one call of `journal` with the same words."""
    command = "journal status " + tail
    called = permit._arguments_of(command)
    if called is None:
        return
    script = f"journal() {{ printf '%s\\n' CALL; cat >/dev/null; }}\n{command}"
    ran = subprocess.run(["/bin/sh", "-c", script], capture_output=True, text=True, cwd="/",
                         stdin=subprocess.DEVNULL, check=False)  # fmt: skip
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "CALL\n", ""), command


def test_the_hook_program(world: World) -> None:
    """The program, started as Claude Code does, answers a plain call on stdout, and no other."""
    for command, allowed in (("journal status", True), ("journal status; x", False)):
        call = {
            "session_id": "s",
            "cwd": "/",
            "tool_name": "Bash",
            "tool_input": {"command": command},
        }
        ran = subprocess.run([*world.python, str(RUN), "permit"], input=json.dumps(call).encode(),
                             env=world.env(), capture_output=True, check=False)  # fmt: skip
        assert (ran.returncode, ran.stderr, bool(ran.stdout)) == (0, b"", allowed)
