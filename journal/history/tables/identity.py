"""SQL of the columns that say whose a row is: origin_id, person, repo, epoch.

Invariant: they are constants per project, so a query that does not name them costs nothing more.
"""

import os
from collections.abc import Iterable

from journal.errors import JournalError
from journal.history.tables.columns import literal, picked
from journal.identity import Identity, identity_of, stored_repo


def identity_columns(
    home: str, projects: Iterable[str], person: str
) -> tuple[str, JournalError | None]:
    """Build the columns for rows that have a column `project`.

    Return their SQL, and the error if the home's identity cannot be read; then they are NULL.
    person: from the settings, "" for the one in the identity.
    """
    found, error = Identity(), None
    try:
        found = identity_of(home)
    except JournalError as reason:
        error = reason
    repos = {
        name: literal(stored_repo(os.path.join(home, name)) or "") for name in sorted(projects)
    }
    epochs = {name: str(number) for name, number in found.epochs.items() if name in repos}
    epoch = "null" if error else f"coalesce({picked('project', epochs)}, 1)"
    sql = (
        f"{_text(found.origin)} as origin_id, {_text(person or found.person)} as person, "
        f"nullif({picked('project', repos)}, '') as repo, {epoch}::bigint as epoch"
    )
    return sql, error


def _text(value: str) -> str:
    return f"{literal(value)}::varchar" if value else "null::varchar"
