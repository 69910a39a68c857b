"""`bin/journal` with a bare Python, with no Python, and with one that has the packages.

The checkouts' packages are two empty wheels built here, so nothing is downloaded.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from unittest.mock import Mock

import pytest

from cli.install import environment
from tests.support.code import copy_code

PROJECT = """
[project]
dependencies = ["tiny-one>=1.2,<2", "tiny-two>=1"]
optional-dependencies.dev = ["tiny-tool"]
"""
BASE = str(Path(sys.base_prefix) / "bin")
READY = "import sys; print('ran by', sys.executable, *sys.argv)"


class Bare:
    """A checkout, a home and an index of two packages, on a machine with only the base Python."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / "home"
        self.home.mkdir()
        self.index = root / "index"
        self.index.mkdir()
        self.locked: list[str] = []
        for name in ("tiny_tool", "tiny_one", "tiny_two"):
            self.wheel(name, "1.5")
        self.env = {"PATH": f"{BASE}:/usr/bin:/bin"}
        self.top = self.checkout(root / "check out")

    def checkout(self, top: Path) -> Path:
        """Copy the parts that start the command line to a directory."""
        copy_code(top, "bin", "cli/install")
        (top / "cli" / "__init__.py").touch()
        (top / "cli" / "__main__.py").write_text(
            f"def main():\n    import tiny_one\n    {READY}\n    return 0\n", encoding="utf-8"
        )
        (top / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
        (top / "requirements.lock").write_text("".join(self.locked), encoding="utf-8")
        return top

    def wheel(self, name: str, version: str) -> None:
        """Add a package to the index."""
        info = f"{name}-{version}.dist-info"
        path = self.index / f"{name}-{version}-py3-none-any.whl"
        with zipfile.ZipFile(path, "w") as file:
            file.writestr(f"{name}.py", "")
            file.writestr(
                f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
            )
            file.writestr(
                f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
            )
            file.writestr(
                f"{info}/RECORD",
                f"{name}.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n",
            )
        checksum = hashlib.sha256(path.read_bytes()).hexdigest()
        if name != "tiny_tool":
            self.locked.append(f"{name.replace('_', '-')}=={version} --hash=sha256:{checksum}\n")

    @property
    def environment(self) -> dict[str, str]:
        """The whole environment: pip knows only the index here."""
        pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(self.index), "PIP_NO_INPUT": "1"}
        return {"HOME": str(self.home), **pip, **self.env}

    def start(self, *arguments: str, program: Path | None = None) -> subprocess.Popen[str]:
        """Start `bin/journal` from an unrelated directory."""
        argv = [str(program or self.top / "bin" / "journal"), *arguments]
        return subprocess.Popen(
            argv, cwd=self.home, env=self.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip

    def run(self, *arguments: str, program: Path | None = None) -> tuple[int, str, str]:
        """Run it until it ends."""
        process = self.start(*arguments, program=program)
        out, err = process.communicate(timeout=120)
        return process.returncode, out, err


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    """A machine with a bare Python."""
    return Bare(tmp_path)


@pytest.fixture
def made(bare: Bare) -> Bare:
    """A machine whose environment exists already, made without installing anything."""
    venv = bare.top / ".venv"
    subprocess.run([BASE + "/python3", "-m", "venv", "--without-pip", venv], check=True)
    site = next((venv / "lib").glob("python3*/site-packages"))
    for path in bare.index.iterdir():
        zipfile.ZipFile(path).extractall(site)
    return bare


def refuse(machine: Bare) -> None:
    """Put another directory in the environment's place, so none can be made."""
    venv = machine.top / ".venv"
    if venv.exists():
        shutil.rmtree(venv)
    venv.mkdir()
    (venv / "precious").touch()


def python_of(out: str) -> str:
    """Return the path of the Python that ran, as it reports it."""
    return out.removeprefix("ran by ").split(" journal", 1)[0]


@pytest.mark.long
def test_another_file_under_the_name_is_refused(bare: Bare) -> None:
    """A package whose bytes are not those of requirements.lock is not installed."""
    bare.wheel("tiny_one", "1.5")
    lock = bare.top / "requirements.lock"
    lock.write_text(lock.read_text(encoding="utf-8").replace("sha256:", "sha256:0000", 1)[:-4])
    text = lock.read_text(encoding="utf-8").splitlines()
    lock.write_text("\n".join(line[: line.index("sha256:") + 7 + 64] for line in text) + "\n")
    code, out, err = bare.run()
    assert (code, out) == (3, "")
    assert "hash" in err.lower()


@pytest.mark.long
def test_from_nothing(bare: Bare) -> None:
    """The first run makes the environment and says so in one line; the next prints nothing.

    One that was killed at it is made anew; of two at once, one makes it while the other waits.
    """
    killed = bare.start()
    making = bare.top / ".venv" / ".journal-making"
    while not making.exists():
        assert killed.poll() is None
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    runs = [bare.start("demo", "a b"), bare.start("demo", "a b")]
    ends = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], ends
    assert {out for out, _ in ends} == {f"ran by {bare.top}/.venv/bin/python journal demo a b\n"}
    said = [line for _, err in ends for line in err.splitlines()]
    assert [line for line in said if "waiting" not in line] == [
        f"journal: setting up {bare.top}/.venv once: tiny-one, tiny-two"
    ]
    assert not making.exists()
    assert bare.run("demo")[2] == ""


