"""Whether a process still runs, by its id and start time."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from journal.process import is_running, start_of

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="no /proc here")


def test_a_process_that_runs() -> None:
    """This process is running with its own start time, and not with another one."""
    start = start_of(os.getpid())
    assert start > 0
    assert is_running(os.getpid(), start) is True
    assert is_running(os.getpid(), start + 1) is False


def test_a_killed_process_is_over_before_its_parent_knows() -> None:
    """A killed process counts as ended although its parent has not yet waited for it."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    start = start_of(child.pid)
    assert is_running(child.pid, start) is True
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # ended, not waited for
    assert start_of(child.pid) == -1
    assert is_running(child.pid, start) is False
    child.communicate()
    assert is_running(child.pid, start) is False
