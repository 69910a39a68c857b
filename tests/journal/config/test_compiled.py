"""The compiled cache gives hooks what loading gives, whatever happens to the files."""

from __future__ import annotations

import json
import os
import stat

import pytest

import journal.config as compiled
from tests.journal.config.folders import NOTHING, folders
from tests.support.examples import third

__all__ = ["folders"]


@pytest.fixture
def compilations(monkeypatch):
    """Return a list that gets one item for each time the files are compiled."""
    calls = []
    original = compiled._load

    def counted(*arguments):
        calls.append(arguments)
        return original(*arguments)

    monkeypatch.setattr(compiled, "_load", counted)
    return calls


# For each file: the key it sets, a first text with its value, a second text with its value.
SAYS = {
    "home": ("pressure.info", "pressure.info = 0.5", 0.5, "pressure.info = 0.6", 0.6),
    "project": ("compound.suggest", "[a]", True, "compound.suggest = false", False),
    "user": ("client.autoCompactWindow", '{"autoCompactWindow": 100000}', 100000,
             '{"autoCompactWindow": 200000}', 200000),
    "shared": ("client.autoCompactEnabled", '{"autoCompactEnabled": true}', True,
               '{"autoCompactEnabled":false}', False),
    "local": ("client.env.DISABLE_COMPACT", '{"env": {"DISABLE_COMPACT": "1"}}', "1",
              '{"env": {"DISABLE_COMPACT": "0"}}', "0"),
}  # fmt: skip


def test_without_files_the_defaults(folders, compilations):
    """Without files the defaults are stored, so that a hook need not load the table."""
    for _ in range(2):
        assert folders.settings() == NOTHING
    assert len(compilations) == 1
    assert os.listdir(folders.home) == ["settings.cache"]


def test_the_result_is_the_callers_own(folders):
    """Changing the result changes nothing for the next caller."""
    folders.settings()["pressure.info"] = 3
    assert folders.settings() == NOTHING


@pytest.mark.parametrize("which", SAYS)
def test_second_call_compiles_nothing(folders, compilations, which):
    """An unchanged file is compiled once, whichever it is."""
    key, text, value, _, _ = SAYS[which]
    folders.write(which, text)
    first, second = folders.settings(), folders.settings()
    assert first[key] == second[key] == value
    assert first == second
    assert len(compilations) == 1


@pytest.mark.parametrize("which", SAYS)
def test_appearance_and_disappearance_are_seen(folders, which):
    """A new file takes effect, and a deleted one loses it, whether or not there are others."""
    key, text, value, _, _ = SAYS[which]
    other = "home" if which != "home" else "user"
    for text_of_other in (None, SAYS[other][1]):
        if text_of_other:
            folders.write(other, text_of_other)
        before = folders.settings()
        folders.write(which, text)
        assert folders.settings().get(key) == value
        os.unlink(folders.files[which])
        assert folders.settings() == before


def same_size(folders, which, text, _old):
    """Rewrite a file with the same size: only its mtime changes."""
    folders.write(which, text)


def same_mtime(folders, which, text, old):
    """Rewrite a file with another size and the old mtime."""
    folders.write(which, text + " ")
    os.utime(folders.files[which], ns=(old.st_mtime_ns, old.st_mtime_ns))


def replaced(folders, which, text, old):
    """Replace a file by one of the same size and mtime: only its inode changes."""
    new = folders.files[which] + ".new"
    with open(new, "w", encoding="utf-8") as file:
        file.write(text.ljust(old.st_size))
    os.utime(new, ns=(old.st_mtime_ns, old.st_mtime_ns))
    os.replace(new, folders.files[which])


@pytest.mark.parametrize("change", [same_size, same_mtime, replaced])
@pytest.mark.parametrize("which", SAYS)
def test_changes_are_seen(folders, which, change):
    """A change of mtime, size or inode of any file is noticed."""
    key, text, value, then, expected = SAYS[which]
    length = max(len(text), len(then))
    folders.write(which, text.ljust(length))
    assert folders.settings().get(key) == value
    assert folders.settings().get(key) == value
    change(folders, which, then.ljust(length), os.stat(folders.files[which]))
    assert folders.settings()[key] == expected


def test_fresh_changes_are_not_cached(folders, compilations):
    """Two edits within one tick of the file system's clock are both seen."""
    for value in (0.5, 0.6):
        folders.write("home", f"pressure.info = {value}")
        os.utime(folders.files["home"])
        now = os.stat(folders.files["home"]).st_mtime_ns
        assert folders.settings()["pressure.info"] == value
        os.utime(folders.files["home"], ns=(now, now))
    assert not os.path.exists(folders.cache)
    assert len(compilations) == 2


def test_a_future_mtime_is_cached(folders, compilations):
    """A file dated in the future does not switch the cache off."""
    folders.write("home", "pressure.info = 0.5")
    os.utime(folders.files["home"], (2**33, 2**33))
    folders.settings()
    folders.settings()
    assert len(compilations) == 1


def test_another_projects_cache_is_not_taken(folders, compilations):
    """A cache is used only for the paths it was made from, even if the files are alike."""
    folders.write("home", "pressure.info = 0.5")
    folders.settings()
    compiled.settings(folders.cache, folders.home, folders.project + "2", folders.client)
    assert len(compilations) == 2
    compiled.settings(folders.cache, folders.home, None, folders.client)
    assert len(compilations) == 3


