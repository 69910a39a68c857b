"""The compiled cache against loading, for any valid files, and what it costs."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as limits
from hypothesis import strategies as st

from journal.config.kinds import Word, toml
from journal.config.load import load
from journal.config.schema import DEFAULTS, ORDERED, SETTINGS
from tests.journal.config.folders import NOTHING, folders
from tests.journal.config.kinds import values
from tests.support.examples import examples

__all__ = ["folders"]

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))

TEXTS = st.lists(
    st.sampled_from(list(SETTINGS.values())).flatmap(
        lambda row: st.tuples(st.just(row.key), st.sampled_from(values(row)))
    ),
    unique_by=lambda pair: pair[0],
).map(lambda pairs: "\n".join(f"{key} = {toml(value)}" for key, value in pairs))


@given(home=TEXTS, project=TEXTS)
@limits(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_settings_equal_loading(folders, home, project):
    """For any two valid files the cached, the uncached and the loaded values are the same."""
    folders.write("home", home)
    folders.write("project", project)
    loaded = load(folders.home, folders.project)
    expected = {**loaded.settings, "config.problems": len(loaded.problems)}
    for _ in range(2):
        got = folders.settings()
        assert got == expected
        assert {k: type(v) for k, v in got.items()} == {k: type(v) for k, v in expected.items()}
    assert os.path.exists(folders.cache)
    for low, high in ORDERED:
        assert got[low] < got[high]


@given(project=TEXTS, junk=st.text(max_size=30))
@examples(100, sample=4, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_project_file_goes_beyond_its_rules(folders, project, junk):
    """Whatever a project's file contains, no key goes beyond what its rule allows."""
    folders.write("project", project + "\n" + junk)
    got = folders.settings()
    for key, row in SETTINGS.items():
        order = row.kind.words if isinstance(row.kind, Word) else None
        now, was = ((order.index(v) if order else v) for v in (got[key], DEFAULTS[key]))
        if row.rule == "never":
            assert now == was
        elif row.rule in ("only_off", "only_lower"):
            assert now <= was
        elif row.rule == "only_raise":
            assert now >= was


PROBE = """
import sys
sys.path.insert(0, sys.argv[1])
opened = []
sys.addaudithook(lambda name, a: opened.append(a[0]) if name == "open" else None)
from journal.config import settings
del opened[:]
values = settings(*sys.argv[2:6])
print(len(values), [p for p in opened if str(p).startswith(sys.argv[6])], [m for m in sys.argv[7:] if m in sys.modules])
"""


HEAVY = ["tomllib", "json", "re", "pathlib", "dataclasses", "typing", "enum", "logging", "subprocess", "datetime", "hashlib", "tempfile", "argparse", "collections"]  # fmt: skip


def probe(folders):
    """Run a fresh interpreter as a hook would; return what it printed."""
    command = [sys.executable, "-I", "-S", "-c", PROBE, ROOT]
    paths = [
        folders.cache,
        folders.home,
        folders.project,
        folders.client,
        os.path.dirname(folders.home),
    ]
    answer = subprocess.run(
        [*command, *paths, *HEAVY], capture_output=True, text=True, check=True, timeout=60
    )
    return answer.stdout.strip()


@pytest.mark.parametrize("files", [False, True], ids=["no-files", "files"])
def test_with_a_cache_only_the_cache_is_opened(folders, files):
    """With a cache a hook opens that one file and loads no parser."""
    if files:
        folders.write("home", "pressure.info = 0.5")
        folders.write("user", "{}")
    folders.settings()
    assert probe(folders) == f"{len(NOTHING)} ['{folders.cache}'] []"


def test_the_probe_sees_parsers(folders):
    """Without a cache the same probe shows the files and the parser."""
    folders.write("home", "pressure.info = 0.5")
    seen = probe(folders)
    assert folders.files["home"] in seen
    assert "tomllib" in seen
