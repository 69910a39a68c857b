"""A table of acceptance cases: each has an id, a rule and, if it expects silence, a sibling.

Invariant: a case that expects silence names a sibling case that expects output, so a hook that
prints nothing at all cannot pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cases.world import World

OPTIONS = {
    "inline": {"inline": True},
    "bare": {"variant": "bare"},
    "plain": {"variant": "plain", "processes": True},
}
"""The ways to run a case, as arguments of World."""


class Case:
    """One case. silent_beside: id of the speaking sibling; "" if the case itself expects output."""

    def __init__(self, name: str, run: Callable[[World], None], silent_beside: str) -> None:
        self.name = name
        self.run = run
        self.silent_beside = silent_beside
        self.rule = run.__doc__ or ""


class Table(dict[str, Case]):
    """Cases by id, in the order they were entered."""

    def case(
        self, name: str, *, silent_beside: str = ""
    ) -> Callable[[Callable[[World], None]], Callable[[World], None]]:
        """Add the decorated function to the table as the case `name`."""

        def enter(run: Callable[[World], None]) -> Callable[[World], None]:
            assert name not in self, name
            self[name] = Case(name, run, silent_beside)
            return run

        return enter

    def tests(self, world: type[World], *bare: str) -> tuple[Callable[..., None], ...]:
        """Return the tests of the table: of its cases in this kind of world, and of its silent ones.

        bare: cases that the default tests also run by the hook command.
        """

        @pytest.mark.parametrize("name, how", self._runs(*bare))
        def test_case(name: str, how: dict, tmp_path: Path) -> None:
            """Each case holds, in process and by the programs that Claude Code runs."""
            self[name].run(world(tmp_path / "world-1", **how))

        def test_silence_has_a_sibling_that_speaks() -> None:
            """Every silent case names a sibling that expects output, as a broken hook is silent too."""
            self._check_siblings()

        return test_case, test_silence_has_a_sibling_that_speaks

    def _runs(self, *bare: str) -> list[Any]:
        """Return name and arguments of World per run: all in process, those of `bare` by the command.

        The long tests run all by the command with an empty PATH, and all with every command of
        the case as a process too.
        """
        return [
            pytest.param(name, how, id=f"{name}-{kind}",
                         marks=[] if kind == "inline" or (kind == "bare" and name in bare) else
                         [pytest.mark.long])
            for kind, how in OPTIONS.items()
            for name in self
        ]  # fmt: skip

    def _check_siblings(self) -> None:
        """Check that each case has a rule, and each silent one a sibling that expects output."""
        for case in self.values():
            assert case.rule
            if case.silent_beside:
                assert not self[case.silent_beside].silent_beside
