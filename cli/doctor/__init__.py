"""Check everything capture, advice and recovery depend on: `journal doctor`.

Invariant: it changes nothing but a throwaway directory and the record of a notice that is given
once, and a check that fails is a row of its own,
never the end of the others.
"""

import os
from collections.abc import Mapping

from cli.doctor import installed, module, notices, stored
from cli.doctor.rows import Check
from journal.errors import JournalError

__all__ = ["Check", "examine"]


def examine(
    env: Mapping[str, str] | None = None, project: str = "", client: str = ""
) -> list[Check]:
    """Check the installation and the journal of `project` (a directory; default: the current).

    client: path of the client; "" looks for `claude` on PATH.
    """
    try:
        install = installed.Installation(
            dict(os.environ) if env is None else env, os.path.abspath(project or "."), client
        )
    except JournalError as error:
        return [Check("installation", "fail", error.what, error.path, error.remedy)]
    rows: list[Check] = []
    for check in (*installed.CHECKS, *stored.CHECKS, module.module, notices.stage_thresholds):
        try:
            rows += check(install)
        except Exception as error:  # noqa: BLE001 (one check must not hide the others)
            name = check.__name__.replace("_", " ")
            what = f"this check failed: {type(error).__name__}: {error}"
            rows.append(Check(name, "warn", what, remedy="report it with this text"))
    return rows
