"""Update in steps what commands store beside a project's logs, before anybody runs a command.

For the background handler. Invariant: it calls what the commands call, so it stores what they would
have stored; one call reads about `STEP` bytes of a log for each kind of stored state, and nothing
if little is new or a later version of the journal has stored something.
"""

import os
import re
from contextlib import closing

from journal.checkpoint import Checkpoint, Position, read_all
from journal.history.logs import log_directories
from journal.history.replay.run import SAVE_AFTER, replay_all
from journal.history.replay.stored import STORED, StoredFolds, code_of_folds
from journal.history.search.index import Index
from journal.history.tables.families import FAMILIES, checkpoint_of, code_of_rows
from journal.home import cache_of
from journal.log.segment import segments, sizes

STEP = 64 * 1024 * 1024  # bytes of log: one to two seconds for each kind
_SHARE = 256  # of a log: storing the state again costs as much as folding that part
_FAMILIES = tuple(name for name in FAMILIES if name not in ("records", "usage"))
"""The rows that queries need most: whole records are as large as the log, few logs have usage."""


def prepare_commands(directory: str) -> None:
    """Update the index, the stored folds and the rows for SQL of a project's logs.

    directory: of the live log. The rows come last, once the folds are at the end.
    """
    home, project = os.path.split(directory)
    logs = [path for _, _, path in log_directories(home, [project]) if segments(path)]
    behind = {log: _is_behind(log, _last_fold(log), code_of_folds()) for log in logs}
    rows = {
        (log, name): _is_behind(log, _rows(log, name), code_of_rows(name))
        for log in logs
        for name in _FAMILIES
    }
    if None in behind.values() or None in rows.values():
        return
    with closing(Index(home)) as index:
        index.read_on(project, STEP)
    for log in logs:
        if behind[log]:
            replay_all(log, STORED, most=STEP)
            behind[log] = _is_behind(log, _last_fold(log), code_of_folds())
    if any(rows.values()) and not any(behind.values()):
        _add_rows(home, project)


def _add_rows(home: str, project: str) -> None:
    try:
        from journal.history.tables.database import History
    except ImportError:  # the hooks' interpreter may have no DuckDB
        return
    with closing(History(home, project)) as history:
        history.most = STEP
        history.make(f"_{name}" for name in (*_FAMILIES, "usage"))


def _last_fold(log: str) -> Checkpoint | None:
    """Read the header of the last fold that has all projections."""
    folds, code = StoredFolds(log), code_of_folds()
    for header in filter(None, map(folds.header, folds.seqs())):
        if header.code != code or {*STORED} <= {*header.hints}:
            return header
    return None


def _rows(log: str, family: str) -> Checkpoint | None:
    """Read the header of the checkpoint of a family's rows."""
    path = checkpoint_of(os.path.join(cache_of(log), "tables"), family)
    return next(iter(read_all(path, slots=1, with_payload=False)), None)


def _is_behind(log: str, stored: Checkpoint | None, code: str) -> bool | None:
    """Return whether much of a log is new since a checkpoint; None if a later version made it."""
    if stored is not None and _version(stored.code) > _version(code):
        return None
    at = stored.position if stored is not None and stored.code == code else Position()
    size, new = sizes(log, at.segment, at.offset)
    return new >= max(SAVE_AFTER, size // _SHARE)


def _version(code: str) -> list[int]:
    """Return the numbers of a code: of two versions, the one with the higher ones is later."""
    return [int(number) for number in re.findall(r"\d+", code)]
