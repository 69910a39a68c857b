"""The table `compactions`: the compactions that the fold counted, and what their summaries dropped.

Invariant: a session has as many rows with `done` as the fold counts compactions; if a hook and a
transcript report the same one, the row is the hook's.
"""

import json
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from journal.clock import elapsed_ms
from journal.history.tables.columns import kinds_of
from journal.history.tables.engine import Engine
from journal.history.tables.schema import types_of
from journal.history.tables.sessions import ProjectSession
from journal.history.tables.views import LOST
from projections.facts.presence import left_out_of
from projections.facts.session import KnownFacts
from projections.fold import Fold
from projections.pressure import Pressure, observe, point_of
from projections.session import Compaction
from projections.unit import PROJECTION as UNITS
from projections.unit import current

_REMINDED = 12  # paths and decisions in the message after a compaction

_C = kinds_of(
    "id BIGINT, project VARCHAR, imported BOOLEAN, sid VARCHAR, seq BIGINT, until BIGINT, "
    "warned BIGINT"
)
_PATHS = """
select id, list(target order by newest desc) from (
  select c.id, l.target, max(l.seq) as newest
  from _c c join (
    select project, imported, sid, seq, unnest(if(changed, [target], paths)) as target
    from _work where type = 'files.changed' or (type = 'tool.finished' and changed and target <> '')
  ) l on l.project = c.project and l.imported = c.imported and l.sid = c.sid and l.seq < c.until
  group by c.id, l.target
  qualify row_number() over (partition by c.id order by newest desc) <= {most})
group by id
"""
_SUMMARIES = """
with p as (
  select project, imported, seq, summary, max(seq) filter (coalesce(part, 1) = 1) over (
    partition by project, imported, sid order by seq) as first
  from _work where agent is null and type in ('compact.finished', 'compact.summarized'))
select project, imported, coalesce(first, seq), coalesce(string_agg(summary, '' order by seq), '')
from p group by all
"""
_HEEDED = """
select distinct c.id from _c c join _work w on w.project = c.project and w.imported = c.imported
  and coalesce(w.sid, '') in ('', c.sid) and w.seq > c.warned and w.seq < c.seq
where w.agent is null and w.type = 'compound.ran'
"""
_MEMBERS = ("text", "unit", "item", "done", "title", "items", "file", "tool", "previous")
_WORK = """
select project, imported, seq, sid, type, text, unit, item, done, title, items, file, tool, previous
from _work
where agent is null and (type in ('decision.recorded', 'unit.started', 'unit.item.checked',
  'unit.finished', 'session.started') or (type = 'tool.finished' and items is not null))
order by project, imported, seq
"""


class _Item(NamedTuple):
    """One compaction with its session, and whether the imported log has it."""

    owner: ProjectSession
    imported: bool
    found: Compaction

    @property
    def log(self) -> tuple[str, bool]:
        return self.owner.project, self.imported


class _Thresholds:
    """The compaction thresholds of projects, which the compactions correct in their order."""

    def __init__(self, sessions: Iterable[ProjectSession]) -> None:
        self._observed: dict[str, dict[str, list[int]]] = {}
        found = ((item.project, item.merged.session) for item in sessions)
        self._stated = {(name, one.point): one.stated for name, one in found if one.stated}

    def at(self, project: str, item: Compaction) -> tuple[int, str]:
        """Return the threshold before a compaction, and its source; then learn from it."""
        if stated := self._stated.get((project, item.point)):
            return item.point, stated
        seen = self._observed.get(project, {})
        if item.shows_threshold:
            self._observed[project] = observe(seen, item.point, item.tokens or 0)
        return point_of(Pressure(observed=seen), item.point)


def fill(engine: Engine, sessions: Sequence[ProjectSession], *, with_work: bool) -> None:
    """Create the table `_compactions`.

    with_work: read `_work` for the columns that need it (`heeded` and `LOST`); else they are empty.
    """
    items = [
        _Item(owner, imported, found)
        for owner in sessions
        for imported, found in owner.merged.compactions
    ]
    items.sort(key=lambda item: (item.owner.project, item.found.at, item.found.seq))
    thresholds = _Thresholds(sessions)
    if with_work:
        rows = _rows(engine, items, thresholds) if items else []
    else:
        rows = [(*_row(item, thresholds), *(None for _ in LOST), item.imported) for item in items]
    engine.make_table("_compactions", types_of("compactions"), rows)


