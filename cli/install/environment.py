"""Find a Python that has the packages of a checkout, or make a virtual environment for it.

Run by `bin/journal` with any Python ≥ 3.11, before anything of ours is installed: standard library
only, and by its path. Invariant: an environment counts as ready only once its stamp is written,
which is the last thing done under its lock; an interrupted one is made again.
"""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib import metadata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMES = ("python3", "python3.14", "python3.13", "python3.12", "python3.11", "python")
_LOCK = ".journal-lock"
_MAKING = ".journal-making"
_INSTALLING = ".journal-installing"
_IS_NEW = "import sys; sys.exit(sys.version_info < (3, 11))"
# A folder `pip` or `venv` in the working directory must not take the place of the module.
_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
    "PYTHONSAFEPATH": "1",
}


class EnvironmentMissingError(Exception):
    """No Python has the packages, and no environment could be made. `remedy` says what to do."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what)
        self.remedy = remedy


def requirements(root: str, kind: str) -> list[str]:
    """Read the requirements of the checkout `root`; kind: "run", or "dev" with the extra `dev`."""
    with open(os.path.join(root, "pyproject.toml"), "rb") as file:
        project = tomllib.load(file)["project"]
    wanted = list(project["dependencies"])
    if kind == "dev":
        wanted += project["optional-dependencies"]["dev"]
    return wanted


def lacking(wanted: Sequence[str]) -> list[str]:
    """Return the requirements (NAME with >= and < bounds) that this Python does not satisfy."""
    return [requirement for requirement in wanted if not _satisfied(requirement)]


def _satisfied(requirement: str) -> bool:
    name = re.match(r"[\w.-]+", requirement)
    assert name, requirement
    try:
        have = _numbers(metadata.version(name[0]))
    except metadata.PackageNotFoundError:
        return False
    for operator, bound in re.findall(r"(>=|<)\s*([\d.]+)", requirement[name.end() :]):
        if (have >= _numbers(bound)) != (operator == ">="):
            return False
    return True


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"\d+(?:\.\d+)*", version)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def main(argv: Sequence[str]) -> int:
    """Run `check ROOT KIND` (0: this Python has all) or `find ROOT VENV KIND SUM` (prints one)."""
    if argv[0] == "check":
        return 1 if lacking(requirements(argv[1], argv[2])) else 0
    _, root, venv, kind, checksum = argv
    try:
        print(_find(root, venv, kind, checksum))
    except EnvironmentMissingError as error:
        _report(f"error: {error}\n  {error.remedy}")
        return 3
    except OSError as error:
        _report(
            f"error: {error.filename or venv}: {error.strerror}\n  make it writable, or remove it"
        )
        return 3
    return 0


def _find(root: str, venv: str, kind: str, checksum: str) -> str:
    own = os.path.join(venv, "bin", "python")
    if not _interrupted(venv) and _has(own, root, kind):
        _stamp(venv, kind, checksum)
        return own
    for python in _pythons():
        if _has(python, root, kind):
            return python
    return _locked(root, venv, kind, checksum)


def _locked(root: str, venv: str, kind: str, checksum: str) -> str:
    """Make or complete `venv` under its lock."""
    own = os.path.join(venv, "bin", "python")
    os.makedirs(os.path.dirname(venv), mode=0o700, exist_ok=True)  # it may be the journal home
    os.makedirs(venv, mode=0o755, exist_ok=True)
    with open(os.path.join(venv, _LOCK), "w", encoding="ascii") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            _report(f"waiting for another process that sets up {venv}")
            fcntl.flock(lock, fcntl.LOCK_EX)
        if not _interrupted(venv) and _has(own, root, kind):
            return own  # the other process has made it
        wanted = requirements(root, kind)
        names = ", ".join(re.split(r"[<>=]", requirement)[0] for requirement in wanted)
        _report(f"setting up {venv} once: {names}")
        locked = os.path.join(root, "requirements.lock")
        given = ["--require-hashes", "-r", locked] if kind == "run" else wanted
        _install(_prepare(venv), venv, given)
        if not _has(own, root, kind):
            raise EnvironmentMissingError(
                f"{venv}: the packages are not there after the installation",
                f"remove it and run this again: rm -r {shlex.quote(venv)}",
            )
        _stamp(venv, kind, checksum)
    return own


def _prepare(venv: str) -> list[str]:
    """Make `venv` a working environment and return the command that installs into it."""
    own = os.path.join(venv, "bin", "python")
    making = os.path.join(venv, _MAKING)
    whole = not os.path.exists(making)
    if not (whole and _runs([own, "-c", "pass"])):  # else it works: add the packages to it
        others = [name for name in os.listdir(venv) if not name.startswith(".journal-")]
        if whole and others and "pyvenv.cfg" not in others:
            raise EnvironmentMissingError(
                f"{venv} is not a virtual environment",
                f"move it away: {shlex.join(['mv', venv, f'{venv}.old'])}",
            )
        _clear(venv)
        with open(making, "w", encoding="ascii"):
            pass
        # Without pip, which is a package of its own on many systems: `_installer` finds one.
        any(_runs([python, "-m", "venv", "--without-pip", venv]) for python in _pythons())
    installer = _installer(own)
    if not installer:
        raise EnvironmentMissingError(
            f"{sys.executable} cannot fill a virtual environment (no ensurepip, no pip, no uv)",
            "install what is missing, for example: apt-get install python3-venv",
        )
    return installer


def _installer(own: str) -> list[str]:
    """Return the command that installs into the environment of `own`; [] if there is none."""
    inside = [own, "-m", "pip"]
    if _runs([*inside, "--version"]) or _runs([own, "-m", "ensurepip"]):
        return [*inside, "install"]
    for python in _pythons():
        outside = [python, "-m", "pip", "--python", own]
        if _runs([*outside, "--version"]):
            return [*outside, "install"]
    uv = shutil.which("uv")
    return [uv, "pip", "install", "--python", own] if uv else []


def _install(installer: list[str], venv: str, given: list[str]) -> None:
    """Install requirements: given versions with checksums, or the newest in given ranges."""
    installing = os.path.join(venv, _INSTALLING)
    again = os.path.exists(installing)  # an interrupted run may have installed parts of a package
    with open(installing, "w", encoding="ascii"):
        pass
    done = _run([*installer, "--quiet", *(["--force-reinstall"] if again else []), *given])
    if done.returncode:
        last = "\n  ".join(done.stderr.strip().splitlines()[-4:])
        raise EnvironmentMissingError(
            f"cannot install into {venv}:\n  {last}",
            "connect to the network or configure pip's package index, then run this again; "
            f"or install by hand: {shlex.join([*installer, *given])}",
        )


def _interrupted(venv: str) -> bool:
    return any(os.path.exists(os.path.join(venv, name)) for name in (_MAKING, _INSTALLING))


def _stamp(venv: str, kind: str, checksum: str) -> None:
    """Write the stamp of a ready environment: the checksum of its pyproject.toml.

    An environment that is not writable is used without it.
    """
    try:
        for ready in ("run", "dev") if kind == "dev" else ("run",):
            with open(os.path.join(venv, f".journal-{ready}"), "w", encoding="ascii") as file:
                file.write(checksum + "\n")
        for name in (_MAKING, _INSTALLING):
            if os.path.exists(os.path.join(venv, name)):
                os.unlink(os.path.join(venv, name))
    except OSError:
        if _interrupted(venv):
            raise


def _clear(venv: str) -> None:
    """Delete all of the environment except the lock we hold."""
    for name in os.listdir(venv):
        path = os.path.join(venv, name)
        if name == _LOCK:
            continue
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        else:
            os.unlink(path)


def _pythons() -> list[str]:
    """Return this Python, then each other one on PATH of version 3.11 or later."""
    found = dict.fromkeys([sys.executable, *filter(None, map(shutil.which, _NAMES))])
    return [path for path in found if path == sys.executable or _runs([path, "-c", _IS_NEW])]


def _has(python: str, root: str, kind: str) -> bool:
    return _runs([python, "-E", "-P", os.path.abspath(__file__), "check", root, kind])


def _runs(command: list[str]) -> bool:
    try:
        return _run(command).returncode == 0
    except OSError:
        return False


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        command,
        env=_ENVIRONMENT,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        stdin=subprocess.DEVNULL,
    )


def _report(text: str) -> None:
    print(f"journal: {text}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
