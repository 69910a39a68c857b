"""The table `compactions`: what SQL cannot say is folded here, over the few events concerned.

Invariant: one row per compaction, whichever of its events were seen; a compaction that a hook and
a transcript tell is the hook's.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from journal.history.tables.schema import TABLES
from projections.dropped import Known, dropped
from projections.pressure import Pressure, point_of
from projections.unit import PROJECTION as UNITS
from projections.unit import current

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from journal.history.tables.engine import Engine

__all__ = ["Compaction", "fill", "fold"]

_KEPT = 12  # paths and decisions the journal tells again after a compaction
_OBSERVED = 15
_SAME = 120.0  # seconds within which a transcript tells the compaction a hook told

_EVENTS = """
select project, imported, sid, seq, epoch(ts) as at, type, "trigger", tokens, point, unpromoted,
  size, summary, source, context_tokens, level, coalesce(part, 1) as part
from _facts
where agent is null and (type in ('compact.started', 'compact.summarized', 'compact.finished',
    'compound.ran') or (type = 'session.started' and source = 'compact')
  or (type = 'advice.given' and what = 'pressure'))
order by project, imported, seq
"""
_WORK = """
select project, imported, sid, seq, type, text, unit, item, done, title, items, file, null as tool,
  previous
from _facts
where agent is null and type in ('decision.recorded', 'unit.started', 'unit.item.checked',
  'unit.finished', 'session.started')
union all
select project, imported, sid, seq, type, null, null, null, null, null, items, file, tool, null
from _tools where agent is null and type = 'tool.finished' and items is not null
order by project, imported, seq
"""
_C = {
    "id": "BIGINT",
    "project": "VARCHAR",
    "imported": "BOOLEAN",
    "sid": "VARCHAR",
    "seq": "BIGINT",
    "done_seq": "BIGINT",
    "warned": "BIGINT",
}
_MEMBERS = ("unit", "item", "done", "title", "items", "file", "tool", "previous")
_PATHS = """
select id, list(target order by newest desc) from (
  select c.id, l.target, max(l.seq) as newest
  from _c c join _tools l on l.project = c.project and l.imported = c.imported and l.sid = c.sid
    and l.seq < c.seq
  where l.type = 'tool.finished' and l.changed and l.target <> ''
  group by c.id, l.target qualify row_number() over (partition by c.id order by newest desc) <= 12)
group by id
"""
_SAMPLES = """
select c.id, b.tokens as before, b.point, a.tokens as after,
  (select count(*) from _facts l where l.project = c.project and l.imported = c.imported
    and l.sid = c.sid and l.type = 'prompt.submitted' and l.agent is null
    and l.seq > c.warned and l.seq < c.seq) as turns
from _c c
asof left join (select * from _facts where type = 'pressure.sampled' and agent is null) b
  on b.project = c.project and b.imported = c.imported and b.sid = c.sid and b.seq < c.seq
asof left join (select * from _facts where type = 'pressure.sampled' and agent is null) a
  on a.project = c.project and a.imported = c.imported and a.sid = c.sid and a.seq > c.done_seq
