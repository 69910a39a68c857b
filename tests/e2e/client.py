"""Runs the real Claude Code client against the loopback stand-in, in an isolated home.

Invariant: nothing of the person's environment, home or network is used, and only process groups
started here are ended.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

REPO = Path(__file__).resolve().parents[2]
VERSION = "2.1.330"
KEY = "dummy-key"
PATIENCE = 120.0
"""Seconds to wait for what must come: many, for a loaded machine."""
HOW = (
    f"Claude Code client not installed: npm install --prefix tests/e2e (pins "
    f"@anthropic-ai/claude-code@{VERSION}), or set JOURNAL_TEST_CLAUDE or JOURNAL_TEST_CLIENT_DIR"
)
TOOLS = ("Bash", "Write", "Edit", "Read", "Skill", "Agent")


@cache
def find_client() -> tuple[Path | None, str]:
    """Return the path of the client's executable, or None and why the tests cannot run."""
    named = os.environ.get("JOURNAL_TEST_CLAUDE")
    if named:
        candidates = [Path(named)]
    else:
        folders = [Path(__file__).parent, REPO]
        other = os.environ.get("JOURNAL_TEST_CLIENT_DIR")
        if other:
            folders.insert(0, Path(other))
        candidates = [path for folder in folders for path in _executables(folder)]
    why = HOW
    for path in candidates:
        seen = _version(path)
        if seen == VERSION:
            return path.absolute(), ""
        why = f"Claude Code client {path} says version {seen or 'nothing'}, {VERSION} is wanted"
    return None, why


def _executables(folder: Path) -> list[Path]:
    """List the launcher, then the platform's own binary (install scripts may be off)."""
    modules = folder / "node_modules"
    native = sorted(modules.glob("@anthropic-ai/claude-code-*/claude"))
    return [path for path in (modules / ".bin" / "claude", *native) if path.exists()]