def test_a_person_s_environment_is_used(made: Bare) -> None:
    """An existing environment with the packages is used silently, whoever made it."""
    assert made.run() == (0, f"ran by {made.top}/.venv/bin/python journal\n", "")
    assert (made.top / ".venv" / ".journal-run").exists()


@pytest.mark.long
def test_a_python_that_has_the_packages_is_used(made: Bare) -> None:
    """Without an environment in the checkout, a Python on PATH that has the packages is used."""
    other = made.top.rename(made.root / "other")
    made.top = made.checkout(made.root / "again")
    made.env["PATH"] = f"{other}/.venv/bin:{made.env['PATH']}"
    code, out, err = made.run()
    assert (code, err) == (0, "")
    assert python_of(out).startswith(f"{other}/.venv/bin/python")
    assert not (made.top / ".venv").exists()


@pytest.mark.long
def test_a_package_too_old_does_not_do(made: Bare) -> None:
    """A Python with a package version outside the bounds is skipped."""
    other = made.top.rename(made.root / "other")
    info = next(other.rglob("tiny_one-1.5.dist-info"))
    metadata = info / "METADATA"
    metadata.write_text(metadata.read_text().replace("1.5", "2.0"))
    made.top = made.checkout(made.root / "again")
    made.env["PATH"] = f"{other}/.venv/bin:{made.env['PATH']}"
    refuse(made)
    assert made.run()[0] == 3


@pytest.mark.parametrize("steps", [pytest.param(1, marks=pytest.mark.long), 2])
def test_through_links(made: Bare, steps: int) -> None:
    """The command finds its checkout through any chain of links, also relative ones."""
    link = made.root / "link"
    link.symlink_to("check out/bin/journal")
    if steps == 2:
        (made.home / "bin").mkdir()
        link = made.home / "bin" / "journal"
        link.symlink_to("../../link")
    code, out, _ = made.run("x", program=link)
    assert (code, out) == (0, f"ran by {made.top}/.venv/bin/python journal x\n")


def test_folders_of_the_project_do_not_stand_in(made: Bare) -> None:
    """A `cli` package in the working directory is not imported."""
    (made.home / "cli").mkdir()
    (made.home / "cli" / "__init__.py").write_text("raise SystemExit('theirs')\n")
    (made.home / "json.py").write_text("raise SystemExit('theirs')\n")
    assert made.run()[0] == 0


