"""Fixtures shared by all tests: worlds in temporary folders, and the settings of hypothesis."""

from __future__ import annotations

import gc
import itertools
import os
import re
import signal
import time
from typing import TYPE_CHECKING

import pytest
from _pytest.mark.expression import Expression
from _pytest.runner import runtestprotocol
from freezegun import freeze_time
from hypothesis import HealthCheck, settings

from tests.support.examples import sampled, scaled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from freezegun.api import FrozenDateTimeFactory

    from tests.cases.world import World

_OF_ALL = re.compile(r"^pytestmark = \[?pytest\.mark\.(\w+)", re.MULTILINE)
_NAMED = re.compile(r"\bmark\.(\w+)")
_BORROWS = re.compile(r"^from \S*\btest_\w+ import", re.MULTILINE)
_WORD = re.compile(r"\w+")

# The machine may be slow and shared: tests check the result, never the time it took.
settings.register_profile(
    "default",
    max_examples=scaled(100),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("default")

# A shell ignores SIGINT in background jobs, and child processes of the tests would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Little of what a test makes is garbage in cycles, so looking for it seldom is enough.
gc.set_threshold(20_000, 20, 20)

# Waiting for the disk takes half of a small test's time, and no test can tell whether it was done.
# The processes that tests start do wait.
os.fsync = os.fdatasync = lambda _descriptor: None

# All tests run with local time UTC; `in_zone` is for tests of other zones.
os.environ["TZ"] = "UTC"
time.tzset()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import a file if the run leaves out all its tests: it may import large packages."""
    chosen = config.option.markexpr
    if not (chosen and collection_path.name.startswith("test_")):
        return None
    text = collection_path.read_text(encoding="utf-8")
    if _BORROWS.search(text):  # with its tests it may have taken their marks
        return None
    of_all = set(_OF_ALL.findall(text))
    named = {"long", *_NAMED.findall(text)} - of_all  # parameters of helpers may be marked long
    of_some = sorted(named.intersection(_WORD.findall(chosen)))
    expression = Expression.compile(chosen)
    for picked in itertools.product((True, False), repeat=len(of_some)):
        marks = of_all.union(itertools.compress(of_some, picked))
        if expression.evaluate(lambda name, marks=marks, **_: name in marks):
            return None
    return True


@pytest.hookimpl(trylast=True)  # of what -m and -k have left
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all but JOURNAL_TEST_CASES cases of each test, if that is set: a sample of a suite."""
    most = int(os.environ.get("JOURNAL_TEST_CASES", "0"))
    chosen = sampled([item.nodeid for item in items], most)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in chosen])
    items[:] = [item for item in items if item.nodeid in chosen]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Send one report of a test that passes, not three: it takes longer than most tests do."""
    if not hasattr(item.config, "workerinput") or item.config.option.durations is not None:
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


def pytest_collection_finish() -> None:
    """Leave what collection made, which stays until the end, out of garbage collection."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Let it be collected at the end, or compiled modules report it as leaked."""
    gc.unfreeze()


@pytest.fixture
def in_zone() -> Iterator[Callable[[str], None]]:
    """Set this process's zone until the test ends."""

    def enter(name: str) -> None:
        os.environ["TZ"] = name
        time.tzset()

    yield enter
    enter("UTC")


@pytest.fixture
def clock() -> Iterator[FrozenDateTimeFactory]:
    """Freeze this process's clock at the beginning of a world; waiting still takes real time."""
    waiting = ["journal.log.append", "journal.transcript.caught_up", "hooks.facts"]
    with freeze_time("2026-11-21T09:00:00Z", ignore=waiting) as frozen:
        yield frozen


@pytest.fixture
def make_world(tmp_path: Path) -> Callable[..., World]:
    """Make worlds in folders of their own (arguments of World)."""
    from tests.cases.world import World  # not at the top: other tests do not need the whole product

    made = []

    def make(**options: object) -> World:
        made.append(None)
        return World(tmp_path / f"world-{len(made)}", **options)

    return make


@pytest.fixture
def world(make_world: Callable[..., World]) -> World:
    """Make one world whose hooks are real processes."""
    return make_world()


@pytest.fixture
def inline(make_world: Callable[..., World]) -> World:
    """Make one world whose hooks run in this process."""
    return make_world(inline=True)
