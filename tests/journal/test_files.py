"""Opening, reading and replacing single files."""

from __future__ import annotations

import errno
import os
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.errors import JournalOffError
from journal.files import is_inside, lines_back, open_readable, open_regular, read_regular

if TYPE_CHECKING:
    from pathlib import Path


def test_reading_is_bounded_and_refuses_what_is_no_file(tmp_path: Path) -> None:
    """A link, a FIFO, a directory, a large file and an impossible path each raise their own error."""
    path = tmp_path / "a"
    path.write_bytes(b"12345678")
    assert read_regular(str(path), 8) == b"12345678"
    tracemalloc.start()
    assert read_regular(str(path), 2**40) == b"12345678"
    assert tracemalloc.get_traced_memory()[1] < 2**25
    tracemalloc.stop()
    (tmp_path / "link").symlink_to("a")
    assert read_regular(str(tmp_path / "link"), 8, follow=True) == b"12345678"
    os.mkfifo(tmp_path / "fifo")
    for name, limit, code in (
        ("a", 7, errno.EFBIG),
        ("link", 8, errno.ELOOP),
        ("fifo", 8, errno.EINVAL),
        (".", 8, errno.EINVAL),
        ("no\0name", 8, errno.EINVAL),
        ("absent", 8, errno.ENOENT),
    ):
        with pytest.raises(OSError, match="Errno") as caught:
            read_regular(str(tmp_path / name), limit)
        assert caught.value.errno == code, name


def test_an_open_file_is_closed_when_it_is_refused(tmp_path: Path) -> None:
    """Refusing a FIFO or a hard link does not leak a descriptor."""
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "a").write_bytes(b"")
    os.link(tmp_path / "a", tmp_path / "b")
    before = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    with pytest.raises(OSError, match="not a regular file"):
        open_readable(str(tmp_path / "fifo"))
    with pytest.raises(JournalOffError):
        open_regular(str(tmp_path / "a"), os.O_RDONLY)
    after = os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else []
    assert len(after) == len(before)


def test_inside_follows_links(tmp_path: Path) -> None:
    """A path is inside a directory if the file it resolves to is."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_text("x")
    (tmp_path / "out").write_text("x")
    (tmp_path / "in" / "link").symlink_to("../out")
    (tmp_path / "in" / "own").symlink_to("file")
    inside = str(tmp_path / "in")
    assert [is_inside(f"{inside}/{name}", inside) for name in ("file", "own", "link", "../out")] == [
        True, True, False, False
    ]  # fmt: skip
    assert not is_inside(inside + "-not/file", inside)
    assert not is_inside("a\0b", inside)


@given(
    st.lists(st.sampled_from([b"", b"a", b"b", b"ab", b"cab", b"bb"]), max_size=8), st.booleans()
)
def test_lines_back_are_those_with_a_needle(lines: list[bytes], ended: bool) -> None:
    """Each line with one of the needles comes once, the last line first, with or without an end."""
    data = b"\n".join(lines) + b"\n" * ended
    wanted = [line for line in reversed(lines) if b"a" in line or b"bb" in line]
    assert list(lines_back(data, (b"a", b"bb"))) == wanted