def test_a_changed_schema_is_not_served_from_the_cache(
    folders, compilations, monkeypatch, tmp_path
):
    """A version with another table compiles again, though no file has changed."""
    folders.write("home", "pressure.info = 0.5")
    folders.settings()
    table = tmp_path / "schema.py"
    monkeypatch.setattr(compiled, "_TABLE", str(table))
    for text in ("one", "other"):
        table.write_text(text)
        os.utime(table, (10**9, 10**9))
        folders.settings()
        folders.settings()
    assert len(compilations) == 3


def test_every_flipped_bit_is_noticed(folders):
    """A cache with any bit flipped is compiled again; a default run flips every third."""
    folders.write("home", "pressure.info = 0.5")
    expected = folders.settings()
    with open(folders.cache, "rb") as file:
        whole = file.read()
    identity = json.loads(whole.partition(b"\n")[2])[0]
    assert compiled._cached(folders.cache, identity) is not None
    for at in third(range(len(whole) * 8)):
        broken = bytearray(whole)
        broken[at // 8] ^= 1 << at % 8
        with open(folders.cache, "wb") as file:
            file.write(broken)
        assert compiled._cached(folders.cache, identity) is None
        if at % 97 == 0:
            assert folders.settings() == expected


@pytest.mark.parametrize("content", [b"", b"\n", b"00000000\n", b"{}", b"\xff" * 99, b"[" * 99])
def test_other_content_is_compiled_anew(folders, content):
    """A file in the cache's place that is no cache is replaced."""
    folders.write("home", "pressure.info = 0.5")
    expected = folders.settings()
    with open(folders.cache, "wb") as file:
        file.write(content)
    assert folders.settings() == expected
    with open(folders.cache, "rb") as file:
        assert file.read() != content


@pytest.mark.parametrize("body", [b"1", b"{}", b"[]", b"[1]", b"[null,null]"])
def test_a_whole_cache_of_another_shape_is_compiled_anew(folders, body):
    """A valid checksum over content of another form is not trusted."""
    from zlib import crc32

    folders.write("home", "pressure.info = 0.5")
    expected = folders.settings()
    with open(folders.cache, "wb") as file:
        file.write(b"%08x\n%s" % (crc32(body), body))
    assert folders.settings() == expected


def test_the_cache_is_private_and_alone(folders):
    """The cache has mode 0600, and no temporary file is left beside it."""
    folders.write("home", "pressure.info = 0.5")
    old = os.umask(0)
    try:
        folders.settings()
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(folders.cache).st_mode) == 0o600
    assert sorted(os.listdir(folders.home)) == ["config.toml", "settings.cache"]


def test_a_link_in_place_of_the_cache_is_replaced_not_followed(folders):
    """A link in place of the cache is replaced; its target is neither read nor written."""
    folders.write("home", "pressure.info = 0.5")
    other = folders.home + "/other"
    with open(other, "w", encoding="utf-8") as file:
        file.write("untouched")
    os.symlink(other, folders.cache)
    assert folders.settings()["pressure.info"] == 0.5
    assert not os.path.islink(folders.cache)
    with open(other, encoding="utf-8") as file:
        assert file.read() == "untouched"


@pytest.mark.parametrize("where", ["missing/cache", "config.toml/cache", ""])
def test_a_cache_that_cannot_be_written_is_done_without(folders, where):
    """If the cache cannot be written, each call compiles and leaves no file behind."""
    folders.write("home", "pressure.info = 0.5")
    folders.cache = os.path.join(folders.home, where)
    assert folders.settings()["pressure.info"] == 0.5
    assert folders.settings()["pressure.info"] == 0.5
    assert os.listdir(folders.home) == ["config.toml"]


def test_nothing_is_written_in_the_project(folders):
    """Reading the settings writes nothing in the project."""
    folders.write("project", "pressure.info = 0.5")
    folders.settings()
    assert os.listdir(folders.project) == [".claude"]
    assert os.listdir(folders.project + "/.claude") == ["journal.toml"]


def test_problems_are_counted(folders):
    """The cache stores how many problems the files have."""
    folders.write("home", "pressure.info = 72\nunknown = 1")
    assert [folders.settings()["config.problems"] for _ in range(2)] == [2, 2]


@pytest.mark.parametrize("bad", [None, 3, "\0"], ids=["none", "number", "nul"])
@pytest.mark.parametrize("at", range(4))
def test_bad_arguments_give_the_defaults(folders, bad, at):
    """Wrong arguments give the defaults and raise nothing."""
    arguments = [folders.cache, folders.home, folders.project, folders.client]
    arguments[at] = bad
    assert {**compiled.settings(*arguments), "config.problems": 0} == NOTHING


def test_a_failing_loader_gives_the_defaults(folders, monkeypatch):
    """If the loader raises, the hook gets the defaults."""
    folders.write("home", "pressure.info = 0.5")

    def fails(*_):
        raise RuntimeError

    monkeypatch.setattr(compiled, "_load", fails)
    assert folders.settings() == NOTHING
