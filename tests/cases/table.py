"""The table the acceptance cases are entered in: id, rule, and the case that speaks beside it.

Invariant: a case whose rule is silence names a sibling that speaks, so that a broken hook cannot
pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World


class Case:
    """One case. silent_beside: id of the speaking sibling, "" for a case that speaks itself."""

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
        """Enter the decorated function as the case `name`."""

        def enter(run: Callable[[World], None]) -> Callable[[World], None]:
            assert name not in self, name
            self[name] = Case(name, run, silent_beside)
            return run

        return enter
