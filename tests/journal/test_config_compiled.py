"""The compiled cache: what hooks get is what loading gives, whatever happened to the files."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as limits
from hypothesis import strategies as st

from journal.config import cache as compiled
from journal.config.load import load
from journal.config.schema import DEFAULTS, ORDERED, ROWS, SCHEMA

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
NOTHING = {**DEFAULTS, "config.problems": 0}


class Place:
    """A journal home, a project, the client's directory, and the five files there may be."""

    def __init__(self, root):
        self.home = os.path.join(root, "home")
        self.project = os.path.join(root, "project")
        self.client = os.path.join(root, "client")
        for path in (self.home, os.path.join(self.project, ".claude"), self.client):
            os.makedirs(path, exist_ok=True)
        self.cache = os.path.join(self.home, "settings.cache")
        self.files = {
            "home": os.path.join(self.home, "config.toml"),
            "user": os.path.join(self.client, "settings.json"),
            "project": os.path.join(self.project, ".claude", "journal.toml"),
            "shared": os.path.join(self.project, ".claude", "settings.json"),
            "local": os.path.join(self.project, ".claude", "settings.local.json"),
        }
        self.age = 10**9

    def write(self, which, text):
        """Write a file in place, with an mtime long past and different each time."""
        with open(self.files[which], "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        self.age += 10
        os.utime(self.files[which], (self.age, self.age))

    def settings(self):
        """Ask as a hook does."""
        return compiled.settings(self.cache, self.home, self.project, self.client)


@pytest.fixture
def place(tmp_path):
    """Give the directories, empty."""
    return Place(str(tmp_path))


@pytest.fixture
def compilations(monkeypatch):
    """Count how often the files are compiled."""
    calls = []
    original = compiled._compiled

    def counted(*arguments):
        calls.append(arguments)
        return original(*arguments)

    monkeypatch.setattr(compiled, "_compiled", counted)
    return calls


# What each file says first and then, and the key that shows it.
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


def test_without_files_the_defaults_and_no_cache(place, compilations):
    """With no file there is nothing to compile and nothing to write."""
    assert place.settings() == NOTHING
    assert compilations == []
    assert os.listdir(place.home) == []


def test_the_result_is_the_callers_own(place):
    """Changing the result changes nothing for the next caller."""
    place.settings()["pressure.info"] = 3
    assert place.settings() == NOTHING


@pytest.mark.parametrize("which", SAYS)
def test_second_call_compiles_nothing(place, compilations, which):
    """A file that has not changed is compiled once, whichever it is."""
    key, text, value, _, _ = SAYS[which]
    place.write(which, text)
    first, second = place.settings(), place.settings()
    assert first[key] == second[key] == value
    assert first == second
    assert len(compilations) == 1


@pytest.mark.parametrize("which", SAYS)
def test_appearance_and_disappearance_are_seen(place, which):
    """A file that comes is obeyed, and forgotten when it goes, with others there or not."""
    key, text, value, _, _ = SAYS[which]
    other = "home" if which != "home" else "user"
    for text_of_other in (None, SAYS[other][1]):
        if text_of_other:
            place.write(other, text_of_other)
        before = place.settings()
        place.write(which, text)
        assert place.settings().get(key) == value
        os.unlink(place.files[which])
        assert place.settings() == before


def same_size(place, which, text, _old):
    """Rewrite in place: another mtime."""
    place.write(which, text)


def same_mtime(place, which, text, old):
    """Rewrite with another size and the old mtime."""
    place.write(which, text + " ")
    os.utime(place.files[which], ns=(old.st_mtime_ns, old.st_mtime_ns))


def replaced(place, which, text, old):
    """Replace by another file of the same size and mtime: another inode."""
    new = place.files[which] + ".new"
    with open(new, "w", encoding="utf-8") as file:
        file.write(text.ljust(old.st_size))
    os.utime(new, ns=(old.st_mtime_ns, old.st_mtime_ns))
    os.replace(new, place.files[which])


@pytest.mark.parametrize("change", [same_size, same_mtime, replaced])
@pytest.mark.parametrize("which", SAYS)
def test_changes_are_seen(place, which, change):
    """Any change of mtime, size or inode of any file is a change."""
    key, text, value, then, expected = SAYS[which]
    length = max(len(text), len(then))
    place.write(which, text.ljust(length))
    assert place.settings().get(key) == value
    assert place.settings().get(key) == value
    change(place, which, then.ljust(length), os.stat(place.files[which]))
    assert place.settings()[key] == expected


def test_fresh_changes_are_not_cached(place, compilations):
    """Two edits within one tick of the file system's clock are both seen."""
    for value in (0.5, 0.6):
        place.write("home", f"pressure.info = {value}")
        os.utime(place.files["home"])
        now = os.stat(place.files["home"]).st_mtime_ns
        assert place.settings()["pressure.info"] == value
        os.utime(place.files["home"], ns=(now, now))
    assert not os.path.exists(place.cache)
    assert len(compilations) == 2


def test_a_future_mtime_is_cached(place, compilations):
    """A file dated in the future does not switch the cache off."""
    place.write("home", "pressure.info = 0.5")
    os.utime(place.files["home"], (2**33, 2**33))
    place.settings()
    place.settings()
    assert len(compilations) == 1


def test_another_projects_cache_is_not_taken(place, compilations):
    """A cache is for the paths it was made from, even if the files look alike."""
    place.write("home", "pressure.info = 0.5")
    place.settings()
    compiled.settings(place.cache, place.home, place.project + "2", place.client)
    assert len(compilations) == 2
    compiled.settings(place.cache, place.home, None, place.client)
    assert len(compilations) == 3


def test_a_changed_schema_is_not_served_from_the_cache(place, compilations, monkeypatch):
    """A version with another table compiles anew, though no file has changed."""
    place.write("home", "pressure.info = 0.5")
    place.settings()
    monkeypatch.setattr(compiled, "SCHEMA", SCHEMA[1:])
    place.settings()
    assert len(compilations) == 2


def test_every_flipped_bit_is_noticed(place):
    """A damaged cache is compiled anew, wherever the damage is."""
    place.write("home", "pressure.info = 0.5")
    expected = place.settings()
    with open(place.cache, "rb") as file:
        whole = file.read()
    identity = json.loads(whole.partition(b"\n")[2])[0]
    assert compiled._cached(place.cache, identity) is not None
    for at in range(len(whole) * 8):
        broken = bytearray(whole)
        broken[at // 8] ^= 1 << at % 8
        with open(place.cache, "wb") as file:
            file.write(broken)
        assert compiled._cached(place.cache, identity) is None
        if at % 97 == 0:
            assert place.settings() == expected


@pytest.mark.parametrize("content", [b"", b"\n", b"00000000\n", b"{}", b"\xff" * 99, b"[" * 99])
def test_other_content_is_compiled_anew(place, content):
    """A cache that is none is replaced."""
    place.write("home", "pressure.info = 0.5")
    expected = place.settings()
    with open(place.cache, "wb") as file:
        file.write(content)
    assert place.settings() == expected
    with open(place.cache, "rb") as file:
        assert file.read() != content


@pytest.mark.parametrize("body", [b"1", b"{}", b"[]", b"[1]", b"[null,null]"])
def test_a_whole_cache_of_another_shape_is_compiled_anew(place, body):
    """A right checksum over something else is not believed."""
    from zlib import crc32

    place.write("home", "pressure.info = 0.5")
    expected = place.settings()
    with open(place.cache, "wb") as file:
        file.write(b"%08x\n%s" % (crc32(body), body))
    assert place.settings() == expected


def test_the_cache_is_private_and_alone(place):
    """The cache has mode 0600 and no temporary file stays beside it."""
    place.write("home", "pressure.info = 0.5")
    old = os.umask(0)
    try:
        place.settings()
    finally:
        os.umask(old)
    assert stat.S_IMODE(os.stat(place.cache).st_mode) == 0o600
    assert sorted(os.listdir(place.home)) == ["config.toml", "settings.cache"]


def test_a_link_in_place_of_the_cache_is_replaced_not_followed(place):
    """What a link at the cache's place points to is neither read nor written."""
    place.write("home", "pressure.info = 0.5")
    other = place.home + "/other"
    with open(other, "w", encoding="utf-8") as file:
        file.write("untouched")
    os.symlink(other, place.cache)
    assert place.settings()["pressure.info"] == 0.5
    assert not os.path.islink(place.cache)
    with open(other, encoding="utf-8") as file:
        assert file.read() == "untouched"


@pytest.mark.parametrize("where", ["missing/cache", "config.toml/cache", ""])
def test_a_cache_that_cannot_be_written_is_done_without(place, where):
    """Where no cache can be, each call compiles, and leaves nothing behind."""
    place.write("home", "pressure.info = 0.5")
    place.cache = os.path.join(place.home, where)
    assert place.settings()["pressure.info"] == 0.5
    assert place.settings()["pressure.info"] == 0.5
    assert os.listdir(place.home) == ["config.toml"]


def test_nothing_is_written_in_the_project(place):
    """A project's directory is only read."""
    place.write("project", "pressure.info = 0.5")
    place.settings()
    assert os.listdir(place.project) == [".claude"]
    assert os.listdir(place.project + "/.claude") == ["journal.toml"]


def test_problems_are_counted(place):
    """How many problems there are is known without loading aloud."""
    place.write("home", "pressure.info = 72\nunknown = 1")
    assert [place.settings()["config.problems"] for _ in range(2)] == [2, 2]


@pytest.mark.parametrize("bad", [None, 3, "\0"], ids=["none", "number", "nul"])
@pytest.mark.parametrize("at", range(4))
def test_bad_arguments_give_the_defaults(place, bad, at):
    """It never raises, whatever it is called with."""
    arguments = [place.cache, place.home, place.project, place.client]
    arguments[at] = bad
    assert compiled.settings(*arguments) == NOTHING


def test_a_failing_loader_gives_the_defaults(place, monkeypatch):
    """A defect of the loader does not reach the hook."""
    place.write("home", "pressure.info = 0.5")

    def fails(*_):
        raise RuntimeError

    monkeypatch.setattr(compiled, "_compiled", fails)
    assert place.settings() == NOTHING


# --- equal to loading ---------------------------------------------------------------------------


def valid(row):
    """Give valid TOML values of a row."""
    kind, numbers = row[1], row[3]
    if kind == "switch":
        return st.sampled_from(["true", "false"])
    if kind == "word":
        return st.sampled_from([f'"{word}"' for word in numbers])
    if kind == "number":
        return st.floats(numbers[0], numbers[1]).map(repr)
    if kind == "names":
        name = st.text("abcXYZ019_:./-", min_size=1, max_size=8)
        return st.lists(name, max_size=4).map(json.dumps)
    return st.integers(numbers[0], numbers[1]).map(str)


TEXTS = st.lists(
    st.sampled_from(SCHEMA).flatmap(lambda row: st.tuples(st.just(row[0]), valid(row))),
    unique_by=lambda pair: pair[0],
).map(lambda pairs: "\n".join(f"{key} = {value}" for key, value in pairs))


@given(home=TEXTS, project=TEXTS)
@limits(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_settings_equal_loading(place, home, project):
    """For any two valid files the cached, the uncached and the loaded values are the same."""
    place.write("home", home)
    place.write("project", project)
    loaded = load(place.home, place.project)
    expected = {**loaded.settings, "config.problems": len(loaded.problems)}
    for _ in range(2):
        got = place.settings()
        assert got == expected
        assert {k: type(v) for k, v in got.items()} == {k: type(v) for k, v in expected.items()}
    assert os.path.exists(place.cache)
    for low, high in ORDERED:
        assert got[low] < got[high]


@given(project=TEXTS, junk=st.text(max_size=30))
@limits(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_no_project_file_goes_beyond_its_rules(place, project, junk):
    """Whatever a project's file holds, keys that it may not widen are not widened."""
    place.write("project", project + "\n" + junk)
    got = place.settings()
    for key, row in ROWS.items():
        order = row[3] if row[1] == "word" else None
        now, was = ((order.index(v) if order else v) for v in (got[key], DEFAULTS[key]))
        if row[4] == "never":
            assert now == was
        elif row[4] in ("only_off", "only_lower"):
            assert now <= was
        elif row[4] == "only_raise":
            assert now >= was


# --- what it costs ------------------------------------------------------------------------------

PROBE = """
import sys
sys.path.insert(0, sys.argv[1])
opened = []
sys.addaudithook(lambda name, a: opened.append(a[0]) if name == "open" else None)
from journal.config.cache import settings
del opened[:]
values = settings(*sys.argv[2:6])
print(len(values), [p for p in opened if str(p).startswith(sys.argv[6])], [m for m in sys.argv[7:] if m in sys.modules])
"""
HEAVY = ["tomllib", "json", "re", "pathlib", "dataclasses", "typing", "enum", "logging", "subprocess", "datetime", "hashlib", "tempfile", "argparse", "collections"]  # fmt: skip


def probe(place):
    """Run a fresh interpreter as a hook would; give what it printed."""
    command = [sys.executable, "-I", "-S", "-c", PROBE, ROOT]
    paths = [place.cache, place.home, place.project, place.client, os.path.dirname(place.home)]
    answer = subprocess.run(
        [*command, *paths, *HEAVY], capture_output=True, text=True, check=True, timeout=60
    )
    return answer.stdout.strip()


def test_without_files_nothing_is_opened_or_imported(place):
    """With no configuration a hook opens no file and loads no parser."""
    assert probe(place) == f"{len(NOTHING)} [] []"


def test_with_a_cache_only_the_cache_is_opened(place):
    """With a cache a hook opens that one file and loads no parser."""
    place.write("home", "pressure.info = 0.5")
    place.write("user", "{}")
    place.settings()
    assert probe(place) == f"{len(NOTHING)} ['{place.cache}'] []"


def test_the_probe_sees_parsers(place):
    """Without a cache the same probe shows the files and the parser."""
    place.write("home", "pressure.info = 0.5")
    seen = probe(place)
    assert place.files["home"] in seen
    assert "tomllib" in seen
