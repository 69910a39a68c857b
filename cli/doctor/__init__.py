"""Check everything capture, advice and recovery depend on: `journal doctor`.

Invariant: it changes nothing but a temporary directory and the record of a notice that is shown
once; a check that fails becomes a row and does not stop the others.
"""

from cli.doctor import installed, stored
from cli.doctor.installation import Check, Installation
from cli.scope import Scope
from journal.errors import JournalError

__all__ = ["Check", "examine"]


def examine(scope: Scope, client: str = "") -> list[Check]:
    """Check the installation and the journal of a project.

    client: path of the client; "" looks for `claude` on PATH.
    """
    try:
        install = Installation(scope, client)
    except JournalError as error:
        return [Check("installation", "fail", error.what, error.path, error.remedy)]
    rows: list[Check] = []
    for check in (*installed.CHECKS, *stored.CHECKS, installed.module):
        name = check.__name__.replace("_", " ")
        try:
            rows += check(install)
        except JournalError as error:
            rows.append(Check(name, "fail", error.what, error.path, error.remedy))
        except Exception as error:  # noqa: BLE001 (one check must not hide the others)
            what = f"this check failed: {type(error).__name__}: {error}"
            rows.append(Check(name, "warn", what, remedy="report it with this text"))
    return rows
