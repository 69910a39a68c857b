"""The command `journal tune`: thresholds weighed against history, as tables, bars and lines to set.

Invariant: it writes nothing; what it proposes is what it shows the figures of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.error import OK
from cli.render.text import emit, emit_json, table
from cli.stats.draw import bars
from cli.tune.core import Trial, best, grid, trial, urgent_above
from cli.tune.stages import Cost, costs, proposals
from journal.history.timeline import asked_for, sessions_of, spans_of
from journal.text import clip, plural, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.scope import Scope
    from journal.history.timeline import Session
    from projections.stage import Span

__all__ = ["tune"]

_LEAD = 120  # seconds a first warning should come before an automatic compaction
_STAGE_HEADS = ("STAGE", "RUNS", "MEDIAN", "MOST", "TOKENS")
_HEADS = ("", "INFO", "URGENT", "WARN/S", "MISSED", "NOISE", "LEAD", "TURNS", "TOKENS")


class _Weighed:
    def __init__(self, scope: Scope, found: list[Session], spans: list[Span], lead: int) -> None:
        settings = scope.settings
        info, urgent = float(settings["pressure.info"]), float(settings["pressure.urgent"])
        self.lead = lead
        self.now = trial(found, info, urgent)
        self.rows = grid(found, info, urgent)
        infos = [row for row in self.rows if row.urgent == urgent]
        chosen = best(infos, self.now, lead)
        above = urgent_above(chosen.info, urgent)
        self.both = chosen if above == urgent else trial(found, chosen.info, above)
        self.costs = costs(spans)
        self.stages = proposals(self.costs, settings)

    def lines(self) -> list[tuple[str, object, object]]:
        """Settings to change, as (key, now, proposed)."""
        changed: list[tuple[str, object, object]] = []
        for key, now, new in (
            ("pressure.info", self.now.info, self.both.info),
            ("pressure.urgent", self.now.urgent, self.both.urgent),
        ):
            if now != new:
                changed.append((key, now, new))
        changed += [(key, now, new) for key, (now, new) in self.stages.items() if now != new]
        return changed


def tune(scope: Scope, *, all_projects: bool, since: str, lead: int | None) -> int:
    """Weigh thresholds."""
    places, bound = asked_for(scope, since, all_projects=all_projects)
    found, spans = [], []
    for name, directory in places:
        found += sessions_of(name, directory, bound)
        spans += spans_of(directory)
    weighed = _Weighed(scope, found, spans, _LEAD if lead is None else lead)
    if scope.json:
        emit_json(_data(weighed))
    else:
        emit(_lines(scope, weighed, len(places)))
    return OK


def _lines(scope: Scope, weighed: _Weighed, places: int) -> Iterator[str]:
    now, columns = weighed.now, scope.columns
    read = plural(now.sessions, "session with readings", "sessions with readings")
    came = plural(now.compactions, "automatic compaction")
    yield from wrapped(f"{read} in {plural(places, 'project')}, {came}", columns)
    if not now.sessions:
        yield from wrapped("nothing to weigh: journal import brings past sessions in", columns)
        return
    yield ""
    yield from _table(weighed, columns)
    yield from wrapped(
        "WARN/S warnings per session; MISSED automatic compactions without a warning; NOISE "
        "warned, nothing done, nothing came; LEAD, TURNS, TOKENS median from the first warning to "
        "an automatic compaction. > in force, * proposed.",
        columns,
    )
    yield ""
    rows = [row for row in weighed.rows if row.urgent == now.urgent]
    yield from wrapped("missed and noise by pressure.info", columns)
    yield from bars(
        [
            (f"{100 * row.info:g}%", row.misses + row.noise, f"{row.misses} + {row.noise}")
            for row in rows
        ],
        columns,
        scope.style if scope.style.on else None,
        "yellow",
    )
    yield from _stages(weighed, columns)
    yield ""
    yield from _proposal(scope, weighed)


def _table(weighed: _Weighed, columns: int) -> list[str]:
    rows = []
    shown = weighed.rows if weighed.both in weighed.rows else [*weighed.rows, weighed.both]
    for row in shown:
        mark = ">" if (row.info, row.urgent) == (weighed.now.info, weighed.now.urgent) else ""
        mark += "*" if row == weighed.both else ""
        rows.append(
            (
                mark,
                f"{100 * row.info:g}%",
                f"{100 * row.urgent:g}%",
                f"{row.per_session:.2f}",
                f"{row.misses}/{row.compactions}",
                str(row.noise),
                _seconds(row.seconds),
                "-" if row.prompts is None else f"{row.prompts:g}",
                "-" if row.tokens is None else f"{row.tokens:,.0f}",
            )
        )
    return table(rows, columns, heads=_HEADS, right=range(1, 9))


def _seconds(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:.0f} s" if value < 600 else f"{value / 60:.0f} min"


def _stages(weighed: _Weighed, columns: int) -> Iterator[str]:
    known = [cost for cost in weighed.costs if cost.runs]
    if not known:
        return
    yield ""
    yield from wrapped("what finished stages took of the context", columns)
    yield from table(
        [_cost(cost) for cost in known], columns, heads=_STAGE_HEADS, right=range(1, 5)
    )


def _cost(cost: Cost) -> tuple[str, str, str, str, str]:
    percents, tokens = cost.percents, cost.tokens
    return (
        cost.stage,
        str(cost.runs),
        f"{percents[len(percents) // 2]:.0f}%" if percents else "unknown",
        f"{percents[-1]:.0f}%" if percents else "unknown",
        f"{tokens[len(tokens) // 2]:,}" if tokens else "unknown",
    )


def _proposal(scope: Scope, weighed: _Weighed) -> Iterator[str]:
    changed = weighed.lines()
    if not changed:
        why = "" if weighed.now.compactions else " (no automatic compaction to weigh it by)"
        yield from wrapped(f"nothing to change{why}", scope.columns)
        return
    yield from wrapped(f"for {scope.home}/config.toml:", scope.columns)
    section = ""
    for key, now, new in changed:
        table_, _, name = key.rpartition(".")
        if table_ != section:
            section = table_
            yield f"[{section}]"
        yield clip(f"{name} = {new}  # now {now}", scope.columns)


def _data(weighed: _Weighed) -> dict[str, Any]:
    return {
        "now": weighed.now._asdict(),
        "proposed": weighed.both._asdict(),
        "rows": [_row(row) for row in weighed.rows],
        "stages": [cost._asdict() for cost in weighed.costs],
        "settings": [
            {"key": key, "now": now, "proposed": new} for key, now, new in weighed.lines()
        ],
    }


def _row(row: Trial) -> dict[str, Any]:
    return row._asdict()
