"""The reports as pure functions: sessions and facts in, a Report out.

A report consists of a title, tables and plots as data; `show` draws it in a terminal, `page` as
HTML. Invariant: a figure that is not known is None, never a number.
"""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from cli.render.local_time import local_time, zone
from cli.render.text import dollars, short_id
from journal.clock import iso
from journal.history.hook_calls import HookCost
from journal.history.stage_costs import costs
from journal.history.timeline import COMPACTIONS, compaction_rows, week_of
from journal.history.trials import outcomes
from journal.history.usage.periods import between, period_of
from journal.history.usage.report import empty_between, row_data
from journal.text import plural, short_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from journal.history.timeline import SessionTimeline, TimelineEntry
    from journal.history.usage.report import UsageReport, UsageRow
    from projections.stage import Span

__all__ = [
    "Bars",
    "Part",
    "Report",
    "ReportLine",
    "ReportTable",
    "advice",
    "compactions",
    "hooks",
    "pressure",
    "sessions",
    "stages",
    "usage",
]

_WEEKS = 12
_NO_CALLS = HookCost(0, [])
_DAYS = 14
_SHOWN = 20


class ReportTable(NamedTuple):
    """Rows under heads; numbers: right-aligned columns. None is shown as unknown."""

    heads: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    numbers: tuple[int, ...] = ()


class Bars(NamedTuple):
    """Bars from zero: (label, value, note)."""

    title: str
    rows: list[tuple[str, float, str]]


class ReportLine(NamedTuple):
    """A line over time. points: (ms, share of T); marks: (ms, char); levels: (share, name)."""

    title: str
    points: list[tuple[float, float]]
    marks: list[tuple[float, str]]
    levels: list[tuple[float, str]]
    legend: str


Part = ReportTable | Bars | ReportLine


class Report(NamedTuple):
    """A report. summary: a sentence or two; data: what --json prints.

    figures: headline figures, as (figure, what it counts).
    """

    name: str
    summary: list[str]
    parts: list[Part]
    data: Any
    figures: Sequence[tuple[str, str]] = ()


def compactions(found: Sequence[SessionTimeline], name_of: Callable[[str], str] = str) -> Report:
    """Report compactions per project and week: their number, kind and tokens.

    name_of: names a project for people.
    """
    rows = [(s.project, e) for s in found for e in s.entries if e.kind in COMPACTIONS]
    weeks = Counter(week_of(entry.at) for _, entry in rows)
    projects: dict[str, list[TimelineEntry]] = {}
    for project, entry in rows:
        projects.setdefault(project, []).append(entry)
    lines = [(name_of(name), *_figures(name, entries, found)) for name, entries in projects.items()]
    lines.sort(key=lambda row: (-row[1], row[0]))
    automatic = sum(entry.kind == "auto" for _, entry in rows)
    summary = [f"no compaction in {plural(len(found), 'session')}"]
    parts: list[Part] = []
    if rows:
        count, where = plural(len(rows), "compaction"), plural(len(projects), "project")
        summary = [f"{count}, {automatic} of them automatic, in {where}"]
        shown = [(week, weeks.get(week, 0)) for week in between("week", weeks)[-_WEEKS:]]
        heads = ("PROJECT", "ALL", "AUTO", "PER SESSION", "MEDIAN TOKENS")
        parts = [
            Bars("per week", [(week, count, str(count)) for week, count in shown]),
            ReportTable(heads, lines[:_SHOWN], (1, 2, 3, 4)),
        ]
    figures = [(f"{len(rows):,}", "compactions"), (f"{automatic:,}", "of them automatic")]
    return Report("compactions", summary, parts, compaction_rows(found), figures)


