"""Parts of the page without their elements, and answers that come when a test says so."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any
from unittest.mock import MagicMock

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine


class Line:
    """A status line whose work ends when the test says so, in the order that it says."""

    def __init__(self) -> None:
        self.answers: list[asyncio.Future[Any]] = []

    async def run(self, *_work: object, **_named: object) -> Any:
        """Wait for the answer that the test gives."""
        self.answers.append(asyncio.get_running_loop().create_future())
        return await self.answers[-1]

    def show(self, *_text: object, **_how: object) -> None:
        """Show nothing."""


def shell(kind: type, **members: Any) -> Any:
    """Return a part of the page without its elements: whatever is not given takes every call."""
    made = MagicMock()
    made.configure_mock(line=Line(), **members)
    for name in vars(kind):
        if not name.startswith("__"):
            setattr(made, name, getattr(kind, name).__get__(made))
    return made


async def ask(line: Line, question: Callable[[], Coroutine[Any, Any, None]]) -> asyncio.Task[None]:
    """Begin a question; return once it waits for its answer, which takes one turn of the loop."""
    number = len(line.answers)
    task = asyncio.create_task(question())
    await asyncio.sleep(0)
    assert len(line.answers) == number + 1 or task.done()
    return task