"""


class Compaction:
    """One compaction as its events tell it. at: epoch seconds; warned: (seq, at, level, tokens)."""

    def __init__(self, place: tuple[str, bool, str], seq: int, at: float) -> None:
        self.place = place
        self.seq = seq
        self.at = at
        self.trigger = ""
        self.tokens: int | None = None
        self.point = 0
        self.unpromoted: int | None = None
        self.summary: list[str] = []
        self.size: int | None = None
        self.announced = False  # session.started(compact)
        self.finished = False  # compact.finished
        self.done_seq = 0
        self.after: int | None = None
        self.warned: tuple[int, float, str, int | None] | None = None
        self.heeded = False

    @property
    def done(self) -> bool:
        """Whether it happened."""
        return self.announced or self.finished


class _Session:
    """What is remembered of a session between its compactions."""

    def __init__(self) -> None:
        self.open: Compaction | None = None
        self.warned: tuple[int, float, str, int | None] | None = None
        self.compound = False


def fold(rows: Iterable[tuple[Any, ...]]) -> Iterator[Compaction]:
    """Make compactions of events, given by project, log and seq, as `_EVENTS` selects them."""
    sessions: dict[tuple[str, bool, str], _Session] = {}
    found: list[Compaction] = []
    for row in rows:
        project, imported, sid, kind = row[0], row[1], row[2] or "", row[5]
        place = (project, imported, sid)
        here = sessions.setdefault(place, _Session())
        if kind == "compound.ran":
            for other, session in sessions.items():
                if other == place or (not sid and other[:2] == place[:2]):
                    session.compound = session.compound or session.warned is not None
        elif kind == "advice.given":
            here.warned = here.warned or (row[3], row[4], row[14] or "", row[7])
        elif kind == "compact.started":
            found.append(_begun(here, place, row))
        elif kind == "compact.summarized":
            if here.open is not None and not here.open.finished:
                here.open.summary.append(row[11] or "")
                here.open.size = row[10]
        else:
            known = here.open
            again = known is None or (
                known.announced if kind == "session.started" else known.finished and row[15] == 1
            )
            if again:
                found.append(_begun(here, place, row))
            _proved(here, row)
    yield from found


def _begun(here: _Session, place: tuple[str, bool, str], row: tuple[Any, ...]) -> Compaction:
    made = Compaction(place, row[3], row[4])
    made.trigger = row[6] or ""
    made.tokens, made.point, made.unpromoted = row[7], row[8] or 0, row[9]
    made.warned = here.warned
    made.heeded = here.compound or made.trigger == "manual"
    here.open = made
    return made


def _proved(here: _Session, row: tuple[Any, ...]) -> None:
    """Take what says that the open compaction happened."""
    made = here.open
    if made is None:
        return
    if not made.done:
        made.done_seq = row[3]
        here.warned, here.compound = None, False
    if row[5] == "session.started":
        made.announced = True
        made.after = row[13] or made.after
        return
    if row[15] == 1:
        made.summary = []  # what PostCompact carries is the summary itself
    made.finished = True
    made.trigger = made.trigger or row[6] or ""
    made.summary.append(row[11] or "")
    made.size = row[10] or made.size


def empty_table(engine: Engine) -> None:
    """Make the table the view reads, without rows."""
    columns = ",".join(f'"{c.name}" {c.type}' for c in TABLES["compactions"].columns)
    engine.run(f"create or replace temp table _compactions ({columns})")


def fill(engine: Engine) -> None:
    """Fill the table."""
    made = _alone(list(fold(engine.run(_EVENTS).all())))
    empty_table(engine)
    if not made:
        return
    listed = ",".join(f"{name} {kind}" for name, kind in _C.items())
    engine.run(f"create or replace temp table _c ({listed})")
    engine.put(
        "_c",
        _C,
        [
            (n, *c.place, c.seq, c.done_seq or 2**62, c.warned and c.warned[0])
            for n, c in enumerate(made)
        ],
    )
    samples = {row[0]: row[1:] for row in engine.run(_SAMPLES).all()}
    paths = dict(engine.run(_PATHS).all())
    work = _work(engine, made)
    roots = {row[:2]: row[2] for row in engine.run("select project, sid, root from _roots").all()}
    observed: dict[str, dict[str, list[int]]] = {}
    rows = []
    for number, item in enumerate(made):
        known = Known(
            paths=paths.get(number, [])[:_KEPT], decisions=work[number][0], items=work[number][1]
        )
        seen = observed.setdefault(item.place[0], {})
        rows.append(_row(item, samples[number], known, seen, roots))
    engine.put("_compactions", {c.name: c.type for c in TABLES["compactions"].columns}, rows)
    engine.run("drop table _c")


def _alone(made: list[Compaction]) -> list[Compaction]:
    """Leave out what a transcript tells of a compaction that a hook told."""
    live: dict[tuple[str, str], list[float]] = {}
    for item in made:
        if not item.place[1]:
            live.setdefault((item.place[0], item.place[2]), []).append(item.at)
    return [
        item
        for item in made
        if not item.place[1]
        or all(abs(item.at - at) > _SAME for at in live.get((item.place[0], item.place[2]), ()))
    ]


def _row(
    item: Compaction,
    sample: tuple[Any, ...],
    known: Known,
    seen: dict[str, list[int]],
    roots: dict[Any, str],
) -> tuple[Any, ...]:
    before, sampled_point, after, turns = sample
    project, imported, sid = item.place
    tokens = item.tokens if item.tokens is not None else before
    by_formula = item.point or sampled_point or 0
    point, source = point_of(Pressure(observed=seen), by_formula)
    if item.done and item.trigger == "auto" and by_formula and tokens:
        kept = seen.setdefault(str(by_formula), [])
        kept.append(tokens)
        del kept[:-_OBSERVED]
    lost = dropped(known, "".join(item.summary))
    seq, at, level, told = item.warned or (None, None, None, None)
    leads = (item.at - at, turns, tokens - told if tokens and told else None) if at else (None,) * 3
    return (
        project,
        roots.get((project, sid), sid),
        sid,
        item.seq,
        _time(item.at),
        item.trigger or None,
        item.done,
        tokens,
        item.after or after,
        point or None,
        source if point else None,
        _time(at),
        level or None,
        *leads,
        item.heeded if seq else None,
        item.unpromoted,
        item.size,
        lost.paths,
        lost.decisions,
        lost.items,
        imported,
    )


def _time(at: float | None) -> str | None:
    from journal.clock import iso

    return None if at is None else iso(round(at * 1000)).removesuffix("Z")


def _work(engine: Engine, made: list[Compaction]) -> dict[int, tuple[list[str], list[str]]]:
    """Decisions and open items known before each compaction."""
    from journal.events.registry import class_of

    pending: dict[tuple[str, bool], list[tuple[int, int]]] = {}
    for number, item in enumerate(made):
        pending.setdefault(item.place[:2], []).append((item.seq, number))
    found: dict[int, tuple[list[str], list[str]]] = {}
    place: tuple[str, bool] = ("", False)
    state: Any = UNITS.initial
    decisions: dict[str, list[str]] = {}

    def settle(upto: int) -> None:
        while pending.get(place) and pending[place][0][0] < upto:
            _seq, number = pending[place].pop(0)
            sid = made[number].place[2]
            unit = current(state.sessions.get(sid))
            items = [item.text for item in unit.items if not item.done] if unit else []
            found[number] = (decisions.get(sid, [])[:_KEPT], items)

    for row in engine.run(_WORK).all():
        project, imported, sid, seq, kind, text = row[:6]
        if (project, imported) != place:
            settle(2**62)
            place, state, decisions = (project, imported), UNITS.initial, {}
        settle(seq)
        if kind == "decision.recorded":
            decisions[sid or ""] = [text or "", *decisions.get(sid or "", [])]
            continue
        fields = dict(zip(_MEMBERS, row[6:], strict=True))
        fields["items"] = _listed(fields["items"])
        kinds = class_of(kind)
        known = {k: v for k, v in fields.items() if v is not None and k in kinds.__struct_fields__}
        event = kinds(seq=seq, sid=sid or "", **known)
        state = UNITS.step(state, kind, event)
    settle(2**62)
    return {n: found.get(n, ([], [])) for n in range(len(made))}


def _listed(text: str | None) -> list[Any] | None:
    if text is None:
        return None
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, list) else None
