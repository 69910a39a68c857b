"""Files that others may have written are opened by journal.files only: regular and bounded."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
# Modules that open a file themselves, grouped by why they may.
ALLOWED = {
    # our own code and data, installed beside the module
    "journal/installation.py", "hooks/permit.py", "cli/install/source.py", "cli/demo/__init__.py",
    "journal/history/usage/prices.py", "journal/bytecode.py",
    # /proc and the like: written by the kernel
    "journal/process.py", "cli/serve/guard.py",
    # the interpreter that runs the hooks, and its environment
    "hooks/packages.py", "cli/install/interpreter.py", "cli/install/environment.py",
    # a segment or temporary file that this process has open or has just written
    "journal/log/segment.py", "journal/log/repair.py", "journal/log/seal.py", "journal/history/export/target.py",
    # a temporary directory of this process
    "cli/doctor/selftest.py",
    # a file named by the user in this command, which may be a pipe
    "cli/scope.py", "cli/forget.py",
    # files of the journal home, checked before they are rewritten as a whole
    "journal/history/forget/stored.py",
    # only after a check that it is a regular file
    "cli/render/html.py",
    # mountinfo
    "cli/doctor/home.py",
    # the null device
    "cli/app.py",
}  # fmt: skip


def _calls(part: str) -> Iterator[tuple[str, ast.Call]]:
    """Yield file and node of each call in the product's files that have this text."""
    for folder in ("journal", "hooks", "cli", "projections"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if part in text:  # parsing takes most of the time
                for node in ast.walk(ast.parse(text)):
                    if isinstance(node, ast.Call):
                        yield str(path.relative_to(ROOT)), node


def _readers() -> set[str]:
    """Return the files that call the builtin `open` to read."""
    found = set()
    for name, node in _calls("open("):
        if getattr(node.func, "id", "") == "open":
            mode = node.args[1] if len(node.args) > 1 else None
            written = isinstance(mode, ast.Constant) and mode.value[0] in "wax"
            if not written:
                found.add(name)
    return found


def test_only_named_files_open_for_themselves() -> None:
    """Only the modules listed above open files without journal.files, and each of them does."""
    assert _readers() == ALLOWED


def test_one_module_opens_descriptors_to_read() -> None:
    """No other module opens a file to read with `os.open`, which follows links and opens devices."""
    found = set()
    for name, node in _calls("O_RDONLY"):
        text = ast.unparse(node)
        if "os.open(" in text and "O_RDONLY" in text and "O_DIRECTORY" not in text:
            found.add(name)
    assert found == {"journal/files.py"}


def test_a_writer_never_waits(tmp_path: Path) -> None:
    """A pipe in the place of a hook's error log or counter costs the line, and no time."""
    import os

    from hooks.errors import note
    from journal.home import HOOK_ERRORS
    from journal.log.counter import MISSED, add_to, count_in

    os.mkfifo(tmp_path / HOOK_ERRORS)
    os.mkfifo(tmp_path / MISSED)
    note({"JOURNAL_HOME": str(tmp_path)}, "Stop", ValueError("x"))
    add_to(str(tmp_path), MISSED)
    assert count_in(str(tmp_path), MISSED) == -1


@pytest.mark.parametrize("kind", ["fifo", "device", "long"])
def test_a_reader_never_waits_and_never_reads_without_end(tmp_path: Path, kind: str) -> None:
    """A pipe or device in a file's place is refused immediately, and so is a file that is too long."""
    import os

    from cli.install.record import Record, load
    from hooks.status_line.cost import FILE, _read
    from journal.files import read_tail

    for name in (FILE, "install.json"):
        path = tmp_path / name
        if kind == "fifo":
            os.mkfifo(path)
        elif kind == "device":
            path.symlink_to("/dev/zero")
        else:
            path.write_bytes(b"")
            os.truncate(path, 20 * 1024 * 1024)
    assert _read(str(tmp_path / FILE))["sessions"] == {}
    assert load(str(tmp_path)) == Record()
    if kind == "long":
        assert len(read_tail(str(tmp_path / FILE), 10)) == 10
    else:
        with pytest.raises(OSError, match=r"not a regular file|symbolic link|Too many levels"):
            read_tail(str(tmp_path / FILE), 10)
