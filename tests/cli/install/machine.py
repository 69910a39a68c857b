"""A person's machine for the installation tests: a home, a product, perhaps a client.

Invariant: everything lies in a temporary directory, and every program runs as its own process with
an environment that inherits nothing.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.install import code_copy, distributions, interpreter, probe, source
from cli.install.client import Client
from cli.install.model import SetupOptions
from cli.install.setup import setup
from cli.install.uninstall import uninstall
from tests.cli.install import stand_in_client

REPO = Path(__file__).resolve().parents[3]
ID = "journal@context-journal"
PARTS = ("cli", "journal", "projections", "hooks", "bin", "skills", ".claude-plugin")

DRIVE = """
import json, sys
what, root, keywords = sys.argv[1:]
sys.path.insert(0, root)
from cli.install.setup import setup
from cli.install.model import SetupOptions
from cli.install.uninstall import uninstall
keywords = json.loads(keywords)
# The packages of the test environment are many; and what runs beside the test is not its affair.
from cli.install import code_copy, distributions
code_copy.processes = list
whole = distributions.closure
distributions.closure = lambda *_: whole(["msgspec"], {})
call = {"setup": setup, "uninstall": uninstall}[what]
print(json.dumps(call(SetupOptions(**keywords)).as_data()))
"""

# Appends what the real hook would, in the same place; reports every hook it runs.
HOOK = """
import json, os, sys
call = json.load(sys.stdin)
kinds = {"SessionStart": "session.started", "SessionEnd": "session.ended"}
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from journal.log.append import Writer
home = os.path.join(os.environ["JOURNAL_HOME"], "project-00000000")
kind = kinds.get(call["hook_event_name"], "other")
with Writer(home, "2026-01-01T00:00:00.000Z") as writer:
    writer.append({"type": kind, "v": 1, "sid": ""})
