"""The table `compactions`: the compactions that the fold counted, and what their summaries dropped.

Invariant: a session has as many rows with `done` as the fold counts compactions; if a hook and a
transcript report the same one, the row is the hook's.
"""

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from journal.clock import millis
from journal.history.tables.engine import Engine
from journal.history.tables.schema import types_of
from journal.history.tables.sessions import ProjectSession
from projections.compactions import Compaction, is_same
from projections.facts.presence import KnownFacts, left_out_of
from projections.pressure import Pressure, observe, point_of
from projections.unit import PROJECTION as UNITS
from projections.unit import current

_REMINDED = 12  # paths and decisions in the message after a compaction

_C = {
    "id": "BIGINT",
    "project": "VARCHAR",
    "imported": "BOOLEAN",
    "sid": "VARCHAR",
    "seq": "BIGINT",
}
_PATHS = """
select id, list(target order by newest desc) from (
  select c.id, l.target, max(l.seq) as newest
  from _c c join _work l on l.project = c.project and l.imported = c.imported and l.sid = c.sid
    and l.seq < c.seq
  where l.type = 'tool.finished' and l.changed and l.target <> ''
  group by c.id, l.target
  qualify row_number() over (partition by c.id order by newest desc) <= {most})
group by id
"""
_SUMMARIES = """
select project, imported, sid, seq, coalesce(part, 1), summary from _work
where agent is null and type in ('compact.finished', 'compact.summarized')
order by project, imported, seq
"""
_COMPOUNDS = """
select project, imported, coalesce(sid, ''), seq from _work
where agent is null and type = 'compound.ran' order by project, imported, seq
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
    """One compaction with the session and the log it is of."""

    owner: ProjectSession
    imported: bool
    found: Compaction

    @property
    def log(self) -> tuple[str, bool]:
        return self.owner.project, self.imported


def fill(engine: Engine, sessions: Iterable[ProjectSession]) -> None:
    """Create the table `_compactions`."""
    items = [item for session in sessions for item in _items(session)]
    items.sort(key=lambda item: (item.owner.project, item.found.at, item.found.seq))
    engine.make_table(
        "_c",
        _C,
        [(number, *item.log, item.owner.sid, item.found.seq) for number, item in enumerate(items)],
    )
    paths = dict(engine.run(_PATHS.replace("{most}", str(_REMINDED))).all()) if items else {}
    work = _open_work(engine, items)
    summaries = _summaries(engine) if items else {}
    compounds = engine.run(_COMPOUNDS).all() if items else []
    observed: dict[str, dict[str, list[int]]] = {}
    rows = []
    for number, item in enumerate(items):
        decisions, open_items = work.get(number, ([], []))
        summary = summaries.get((*item.log, item.found.summary_seq), "")
        known = KnownFacts(paths.get(number, []), decisions, open_items)
        lost = left_out_of(summary, known)
        columns = _row(item, observed, compounds)
        rows.append((*columns, lost.paths, lost.decisions, lost.items, item.imported))
    engine.make_table("_compactions", types_of("compactions"), rows)


def _items(owner: ProjectSession) -> list[_Item]:
    """Return the compactions of a session: the hooks', or the transcript's if it has more.

    If both report the same one, return the hook's, which has more fields.
    """
    merged = owner.merged
    live = merged.live.compacted if merged.live else []
    counted = merged.session.compacted
    if counted is live:
        return [_Item(owner, imported=False, found=item) for item in live]
    rest = list(live)
    found = []
    for item in counted:
        same = next((other for other in rest if other.done and is_same(item, other)), None)
        same = item if item in rest and not item.done else same
        if same:
            rest.remove(same)
        found.append(_Item(owner, imported=same is None, found=same or item))
    return found


def _row(
    item: _Item, observed: dict[str, dict[str, list[int]]], compounds: list[tuple[Any, ...]]
) -> tuple[Any, ...]:
    """Return the columns up to `summary_size`. observed: as in `observe`, per project."""
    found, warned, project = item.found, item.found.warned, item.owner.project
    seen = observed.get(project, {})
    point, source = point_of(Pressure(observed=seen), found.point)
    if found.done and found.trigger == "auto" and found.point and found.tokens:
        observed[project] = observe(seen, found.point, found.tokens)
    lead = heeded = None
    if warned:
        lead = ((millis(found.at) or 0) - (millis(warned.at) or 0)) / 1000
        heeded = found.trigger == "manual" or any(
            row[:2] == item.log
            and row[2] in ("", item.owner.sid)
            and warned.seq < row[3] < found.seq
            for row in compounds
        )
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


def _summaries(engine: Engine) -> dict[tuple[str, bool, int], str]:
    """Return the summaries by project, log and seq of their first part."""
    found: dict[tuple[str, bool, int], str] = {}
    first: dict[tuple[str, bool, str], int] = {}
    for project, imported, sid, seq, part, text in engine.run(_SUMMARIES).all():
        if part == 1:
            first[project, imported, sid] = seq
        at = (project, imported, first.get((project, imported, sid), seq))
        found[at] = found.get(at, "") + (text or "")
    return found


def _open_work(engine: Engine, items: list[_Item]) -> dict[int, tuple[list[str], list[str]]]:
    """Return the decisions and open items before each compaction."""
    waiting: dict[tuple[str, bool], list[tuple[int, int]]] = {}
    for number, item in enumerate(items):
        waiting.setdefault(item.log, []).append((item.found.seq, number))
    found: dict[int, tuple[list[str], list[str]]] = {}
    rows: dict[tuple[str, bool], list[tuple[Any, ...]]] = {}
    for row in engine.run(_WORK).all() if items else []:
        rows.setdefault(row[:2], []).append(row[2:])
    for log, compactions in waiting.items():
        state: Any = UNITS.initial
        decisions: dict[str, list[str]] = {}
        steps = iter(rows.get(log, []))
        step = next(steps, None)
        for seq, number in sorted(compactions):
            while step and step[0] < seq:
                state = _stepped(state, decisions, step)
                step = next(steps, None)
            sid = items[number].owner.sid
            unit = current(state.sessions.get(sid))
            left = [item.text for item in unit.items if not item.done] if unit else []
            found[number] = (decisions.get(sid, [])[:_REMINDED], left)
    return found


def _stepped(state: Any, decisions: dict[str, list[str]], row: tuple[Any, ...]) -> Any:
    """Add one event to the decisions, or fold it into the state of the units of work."""
    from journal.events.registry import class_of

    seq, sid, kind = row[:3]
    fields = dict(zip(_MEMBERS, row[3:], strict=True))
    if kind == "decision.recorded":
        decisions[sid or ""] = [fields["text"] or "", *decisions.get(sid or "", [])]
        return state
    fields["items"] = _listed(fields["items"])
    made = class_of(kind)
    known = {
        name: value
        for name, value in fields.items()
        if value is not None and name in made.__struct_fields__
    }
    return UNITS.step(state, kind, made(seq=seq, sid=sid or "", **known))


def _listed(text: str | None) -> list[Any] | None:
    try:
        value = json.loads(text or "null")
    except ValueError:
        return None
    return value if isinstance(value, list) else None
