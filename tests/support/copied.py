"""Files that are built once, however many tests change them; each test gets them as they were built."""

from __future__ import annotations

import os
import secrets
import shutil
import tempfile
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

T = TypeVar("T")


def short_folder() -> Path:
    """Make a temporary folder whose path has 16 characters, so lines break the same everywhere."""
    base = tempfile.gettempdir()
    if len(base) > len("/dev/shm"):
        base = "/tmp"
    while True:
        top = f"{base}/jg-{secrets.token_hex(8)}"[:16]
        with suppress(FileExistsError):
            os.mkdir(top, 0o700)
            return Path(os.path.realpath(top))


class Copied(Generic[T]):
    """What `build` makes in a temporary folder, restored at the same path before each case.

    The path stays the same because the names of projects are made of it, and records hold it.
    """

    def __init__(self, build: Callable[[Path], T]) -> None:
        self._top = short_folder()
        self._whole = self._top.with_suffix(".whole")
        self._built = build(self._top)
        shutil.copytree(self._top, self._whole, symlinks=True)

    def restore(self) -> T:
        """Put the files back; return a copy of what was built, with attributes of its own."""
        shutil.rmtree(self._top)
        shutil.copytree(self._whole, self._top, symlinks=True)
        return deepcopy(self._built)

    def remove(self) -> None:
        """Remove the files and their copy."""
        shutil.rmtree(self._top)
        shutil.rmtree(self._whole)


def copied(build: Callable[[Path], T]) -> Iterator[Copied[T]]:
    """Yield what a fixture of a module or a worker builds, and remove it."""
    made = Copied(build)
    yield made
    made.remove()