def _rows(engine: Engine, items: list[_Item], thresholds: _Thresholds) -> list[tuple[Any, ...]]:
    """Return the rows of compactions, with the columns that need `_work`."""
    numbered = [
        (
            number,
            *item.log,
            item.owner.sid,
            item.found.seq,
            max(item.found.seq, item.found.summary_seq),  # with what the turn wrote in between
            item.found.warned and item.found.warned.seq,
        )
        for number, item in enumerate(items)
    ]
    engine.make_table("_c", _C, numbered)
    paths = dict(engine.run(_PATHS.replace("{most}", str(_REMINDED))).all())
    summaries = {tuple(log): text for *log, text in engine.run(_SUMMARIES).all()}
    heeded = {number for (number,) in engine.run(_HEEDED).all()}
    work = _open_work(engine, items)
    rows = []
    for number, item in enumerate(items):
        summary = summaries.get((*item.log, item.found.summary_seq), "")
        lost = left_out_of(summary, KnownFacts(paths.get(number, []), *work[number]))
        columns = _row(item, thresholds, is_heeded=number in heeded)
        rows.append((*columns, lost.paths, lost.decisions, lost.items, item.imported))
    return rows


def _row(item: _Item, thresholds: _Thresholds, *, is_heeded: bool = False) -> tuple[Any, ...]:
    """Return the columns up to `summary_size`.

    is_heeded: whether a compound followed its warning.
    """
    found, warned = item.found, item.found.warned
    point, source = thresholds.at(item.owner.project, found)
    lead = heeded = None
    if warned:
        lead = elapsed_ms(warned.at, found.at) / 1000
        heeded = found.trigger == "manual" or is_heeded
    return (
        item.owner.project,
        item.owner.root,
        item.owner.sid,
        found.seq,
        found.at.removesuffix("Z"),
        found.trigger or None,
        found.done,
        found.tokens,
        found.after,
        point or None,
        source if point else None,
        warned.at.removesuffix("Z") if warned else None,
        (warned.level or None) if warned else None,
        lead,
        found.turns if warned else None,
        found.tokens - warned.tokens if warned and warned.tokens and found.tokens else None,
        heeded,
        found.unpromoted,
        found.size,
    )


def _open_work(engine: Engine, items: list[_Item]) -> dict[int, tuple[list[str], list[str]]]:
    """Return the decisions and open items before each compaction."""
    waiting: dict[tuple[str, bool], list[tuple[int, int]]] = {}
    for number, item in enumerate(items):
        waiting.setdefault(item.log, []).append((item.found.seq, number))
    found: dict[int, tuple[list[str], list[str]]] = {}
    rows: dict[tuple[str, bool], list[tuple[Any, ...]]] = {}
    for row in engine.run(_WORK).all():
        rows.setdefault(row[:2], []).append(row[2:])
    for log, compactions in waiting.items():
        fold = Fold([UNITS])
        decisions: dict[str, list[str]] = {}
        steps = deque(rows.get(log, []))
        for seq, number in sorted(compactions):
            while steps and steps[0][0] < seq:
                _step(fold, decisions, steps.popleft())
            sid = items[number].owner.sid
            unit = current(fold.states[UNITS.name].sessions.get(sid))
            left = [item.text for item in unit.items if not item.done] if unit else []
            found[number] = (decisions.get(sid, [])[:_REMINDED], left)
    return found


def _step(fold: Fold, decisions: dict[str, list[str]], row: tuple[Any, ...]) -> None:
    """Add a decision to `decisions`; fold any other event, which concerns a unit of work."""
    from journal.events.registry import event_of

    seq, sid, kind = row[:3]
    fields = dict(zip(_MEMBERS, row[3:], strict=True))
    if kind == "decision.recorded":
        decisions[sid or ""] = [fields["text"] or "", *decisions.get(sid or "", [])]
        return
    items = json.loads(fields["items"] or "null")
    items = items if isinstance(items, list) else None
    fold.apply(event_of(kind, {**fields, "items": items, "seq": seq, "sid": sid or ""}), kind)
