"""The command `journal tune`: try other levels on past sessions, and propose settings.

Invariant: it proposes settings with their figures, and changes none.
"""

import os
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from cli.read import asked_for
from cli.render.text import table
from cli.scope import Scope
from cli.stats.report import Bars, lines_of_part
from cli.stats.reports import stages
from journal.config import HOME_FILE
from journal.history.tables.database import History
from journal.history.timeline import SessionTimeline, session_timelines
from journal.history.trials import best, costs, grid, proposals, trial, urgent_above
from journal.text import clip, duration, plural
from projections.stage import Span

_LEAD = 120  # seconds a first warning should come before an automatic compaction
_HEADS = ("", "INFO", "URGENT", "WARN/S", "MISSED", "UNNEEDED", "LEAD", "TURNS", "TOKENS")


class _Result:
    """Trials of the levels and costs of the stages.

    changed: the settings to change, as (key, now, proposed).
    """

    def __init__(
        self, scope: Scope, found: list[SessionTimeline], spans: list[Span], lead: int
    ) -> None:
        settings = scope.settings
        info, urgent = float(settings["pressure.info"]), float(settings["pressure.urgent"])
        self.now = trial(found, info, urgent)
        self.rows = grid(found, info, urgent)
        infos = [row for row in self.rows if row.urgent == urgent]
        chosen = best(infos, self.now, lead)
        above = urgent_above(chosen.info, urgent)
        self.both = chosen if above == urgent else trial(found, chosen.info, above)
        self.spans = spans
        self.costs = costs(spans)
        values: dict[str, tuple[object, object]] = {
            "pressure.info": (self.now.info, self.both.info),
            "pressure.urgent": (self.now.urgent, self.both.urgent),
            **proposals(self.costs, settings),
        }
        self.changed = [(key, now, new) for key, (now, new) in values.items() if now != new]


def tune(scope: Scope, *, since: str, lead: int | None) -> int:
    """Try other levels on past sessions."""
    journals, bound = asked_for(scope, since)
    with closing(History(scope.home, journals[0][0] if len(journals) == 1 else "")) as history:
        found, spans = session_timelines(history, bound), history.spans("")
        result = _Result(scope, found, spans, _LEAD if lead is None else lead)
    return scope.show(_data(result), _lines(scope, result, len(journals), bound))


def _lines(scope: Scope, result: _Result, count: int, since: str) -> Iterator[str]:
    now, columns = result.now, scope.columns
    read = plural(now.sessions, "session with readings", "sessions with readings")
    came = plural(now.compactions, "automatic compaction")
    yield f"{read} in {plural(count, 'project')}, {came}"
    if not now.sessions:
        imports = "no past sessions with readings; run `journal import` to add those of transcripts"
        yield "without --since, journal tune counts all sessions" if since else imports
        return
    yield ""
    yield from _table(result, columns)
    yield (
        "WARN/S: warnings per session. MISSED: automatic compactions without a warning. UNNEEDED: "
        "warnings after which nobody acted and nothing was compacted. LEAD, TURNS, TOKENS: median "
        "from the first warning to an automatic compaction. > marks the current levels, * the "
        "proposed ones."
    )
    yield ""
    missed = [
        (f"{100 * row.info:g}%", row.misses + row.noise, f"{row.misses} + {row.noise}")
        for row in result.rows
        if row.urgent == now.urgent
    ]
    title = "missed compactions and unneeded warnings by pressure.info"
    yield from lines_of_part(Bars(title, missed), columns, scope.style)
    for part in stages(result.spans).parts[:1]:
        yield ""
        yield "context that finished stages took"
        yield from lines_of_part(part, columns, scope.style)
    yield ""
    yield from _proposal(scope, result)


def _table(result: _Result, columns: int) -> list[str]:
    rows = []
    shown = result.rows if result.both in result.rows else [*result.rows, result.both]
    for row in shown:
        sign = ">" if (row.info, row.urgent) == (result.now.info, result.now.urgent) else ""
        sign += "*" if row == result.both else ""
        rows.append(
            (
                sign,
                f"{100 * row.info:g}%",
                f"{100 * row.urgent:g}%",
                f"{row.per_session:.2f}",
                f"{row.misses}/{row.compactions}",
                str(row.noise),
                "-" if row.seconds is None else duration(round(1000 * row.seconds)),
                "-" if row.prompts is None else f"{row.prompts:g}",
                "-" if row.tokens is None else f"{row.tokens:,.0f}",
            )
        )
    return table(rows, columns, heads=_HEADS, right=range(1, 9))


def _proposal(scope: Scope, result: _Result) -> Iterator[str]:
    if not result.changed:
        why = "" if result.now.compactions else " (no automatic compaction to compare with)"
        yield f"nothing to change{why}"
        return
    yield f"Proposed for {os.path.join(scope.home, HOME_FILE)}:"
    section = ""
    for key, now, new in result.changed:
        table_, _, name = key.rpartition(".")
        if table_ != section:
            section = table_
            yield f"[{section}]"
        yield clip(f"{name} = {new}  # now {now}", scope.columns)


def _data(result: _Result) -> dict[str, Any]:
    return {
        "now": result.now._asdict(),
        "proposed": result.both._asdict(),
        "rows": [row._asdict() for row in result.rows],
        "stages": [cost._asdict() for cost in result.costs],
        "settings": [{"key": key, "now": now, "proposed": new} for key, now, new in result.changed],
    }