def _version(path: Path) -> str:
    try:
        done = subprocess.run(
            [path, "--version"], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.split(" ")[0].strip()


def wait_for(
    ready: Callable[[], object],
    what: str,
    seconds: float = PATIENCE,
    shown: Callable[[], str] = str,
) -> None:
    """Wait until `ready` holds, else raise AssertionError naming `what`, with what is shown then."""
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, f"{what!r} did not come{shown()}"
        time.sleep(0.05)


FAULT = re.compile(r"with status [1-9]|validation failed|\[ERROR\].*hook", re.IGNORECASE)


def faults_in(debug: Path) -> list[str]:
    """List the lines of a debug log that report a fault of a hook."""
    if not debug.exists():
        return []
    log = debug.read_text(encoding="utf-8", errors="replace")
    return [line for line in log.splitlines() if FAULT.search(line)]


def decoded(lines: Iterable[str]) -> list[dict[str, Any]]:
    """Decode the lines of stream-json."""
    return [json.loads(line) for line in lines if line.startswith("{")]


@dataclass
class Run:
    """What one `claude -p` printed: decoded stream-json lines, exit code, stderr.

    `faults`: what the client found wrong with hooks (exit codes, output against its schema).
    """

    code: int
    lines: list[dict[str, Any]]
    stderr: str
    faults: list[str]

    @property
    def result(self) -> str:
        """The final answer as printed."""
        found = [line.get("result") for line in self.lines if line.get("type") == "result"]
        return str(found[-1]) if found else ""

    @property
    def notices(self) -> list[str]:
        """What the person was shown besides the answer: the hooks' system messages."""
        return [
            str(line.get("content"))
            for line in self.lines
            if line.get("type") == "system" and line.get("subtype") == "informational"
        ]


@dataclass
class Client:
    """A person's machine: home, project directory, plugin and the stand-in's address.

    mods: whether the client loads the plugin's module; without, it is like an older client.
    """

    root: Path
    url: str
    executable: Path
    plugins: tuple[Path, ...] = (REPO,)
    python: Path = field(default_factory=lambda: Path(sys.executable).parent)
    env: dict[str, str] = field(default_factory=dict)
    mods: bool = True

    def __post_init__(self) -> None:
        if not self.mods:
            self.plugins = tuple(_without_module(each, self.root) for each in self.plugins)
        self.home.mkdir(parents=True)
        self.project.mkdir()
        for name, text in (
            ("cart.py", "def total(xs):\n    return sum(xs)\n"),
            ("notes.txt", "hi\n"),
        ):
            (self.project / name).write_text(text, encoding="utf-8")
        self.git("init", "-q", "-b", "main")
        self.git("add", ".")
        self.git("-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-qm", "start")

    @property
    def home(self) -> Path:
        """The isolated home."""
        return self.root / "home"

    @property
    def project(self) -> Path:
        """The git checkout the client works in."""
        return self.root / "shop"

    def git(self, *args: str) -> None:
        """Run git in the project, with only the configuration given here."""
        env = {**self.environment(), "GIT_CONFIG_NOSYSTEM": "1"}
        subprocess.run(["git", *args], cwd=self.project, env=env, check=True, timeout=PATIENCE)

    def environment(self, **extra: str) -> dict[str, str]:
        """Build the client's whole environment; nothing of the caller's own is inherited."""
        tmp = self.root / "tmp"
        tmp.mkdir(exist_ok=True)
        return {
            "HOME": str(self.home),
            "TMPDIR": str(tmp),
            "PATH": f"{self.python}:/usr/local/bin:/usr/bin:/bin",
            "SHELL": "/bin/sh",
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "ANTHROPIC_BASE_URL": self.url,
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "CI": "1",
            **self.env,
            **extra,
        }

    def say(
        self,
        prompt: str,
        sid: str,
        *args: str,
        fork_of: str | None = None,
        allowed: Sequence[str] = TOOLS,
        check: bool = True,
    ) -> Run:
        """Run `claude -p` once, in a new session or, where `sid` is known, the resumed one.

        AssertionError when it fails or a hook does, and `check` is set.
        """
        debug = self.debug_file()
        argv = self.command(sid, "-p", prompt, "--debug-file", str(debug), fork_of=fork_of)
        code, out, err = self.run([*argv, *args, "--allowedTools", *allowed])
        done = Run(code, decoded(out.splitlines()), err, faults_in(debug))
        if check:
            assert code == 0, f"claude -p ended with {code}: {done.result} {err}"
            assert not done.faults, "\n".join(done.faults)
        return done

    def debug_file(self) -> Path:
        """Return a new path for a debug log."""
        return self.root / f"debug-{uuid.uuid4().hex[:8]}.txt"

    def command(self, sid: str, *options: str, fork_of: str | None = None) -> list[str]:
        """Build a command line of `claude` in a new session or, where `sid` is known, in that one."""
        argv = [str(self.executable), *options, "--output-format", "stream-json", "--verbose"]
        if fork_of:
            argv += ["--resume", fork_of, "--fork-session", "--session-id", sid]
        else:
            argv += ["--resume" if self._file_of(sid) else "--session-id", sid]
        for plugin in self.plugins:
            argv += ["--plugin-dir", str(plugin)]
        return argv

    def run(
        self, argv: Sequence[str], *, timeout: float = 2 * PATIENCE, **env: str
    ) -> tuple[int, str, str]:
        """Run a program in the project as the person would: (exit code, stdout, stderr)."""
        process = subprocess.Popen(
            argv,
            cwd=self.project,
            env=self.environment(**env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            late = f"{argv[0]} ran over {timeout} s: {out[-2000:]} {err[-2000:]}"
            raise AssertionError(late) from None
        return process.returncode, out, err

    def _file_of(self, sid: str) -> Path | None:
        found = (self.home / ".claude" / "projects").glob(f"*/{sid}.jsonl")
        return next(found, None)

    def transcript(self, sid: str) -> list[dict[str, Any]]:
        """Read the decoded lines of a session's transcript."""
        path = self._file_of(sid)
        assert path is not None, f"no transcript of {sid}"
        with path.open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines if line.strip()]

    def context_texts(self, sid: str, event: str = "") -> list[str]:
        """List the texts that hooks (or one hook event) added to a session's context, in order."""
        added = [line["attachment"] for line in self.transcript(sid) if "attachment" in line]
        return [
            text
            for attachment in added
            if attachment["type"] in {"hook_additional_context", "hook_success"}
            and event in {"", attachment["hookEvent"]}
            for text in _texts(attachment["content"])
        ]


def _without_module(plugin: Path, root: Path) -> Path:
    """Build a plugin of the same files, except that hooks.json names no module."""
    hooks = json.loads((plugin / "hooks" / "hooks.json").read_text(encoding="utf-8"))
    hooks.pop("modules", None)
    made = _copied(plugin, root / "without-module")
    (made / "hooks" / "hooks.json").write_text(json.dumps(hooks), encoding="utf-8")
    return made


def patient(plugin: Path, root: Path) -> Path:
    """Build a plugin of the same files, except that its module waits for the child on any machine."""
    made = _copied(plugin, root / "patient")
    make_patient(made)
    return made


def make_patient(plugin: Path) -> None:
    """Let the module of a copied plugin wait for its child on any machine.

    On a loaded one it leaves events to the command hooks, which show messages in another way, and
    ends a child that does not answer.
    """
    for name, limit, seconds in (
        ("register.js", "const LIMIT = 50 ", f"const LIMIT = {PATIENCE * 1000:.0f} "),
        ("warm/call.py", "LATEST = 0.9 ", f"LATEST = {PATIENCE} "),
    ):
        path = plugin / "hooks" / name
        text = path.read_text(encoding="utf-8")
        assert text.count(limit) == 1
        path.write_text(text.replace(limit, seconds), encoding="utf-8")


def _copied(plugin: Path, root: Path) -> Path:
    """Build a plugin of the same files, whose hooks can be changed."""
    made = root / plugin.name
    made.mkdir(parents=True)
    for path in plugin.iterdir():
        if path.name != "hooks":
            (made / path.name).symlink_to(path)
    shutil.copytree(plugin / "hooks", made / "hooks")
    return made


def _texts(content: str | list[str]) -> list[str]:
    """Return texts added to context: plain output (a string) and additional context (a list)."""
    return [text for text in ([content] if isinstance(content, str) else content) if text]


def has_tmux() -> bool:
    """Return whether interactive sessions can be driven."""
    return shutil.which("tmux") is not None


def new_id() -> str:
    """Return a new session id."""
    return str(uuid.uuid4())
