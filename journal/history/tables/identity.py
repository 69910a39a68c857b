"""The SQL of the columns that say whose rows they are: origin_id, person, repo, epoch.

Invariant: they are constants per project, so a query that does not name them pays nothing.
"""

import os
from collections.abc import Iterable
from typing import NamedTuple

from journal.errors import JournalError
from journal.history.tables.columns import joined, picked, quoted
from journal.identity import Identity, identity_of, stored_repo


class IdentityColumns(NamedTuple):
    """sql: of the columns, for rows that have a column `project`.

    error: why the home's identity could not be read, or None; with an error its columns are NULL.
    """

    sql: str
    error: JournalError | None


def identity_columns(home: str, projects: Iterable[str], person: str) -> IdentityColumns:
    """Build the columns. person: from the settings, "" for the one in the identity."""
    found, error = Identity(), None
    try:
        found = identity_of(home)
    except JournalError as reason:
        error = reason
    repos = {name: quoted(stored_repo(os.path.join(home, name)) or "") for name in sorted(projects)}
    epochs = {name: str(number) for name, number in found.epochs.items() if name in repos}
    epoch = "null" if error else f"coalesce({picked('project', epochs)}, 1)"
    sql = joined(
        f"{_text(found.origin)} as origin_id, {_text(person or found.person)} as person,",
        f"nullif({picked('project', repos)}, '') as repo, {epoch}::bigint as epoch",
    )
    return IdentityColumns(sql, error)


def _text(value: str) -> str:
    return f"{quoted(value)}::varchar" if value else "null::varchar"