"""

STAND_IN = Path(stand_in_client.__file__)


class Machine:
    """home: HOME. product: the installed code. calls: what the stand-in client was asked."""

    left_out = staticmethod(shutil.ignore_patterns("*.pyc.*"))

    def __init__(self, root: Path, name: str = "home", product: Path | None = None) -> None:
        self.root = root
        self.home = root / name
        self.home.mkdir(parents=True)
        self.work = root / "work"
        self.work.mkdir()
        self.product = product or self.checkout("product")
        self.log = root / "calls.jsonl"
        self.programs = root / "programs"
        self.programs.mkdir(exist_ok=True)
        python = self.programs / "python3"  # the hooks' one: of the version that the tests run with
        if not python.exists():
            python.symlink_to(os.path.realpath(sys.executable))
        path = f"{self.programs}:/usr/bin:/bin"
        self.env: dict[str, str] = {"CALLS": str(self.log), "PATH": path}
        self.running: list[tuple[float, str]] = []
        self.python = sys.executable
        self.result: dict[str, Any] = {}

    def checkout(self, name: str, *, hook: str = HOOK) -> Path:
        """Copy the product, with stand-ins for the hook programs and the command line."""
        root = self.root / name
        for part in PARTS:
            shutil.copytree(REPO / part, root / part, ignore=self.left_out)
        for name in ("pyproject.toml", "requirements.lock"):
            shutil.copy(REPO / name, root)
        (root / "hooks" / "run.py").write_text(hook, encoding="utf-8")
        (root / "hooks" / "statusline.py").write_text("print('line')\n", encoding="utf-8")
        (root / "cli" / "__main__.py").write_text(
            "import sys\n\n\ndef main():\n    print(sys.executable, *sys.argv)\n    return 0\n",
            encoding="utf-8",
        )
        return root

    def with_client(self, executable: Path | None = None) -> None:
        """Put a client on PATH: the stand-in, or a real one."""
        if executable:
            (self.programs / "claude").symlink_to(executable)
        else:
            path = self.programs / "claude"
            code = STAND_IN.read_text(encoding="utf-8")
            path.write_text(f"#!{sys.executable} -S\n{code}", encoding="utf-8")
            path.chmod(0o755)

    @property
    def environment(self) -> dict[str, str]:
        """The whole environment of a program."""
        return {"HOME": str(self.home), "LANG": "C.UTF-8", **self.env}

    @property
    def journal(self) -> Path:
        """The journal home."""
        return self.home / ".claude" / "journal"

    @property
    def plugin(self) -> Path:
        """The installed plugin, by the link under which Claude Code knows it."""
        return self.journal / "plugin"

    @property
    def copies(self) -> list[Path]:
        """The copies in the journal home."""
        return sorted(path for path in (self.journal / "app").iterdir() if path.is_dir())

    @property
    def settings(self) -> Path:
        """The person's settings file."""
        return self.home / ".claude" / "settings.json"

    def write(self, data: bytes) -> None:
        """Write the person's settings."""
        self.settings.parent.mkdir(parents=True, exist_ok=True)
        self.settings.write_bytes(data)

    def call(self, what: str, product: Path | None = None, **options: Any) -> dict[str, Any]:
        """Run setup or uninstall of a product as a process; return its result."""
        argv = [self.python, "-P", "-c", DRIVE, what, str(product or self.product)]
        out = self.run([*argv, json.dumps({**self.options, **options})])
        result: dict[str, Any] = json.loads(out)
        return result

    @property
    def options(self) -> dict[str, Any]:
        """Return the options of every call."""
        return {"env": self.environment, "project": str(self.work)}

    def setup(self, **options: Any) -> dict[str, Any]:
        """Run setup, which must succeed."""
        result = self.call("setup", **options)
        assert result["ok"], result
        return result

    def uninstall(self, **options: Any) -> dict[str, Any]:
        """Run uninstall, which must succeed."""
        result = self.call("uninstall", **options)
        assert result["ok"], result
        return result

    def run(self, argv: list[str]) -> str:
        """Run a program in the person's working directory; return its stdout."""
        done = subprocess.run(
            argv, cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    def calls(self) -> list[list[str]]:
        """List the stand-in client's calls, without queries that change nothing."""
        if not self.log.exists():
            return []
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return [c for c in map(json.loads, lines) if "--json" not in c and c[1:]]

    def tree(self) -> dict[str, tuple[int, bytes]]:
        """Every file of the home: path → (mode, content), or (0, target) of a link."""
        return {
            str(path.relative_to(self.home)): (0, os.fsencode(os.readlink(path)))
            if path.is_symlink()
            else (path.stat().st_mode & 0o777, path.read_bytes())
            for path in sorted(self.home.rglob("*"))
            if (path.is_file() or path.is_symlink()) and "__pycache__" not in path.parts
        }


WHOLE = distributions.closure


def call_stand_in(self: Client, *arguments: str) -> tuple[int, str, str]:
    """Run the stand-in client in this process: replaces Client.run, which starts it as a program."""
    return stand_in_client.answer(list(arguments), self.env, self.cwd)


class LocalMachine(Machine):
    """The same machine, with setup and uninstall called in this process and no hook run.

    The product's code does not run, so it is left out: copies of it would be most of a test's time.
    """

    left_out = staticmethod(
        lambda folder, names: [
            n
            for n in names
            if n == "__pycache__" or (n.endswith(".py") and n not in ("run.py", "statusline.py"))
        ]
    )

    def call(self, what: str, product: Path | None = None, **options: Any) -> dict[str, Any]:
        """Call setup or uninstall; return its result."""
        root = str(product or self.product)
        calls = {"setup": setup, "uninstall": uninstall}
        fed = interpreter.StartupCost(1.0, 1.0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Client, "run", call_stand_in)
            patch.setattr(source, "TOP", root)
            patch.setattr(probe, "feed", lambda _top: fed)
            patch.setattr(code_copy, "processes", lambda: self.running)
            patch.setattr(distributions, "closure", lambda *_: WHOLE(["msgspec"], {}))
            result = calls[what](SetupOptions(**{**self.options, **options}))
        found: dict[str, Any] = json.loads(json.dumps(result.as_data()))
        return found


def failures(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the steps that failed."""
    return [step for step in result["steps"] if step["status"] == "failed"]


def hooks_of(plugin: Path) -> list[tuple[str, list[str]]]:
    """(command, args) of every handler."""
    document = json.loads((plugin / "hooks" / "hooks.json").read_text(encoding="utf-8"))
    return [
        (handler["command"], handler["args"])
        for groups in document["hooks"].values()
        for group in groups
        for handler in group["hooks"]
    ]


def newer(machine: LocalMachine) -> None:
    """Change one file of the product."""
    machine.product = machine.checkout("newer")
    (machine.product / "hooks" / "more.py").touch()
