"""Where an export goes: a folder, or a bucket behind a URL.

Invariant: a file appears complete or not at all: a folder renames it, a bucket gets one request.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from journal.errors import JournalError
from journal.files import read_regular
from journal.installation import extra_command
from journal.replace_file import write_atomic

_MANIFEST = 256 * 1024 * 1024  # bytes of the manifest, the one file that is read back


class _Folder:
    """A folder; a file is named by its path below it, with `/` between."""

    def __init__(self, path: str) -> None:
        self.path = path

    def _at(self, name: str) -> str:
        return os.path.join(self.path, *name.split("/"))

    def read(self, name: str) -> bytes:
        """Return a file's bytes; b"" if there is none."""
        try:
            return read_regular(self._at(name), _MANIFEST, follow=True)
        except FileNotFoundError:
            return b""

    def has(self, name: str) -> bool:
        """Return whether there is such a file."""
        return os.path.isfile(self._at(name))

    def write(self, name: str, data: bytes) -> None:
        """Write a file."""
        target = self._at(name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        write_atomic(target, data, mode=0o666, sync=True)

    def put(self, name: str, path: str) -> None:
        """Copy a local file."""
        with open(path, "rb") as file:
            self.write(name, file.read())

    def remove(self, name: str) -> None:
        """Remove a file; it may be gone already."""
        with suppress(FileNotFoundError):
            os.unlink(self._at(name))


class _Bucket:
    """The files below a URL, with the methods of a folder."""

    def __init__(self, url: str, env: Mapping[str, str]) -> None:
        self.url = url
        try:
            from fsspec.core import url_to_fs
        except ImportError as error:
            what = "the export to a bucket needs a package that is not installed"
            raise JournalError(url, what, f"run: {extra_command('export-s3')}") from error
        options: dict[str, Any] = {}
        if url.startswith("s3://") and env.get("AWS_ENDPOINT_URL"):
            options["endpoint_url"] = env["AWS_ENDPOINT_URL"]
        try:
            self.fs, self.path = url_to_fs(url, use_listings_cache=False, **options)
        except (ImportError, ValueError) as error:
            remedy = f"a directory, or s3://BUCKET/PREFIX; {extra_command('export-s3')}"
            raise JournalError(url, f"cannot be written: {error}", remedy) from error

    def _at(self, name: str) -> str:
        return f"{self.path.rstrip('/')}/{name}"

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn an error of the store into a JournalError with a remedy."""
        try:
            yield
        except Exception as error:
            what = f"cannot be reached or written: {error}"
            remedy = "check the URL, AWS_PROFILE and AWS_ENDPOINT_URL"
            raise JournalError(self.url, what, remedy) from error

    def read(self, name: str) -> bytes:
        with self._faults(), suppress(FileNotFoundError):
            return bytes(self.fs.cat_file(self._at(name)))
        return b""

    def has(self, name: str) -> bool:
        with self._faults():
            return bool(self.fs.exists(self._at(name)))

    def write(self, name: str, data: bytes) -> None:
        with self._faults():
            self.fs.pipe_file(self._at(name), data)

    def put(self, name: str, path: str) -> None:
        with self._faults():
            self.fs.put_file(path, self._at(name))

    def remove(self, name: str) -> None:
        with self._faults(), suppress(FileNotFoundError):
            self.fs.rm_file(self._at(name))


Target = _Folder | _Bucket


def target_of(where: str, cwd: str, env: Mapping[str, str]) -> Target:
    """Return the target a person named: a directory, or a URL such as s3://bucket/prefix."""
    scheme, colon, _ = where.partition("://")
    if colon and scheme != "file":
        return _Bucket(where, env)
    path = where.removeprefix("file://") if colon else os.path.expanduser(where)
    return _Folder(os.path.join(cwd, path))