def _values(rows: Iterable[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    """Return the rows that --json prints as those of a table."""
    return [tuple(row.values()) for row in rows]


def _figures(
    name: str, entries: list[TimelineEntry], found: Sequence[SessionTimeline]
) -> tuple[Any, ...]:
    count = sum(session.project == name for session in found)
    tokens = [entry.tokens for entry in entries if entry.tokens]
    return (
        len(entries),
        sum(entry.kind == "auto" for entry in entries),
        round(len(entries) / count, 1) if count else None,
        int(median(tokens)) if tokens else None,
    )


def pressure(
    session: SessionTimeline | None,
    info: float,
    urgent: float,
    name_of: Callable[[str], str] = str,
) -> Report:
    """Report the readings of one session as shares of T, with its warnings and compactions.

    name_of: names a project for people.
    """
    if session is None:
        what = "no session with a reading; an import reads them: journal import"
        return Report("pressure", [what], [], None)
    readings = [m for m in session.entries if m.kind == "reading" and m.point]
    points = [(float(m.at), m.tokens / m.point) for m in readings]
    signs = {"told": "!", "auto": "A", "manual": "M", "compound": "c"}
    marks = [(float(m.at), signs[m.kind]) for m in session.entries if m.kind in signs]
    name = session.title or short_id(session.sid)
    count = sum(char in "AM" for _, char in marks)
    summary = [
        f"{name} in {name_of(session.project)}: {plural(len(readings), 'reading')}, "
        + plural(count, "compaction")
    ]
    figures: list[tuple[str, str]] = []
    if readings:
        most = max(readings, key=lambda m: m.tokens / m.point)
        summary.append(
            f"at most {most.tokens:,} of {most.point:,} tokens "
            f"({100 * most.tokens / most.point:.0f}% of T)"
        )
        share = f"{100 * most.tokens / most.point:.0f}%"
        figures = [(share, "highest pressure of the session drawn below")]
    levels = [(1.0, "T"), (urgent, "urgent"), (info, "info")]
    legend = "A automatic compaction, M manual, ! warning, c compound"
    title = f"{local_time(session.first)} to {local_time(session.last)} {zone(session.last)}"
    parts: list[Part] = [ReportLine(title, points, marks, levels, legend)] if points else []
    data = {
        "session": session.sid,
        "project": session.project,
        "moments": [
            {
                "at": iso(entry.at),
                "kind": entry.kind,
                "tokens": entry.tokens or None,
                "point": entry.point or None,
                "seq": entry.seq,
            }
            for entry in session.entries
            if entry.kind != "prompt"
        ],
    }
    return Report("pressure", summary, parts, data, figures)


def advice(found: Sequence[SessionTimeline], info: float, urgent: float) -> Report:
    """Report warnings and what followed; for imported sessions, the warnings that were due."""
    live = [session for session in found if not session.imported]
    rows: list[dict[str, Any]] = []
    for level in ("info", "urgent"):
        reactions = Counter(
            _first_after(session, entry)
            for session in live
            for entry in session.entries
            if entry.kind == "told" and entry.detail == level
        )
        counts = {kind: reactions[kind] for kind in ("compound", "manual", "auto")}
        rows.append(
            {"level": level, "given": reactions.total(), **counts, "nothing": reactions[""]}
        )
    given_all = sum(row["given"] for row in rows)
    heeded = sum(row["compound"] + row["manual"] for row in rows)
    where = plural(len(live), "session")
    summary = [f"no warning was given in {where}"]
    if given_all:
        summary = [f"{plural(given_all, 'warning')} given in {where}, {heeded} heeded"]
    simulated = [o for s in found if s.imported for o in outcomes(s, info, urgent)]
    if simulated:
        warned = sum(bool(o.warnings) for o in simulated)
        imported = plural(sum(s.imported for s in found), "imported session")
        summary.append(
            f"{imported} had no hooks: warnings would have come {plural(warned, 'time')}"
        )
    parts: list[Part] = []
    if given_all:
        heads = ("LEVEL", "GIVEN", "COMPOUND", "COMPACTED", "AUTOMATIC", "NOTHING")
        bars = []
        for row in rows:
            count = row["compound"] + row["manual"]
            bars.append((row["level"], float(count), f"{count} of {row['given']}"))
        parts = [ReportTable(heads, _values(rows), (1, 2, 3, 4, 5)), Bars("heeded", bars)]
    figures = [(f"{heeded} of {given_all}", "warnings heeded")]
    return Report("advice", summary, parts, rows, figures)


def _first_after(session: SessionTimeline, warning: TimelineEntry) -> str:
    """Return what came first after a warning: compound, manual, auto, or "" for nothing."""
    after = (e.kind for e in session.entries if e.at >= warning.at and e.seq > warning.seq)
    return next((kind for kind in after if kind in ("compound", "manual", "auto")), "")


def stages(spans: Iterable[Span]) -> Report:
    """Report what stages used: share of the window and tokens."""
    found = [cost for cost in costs(spans) if cost.runs]
    rows = [
        {
            "stage": c.stage,
            "runs": c.runs,
            "median_percent": round(median(c.percents), 1) if c.percents else None,
            "most_percent": c.percents[-1] if c.percents else None,
            "tokens": int(median(c.tokens)) if c.tokens else None,
        }
        for c in found
    ]
    summary = ["no stage is finished; journal stage start begins a dev cycle"]
    parts: list[Part] = []
    if rows:
        summary = [plural(sum(c.runs for c in found), "finished stage")]
        heads = ("STAGE", "RUNS", "MEDIAN %", "MAX %", "TOKENS")
        parts = [ReportTable(heads, _values(rows), (1, 2, 3, 4))]
        medians = [(c.stage, round(median(c.percents), 1)) for c in found if c.percents]
        shares = [(stage, share, f"{share:g}%") for stage, share in medians]
        parts += [Bars("median share of the window", shares)] if shares else []
    return Report("stages", summary, parts, rows)


def hooks(calls: Mapping[str, Mapping[str, HookCost]], short: Mapping[str, int]) -> Report:
    """Report what hooks cost. calls: session → hook → its calls.

    short: session → calls recorded in short form because hooks were over their budget.

    Only measurements in the journal count; a session without one is unknown.
    """
    by_hook: dict[str, HookCost] = {}
    by_session: dict[str, HookCost] = {}
    for sid, of_session in calls.items():
        for hook, cost in of_session.items():
            by_hook[hook] = by_hook.get(hook, _NO_CALLS).plus(cost)
            by_session[sid] = by_session.get(sid, _NO_CALLS).plus(cost)
    ordered = sorted(by_hook.items(), key=lambda item: (-item[1].calls, item[0]))
    rows = [{"hook": hook, "calls": cost.calls, **_times(cost.measured)} for hook, cost in ordered]
    measured = sum(len(cost.measured) for cost in by_hook.values())
    count = sum(cost.calls for cost in by_hook.values())
    totals = {sid: _total(cost.measured) for sid, cost in by_session.items()}
    numbers = [total for total in totals.values() if total is not None]
    sessions = plural(len(calls), "session")
    if count:
        summary = [f"{plural(count, 'hook call')} in {sessions}, {measured} of them measured"]
        summary.append(
            f"median {median(numbers):,.0f} ms per session"
            if numbers
            else "what they cost is unknown: no call was measured"
        )
    else:
        summary = ["no hook call is recorded; hooks run once journal setup has added them"]
    if short:
        summary.append(
            f"{plural(sum(short.values()), 'call')} in {plural(len(short), 'session')} recorded in "
            "short form: hooks were over capture.budget"
        )
    parts: list[Part] = []
    if rows:
        heads = ("HOOK", "CALLS", "MEDIAN MS", "P95 MS", "TOTAL MS")
        shares = [(hook, float(cost.calls), str(cost.calls)) for hook, cost in ordered]
        parts = [ReportTable(heads, _values(rows), (1, 2, 3, 4)), Bars("calls", shares)]
    data = {
        "hooks": rows,
        "sessions": [
            {
                "session": sid,
                "calls": cost.calls,
                "total_ms": totals[sid],
                "short": short.get(sid, 0),
            }
            for sid, cost in by_session.items()
        ],
    }
    figures = [(f"{median(numbers):,.0f} ms", "of hooks in a session, median")] if numbers else []
    return Report("hooks", summary, parts, data, figures)


def _times(measured: Iterable[int]) -> dict[str, float | None]:
    numbers = sorted(measured)
    high = numbers[min(len(numbers) - 1, int(0.95 * len(numbers)))] if numbers else 0
    return {
        "median_ms": round(median(numbers) / 1000, 1) if numbers else None,
        "p95_ms": round(high / 1000, 1) if numbers else None,
        "total_ms": _total(numbers),
    }


def _total(measured: Sequence[int]) -> float | None:
    return round(sum(measured) / 1000, 1) if measured else None


def usage(by_day: UsageReport, by_model: UsageReport, by_session: UsageReport) -> Report:
    """Report tokens and cost per day, by model, and of the most expensive sessions."""
    total = by_day.total
    data = {
        item.by[0]: [row_data(item.by, row) for row in item.rows]
        for item in (by_day, by_model, by_session)
    }
    if not total.replies:
        what = "no replies with tokens are recorded; an import reads them: journal import"
        return Report("usage", [what], [], data)
    cost, tokens = dollars(total.cost), short_count(total.tokens.total)
    compacted = f"{dollars(total.compact_cost)} of it for compactions"
    replies = plural(total.replies, "reply", "replies")
    summary = [f"{replies}, {tokens} tokens, {cost} at list prices, {compacted}"]
    if total.unpriced:
        summary.append(f"no known price for {', '.join(sorted(total.unpriced))}")
    days = empty_between("day", by_day.rows)[-_DAYS:]
    heads = ("REPLIES", "TOKENS", "COST", "COMPACTION")
    costliest = sorted(by_session.rows, key=lambda row: -(row.cost or 0))[:_SHOWN]
    parts: list[Part] = [
        Bars(
            "cost per day",
            [
                (
                    row.names[0],
                    row.cost or 0,
                    dollars(row.cost) if row.replies else "-",
                )
                for row in days
            ],
        ),
        ReportTable(("MODEL", *heads), [_spent(row) for row in by_model.rows], (1, 2, 3, 4)),
        ReportTable(("SESSION", *heads), [_spent(row, 8) for row in costliest], (1, 2, 3, 4)),
    ]
    figures = [(cost, "at list prices"), (tokens, "tokens")]
    return Report("usage", summary, parts, data, figures)


def _spent(row: UsageRow, most: int | None = None) -> tuple[Any, ...]:
    tokens = short_count(row.tokens.total)
    costs = (dollars(row.cost), dollars(row.compact_cost))
    return (row.names[0][:most], row.replies, tokens, *costs)


def sessions(found: Sequence[SessionTimeline], name_of: Callable[[str], str] = str) -> Report:
    """Report sessions: start, duration, prompts and compactions, and their highest pressure.

    name_of: names a project for people.
    """
    rows: list[dict[str, Any]] = []
    newest = sorted(found, key=lambda s: (-s.first, s.sid))
    for session in newest:
        shares = [m.tokens / m.point for m in session.entries if m.kind == "reading" and m.point]
        rows.append(
            {
                "started": iso(session.first)[:16].replace("T", " "),
                "session": session.sid,
                "project": session.project,
                "minutes": (session.last - session.first) // 60_000,
                "prompts": sum(m.kind == "prompt" for m in session.entries),
                "compactions": sum(m.kind in COMPACTIONS for m in session.entries),
                "most_percent": round(100 * max(shares)) if shares else None,
                "title": session.title or None,
            }
        )
    days = Counter(period_of("day", session.first) for session in newest)
    prompts, compacted = (sum(row[name] for row in rows) for name in ("prompts", "compactions"))
    summary = [
        f"{plural(len(rows), 'session')}, {plural(prompts, 'prompt')}, "
        + plural(compacted, "compaction")
    ]
    parts: list[Part] = []
    if rows:
        heads = ("STARTED", "SESSION", "PROJECT", "MIN", "PROMPTS", "COMPACT", "MAX %T", "TITLE")
        latest = [(day, days.get(day, 0)) for day in between("day", days)[-_DAYS:]]
        shown = [
            (local_time(one.first)[5:], short_id(one.sid), name_of(one.project), *values[3:])
            for one, values in zip(newest, _values(rows[:_SHOWN]), strict=False)
        ]
        parts = [
            ReportTable(heads, shown, (3, 4, 5, 6)),
            Bars("per day", [(day, count, str(count)) for day, count in latest]),
        ]
    figures = [(f"{len(rows):,}", "sessions"), (f"{prompts:,}", "prompts")]
    return Report("sessions", summary, parts, rows, figures)
