"""The trial of the installed hook: what it finds, and that it leaves nothing."""

from __future__ import annotations

import os

from tests.cli.install.machine import Machine, failures


def test_a_hook_that_fails_is_told(machine: Machine) -> None:
    """Setup tries the copy's hook: recording no event, or an error message, is a failure."""
    for name, hook in (("silent", ""), ("loud", "import sys\nsys.exit('broken')\n")):
        product = machine.checkout(name, hook=hook)
        failed = failures(machine.call("setup", product))
        assert failed[-1]["where"].endswith("/plugin/hooks/run.py")
        assert not os.path.lexists(machine.plugin), "nothing uses a copy whose hook fails"


def test_the_fed_hook_is_measured(done: Machine) -> None:
    """A working hook is shown with its cost beside that of the bare interpreter."""
    steps = [step for step in done.result["steps"] if "hook call" in step["what"]]
    assert [step["status"] for step in steps] == ["done"]
    assert "times the bare interpreter" in steps[0]["what"]


def test_feeding_leaves_the_journal_alone(done: Machine) -> None:
    """The trial call goes to a temporary home: the person's journal gets no event."""
    assert not [path for path in done.tree() if path.endswith("active.jsonl")]
