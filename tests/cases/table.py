"""A table of acceptance cases: each has an id, a rule and, if it expects silence, a sibling.

Invariant: a case that expects silence names a sibling case that expects output, so a hook that
prints nothing at all cannot pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.cases.world import World


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
