"""How this copy of the code was installed, and the commands that extend and remove it.

Invariant: the command works for this copy, because it names this copy's environment.
"""

import json
import os
import shlex
import shutil
import sys
from collections.abc import Mapping

_NAME = "context-journal"


def way() -> str:
    """Return how this copy was installed: "uv", "pipx", "pip", "checkout" or "copy".

    "copy": a copy that `journal setup` or Claude Code made of one of the others.
    """
    if os.path.exists(os.path.join(sys.prefix, "uv-receipt.toml")):
        return "uv"
    if os.path.exists(os.path.join(sys.prefix, "pipx_metadata.json")):
        return "pipx"
    top = _top()
    if os.path.basename(top) == "context_journal":
        return "pip"
    return "checkout" if os.path.exists(os.path.join(top, "bin", "journal-dev")) else "copy"


def setup_command(env: Mapping[str, str]) -> str:
    """Return `journal setup` as a shell finds it: with a path if `journal` is not on PATH."""
    if shutil.which("journal", path=env.get("PATH", os.defpath)):
        return "journal setup"
    top = _top() if way() in ("checkout", "copy") else sys.prefix
    return f"{shlex.quote(os.path.join(top, 'bin', 'journal'))} setup"


def extra_command(extra: str) -> str:
    """Return the command that adds the optional part `extra` (a name in pyproject.toml)."""
    import tomllib

    with open(os.path.join(_top(), "pyproject.toml"), "rb") as file:
        requirements = tomllib.load(file)["project"]["optional-dependencies"][extra]
    if way() == "pipx":
        return shlex.join(["pipx", "inject", _NAME, *requirements])
    source = _source() if way() == "uv" else ""
    if source:
        return shlex.join(["uv", "tool", "install", "--force", f"{_NAME}[{extra}] @ {source}"])
    return shlex.join([*_pip("install"), *requirements])


def removal_command() -> str:
    """Return the command that removes the package, "" where none was installed."""
    commands = {
        "uv": ["uv", "tool", "uninstall", _NAME],
        "pipx": ["pipx", "uninstall", _NAME],
        "pip": [*_pip("uninstall"), _NAME],
    }
    return shlex.join(commands.get(way(), []))


def _top() -> str:
    return os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def _pip(action: str) -> list[str]:
    """Return the command that changes packages of the environment this process runs in."""
    from importlib.util import find_spec

    if find_spec("pip"):
        return [sys.executable, "-m", "pip", action]
    if shutil.which("uv"):
        return ["uv", "pip", action, "--python", sys.executable]
    return ["python3", "-m", "pip", "--python", sys.executable, action]


def _source() -> str:
    """Return the URL that this distribution was installed from, "" for a package index."""
    from importlib import metadata

    try:
        text = metadata.distribution(_NAME).read_text("direct_url.json")
    except metadata.PackageNotFoundError:
        return ""
    found = json.loads(text or "{}")
    url = str(found.get("url", ""))
    commit = "vcs_info" in found and f"{found['vcs_info']['vcs']}+"
    return f"{commit or ''}{url}"