def test_no_python(bare: Bare) -> None:
    """Without a Python ≥ 3.11 it says what it found and what to do."""
    programs = bare.root / "programs"
    programs.mkdir()
    for name in ("sh", "dirname", "readlink", "cksum", "head"):
        (programs / name).symlink_to(str(shutil.which(name)))
    bare.env["PATH"] = str(programs)
    code, out, err = bare.run()
    assert (code, out) == (3, "")
    assert "no Python 3.11" in err.splitlines()[0]
    (programs / "python3").write_text("#!/bin/sh\necho Python 3.9.2\nexit 1\n")
    (programs / "python3").chmod(0o755)
    assert "python3 is Python 3.9.2" in bare.run()[2]


@pytest.mark.long
def test_no_network(made: Bare) -> None:
    """If the packages cannot be downloaded, pip's last lines and a remedy are shown."""
    for path in (*made.index.iterdir(), *made.top.rglob("tiny_*")):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    code, out, err = made.run()
    assert (code, out) == (3, "")
    assert "tiny-one" in err
    assert "--require-hashes -r" in err.splitlines()[-1]
    assert "Traceback" not in err


@pytest.mark.long
def test_what_is_no_environment_is_refused(bare: Bare) -> None:
    """A `.venv` that is not an environment is not emptied."""
    (bare.top / ".venv").mkdir()
    precious = bare.top / ".venv" / "precious"
    precious.touch()
    code, _, err = bare.run()
    assert (code, precious.exists()) == (3, True)
    assert "mv " in err


@pytest.mark.long
def test_a_copy_of_the_client(made: Bare) -> None:
    """A copy the client installed keeps its environment in the journal home, for later copies."""
    shared = made.home / ".claude" / "journal" / "venv"
    shared.parent.mkdir(parents=True)
    (made.top / ".venv").rename(shared)
    for version in ("1", "2"):
        top = made.checkout(made.home / ".claude" / "plugins" / "cache" / version)
        code, out, err = made.run(program=top / "bin" / "journal")
        assert (code, python_of(out), err) == (0, f"{shared}/bin/python", "")
        assert not (top / ".venv").exists()


def test_the_journal_home_that_it_creates_is_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other users cannot read the folder around a new environment."""
    stopped = environment.EnvironmentMissingError("no network", "")
    monkeypatch.setattr(environment, "_prepare", Mock(side_effect=stopped))
    home = tmp_path / ".claude" / "journal"
    with pytest.raises(environment.EnvironmentMissingError):
        environment._locked(str(Path(__file__).parents[3]), str(home / "venv"), "run", "")
    assert home.stat().st_mode & 0o777 == 0o700


@pytest.mark.long
def test_development_tools_are_asked_for(made: Bare) -> None:
    """Development commands need their own packages; an unknown command is refused by name."""
    program = made.top / "bin" / "journal-dev"
    code, out, err = made.run("setup", program=program)
    assert (code, out, err) == (0, f"{made.top}/.venv/bin/python\n", "")
    other = made.top.rename(made.root / "other")
    made.top = made.checkout(made.root / "again")
    program = made.top / "bin" / "journal-dev"
    made.env["PATH"] = f"{other}/.venv/bin:{made.env['PATH']}"
    shutil.rmtree(next(other.rglob("tiny_tool-1.5.dist-info")))
    assert made.run("x")[0] == 0
    refuse(made)
    assert made.run("setup", program=program)[0] == 3
    assert made.run("setpu", program=program)[0] == 2


@pytest.mark.long
def test_after_an_upgrade_of_python(made: Bare) -> None:
    """If an upgrade removed the packages, the run that notices installs them again."""
    assert made.run()[0] == 0
    for path in made.top.rglob("tiny_*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    mine = made.top / ".venv" / "mine"
    mine.touch()
    code, out, err = made.run("x")
    assert (code, out) == (0, f"ran by {made.top}/.venv/bin/python journal x\n"), err
    assert "setting up" in err
    assert mine.exists(), "an environment that works is added to, never emptied"
