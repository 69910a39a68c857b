"""A row of the report: plain data that the command prints.

Invariant: a row that is not in order says what to do.
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Check:
    """The result of one check.

    status: "ok"; "note" (worth knowing, in order); "warn" (works, but not as meant); "fail".
    details: further lines, the most important first.
    """

    name: str
    status: Literal["ok", "note", "warn", "fail"]
    what: str
    where: str = ""
    remedy: str = ""
    details: tuple[str, ...] = ()
