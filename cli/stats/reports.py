"""The reports on sessions, pressure, warnings and stages, as pure functions.

Invariant: an unknown figure is None, never a number.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import Any

from cli.render.local_time import local_time
from cli.render.text import short_id
from cli.stats.report import (
    MOST_ROWS,
    Bars,
    Part,
    Report,
    ReportLine,
    ReportTable,
    headline,
    newest_bars,
    table_rows,
)
from journal.clock import iso
from journal.history.timeline import (
    COMPACTIONS,
    SessionTimeline,
    TimelineEntry,
    compaction_rows,
)
from journal.history.trials import costs, outcomes
from journal.history.usage.periods import between, period_of
from journal.text import duration, plural
from projections.stage import Span

_NO_HOOKS = "no prompt or reading from hooks yet; to see whether they are set up: journal doctor"
_NO_SESSION = "no session yet; to import past sessions: journal import"


def compactions(found: Sequence[SessionTimeline], name_of: Callable[[str], str] = str) -> Report:
    """Report compactions per project and week: their number, kind and tokens.

    name_of: returns the name of a project for people.
    """
    rows = [(s.project, e) for s in found for e in s.of(*COMPACTIONS)]
    weeks = Counter(period_of("week", entry.at) for _, entry in rows)
    projects: dict[str, list[TimelineEntry]] = {}
    for project, entry in rows:
        projects.setdefault(project, []).append(entry)
    lines = [(name_of(name), *_figures(name, entries, found)) for name, entries in projects.items()]
    lines.sort(key=lambda row: (-row[1], row[0]))
    automatic = sum(entry.kind == "auto" for _, entry in rows)
    summary = [f"no compaction in {plural(len(found), 'session')}" if found else _NO_SESSION]
    parts: list[Part] = []
    if rows:
        count, where = plural(len(rows), "compaction"), plural(len(projects), "project")
        summary = [f"{count}, {automatic} of them automatic, in {where}"]
        shown = [(week, weeks[week], str(weeks[week])) for week in between("week", weeks)]
        heads = ("PROJECT", "ALL", "AUTO", "PER SESSION", "MEDIAN TOKENS")
        parts = [
            newest_bars("", "week", shown),
            ReportTable(heads, lines, (1, 2, 3, 4)),
        ]
    figures = [headline(len(rows), "compaction"), (f"{automatic:,}", "of them automatic")]
    return Report("compactions", summary, parts, compaction_rows(found), figures)


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
    """Report the pressure of one session, with its warnings and compactions.

    name_of: returns the name of a project for people.
    """
    if session is None:
        what = "no session with readings yet; to import past sessions: journal import"
        return Report("pressure", [what], [], None)
    measured = session.measured
    points = [(float(entry.at), entry.pressure) for entry in measured]
    signs = {"told": "!", "auto": "A", "manual": "M", "compaction": "C", "compound": "c"}
    marks = [(float(e.at), signs[e.kind]) for e in session.entries if e.kind in signs]
    count = sum(char in "AMC" for _, char in marks)
    readings = plural(session.count("reading"), "reading")
    where = f"{session.title} in {name_of(session.project)}"
    summary = [f"{where}: {readings}, {plural(count, 'compaction')}"]
    figures: list[tuple[str, str]] = []
    if measured:
        most = max(measured, key=lambda entry: entry.pressure)
        share = f"{100 * most.pressure:.0f}%"
        tokens = f"{most.tokens:,} of {most.point:,} tokens"
        summary.append(f"at most {tokens} ({share} of the compaction threshold)")
        figures = [(share, "highest pressure of the session drawn below")]
    levels = [(1.0, "threshold"), (urgent, "urgent"), (info, "info")]
    legend = "A automatic compaction, M manual, C of unknown trigger, ! warning, c compound"
    title = f"{local_time(session.first)} to {local_time(session.last)}"
    parts: list[Part] = [ReportLine(title, points, marks, levels, legend)] if points else []
    return Report("pressure", summary, parts, _pressure_data(session), figures)


def _pressure_data(session: SessionTimeline) -> dict[str, Any]:
    return {
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


def advice(found: Sequence[SessionTimeline], info: float, urgent: float) -> Report:
    """Report warnings and what followed; for imported sessions, the warnings they would have had.

    info, urgent: the levels, as fractions of the threshold.
    """
    live = [session for session in found if not session.imported]
    rows: list[dict[str, Any]] = []
    for level in ("info", "urgent"):
        reactions = Counter(
            _first_after(session, entry)
            for session in live
            for entry in session.of("told")
            if entry.detail == level
        )
        counts = {kind: reactions[kind] for kind in ("compound", "manual", "auto")}
        rows.append(
            {"level": level, "given": reactions.total(), **counts, "nothing": reactions[""]}
        )
    given_all = sum(row["given"] for row in rows)
    heeded = sum(map(_heeded, rows))
    where = plural(len(live), "session")
    summary = [f"no warning was given in {where}" if live else _NO_HOOKS]
    if given_all:
        summary = [f"{plural(given_all, 'warning')} given in {where}, {heeded} heeded"]
    simulated = [o for s in found if s.imported for o in outcomes(s, info, urgent)]
    if simulated:
        warned = sum(len(o.warnings) for o in simulated)
        imported = plural(sum(s.imported for s in found), "imported session")
        summary.append(
            f"{imported} had no hooks; these levels would have warned {plural(warned, 'time')}"
        )
    parts: list[Part] = []
    if given_all:
        heads = ("LEVEL", "GIVEN", "COMPOUND", "COMPACTED", "AUTOMATIC", "NOTHING")
        bars = [
            (row["level"], float(_heeded(row)), f"{_heeded(row)} of {row['given']}") for row in rows
        ]
        parts = [ReportTable(heads, table_rows(rows), (1, 2, 3, 4, 5)), Bars("heeded", bars)]
    figures = [(f"{heeded} of {given_all}", "warnings heeded")]
    return Report("advice", summary, parts, rows, figures)


def _heeded(row: dict[str, Any]) -> int:
    return int(row["compound"] + row["manual"])


def _first_after(session: SessionTimeline, warning: TimelineEntry) -> str:
    """Return the kind of the first entry after a warning: compound, manual, auto, or ""."""
    ends = session.of("compound", *COMPACTIONS)
    return next((e.kind for e in ends if (e.at, e.seq) > (warning.at, warning.seq)), "")


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
    summary = ["no finished stage yet; to begin a dev cycle: journal stage start"]
    parts: list[Part] = []
    if rows:
        summary = [plural(sum(c.runs for c in found), "finished stage")]
        heads = ("STAGE", "RUNS", "MEDIAN %", "MAX %", "TOKENS")
        parts = [ReportTable(heads, table_rows(rows), (1, 2, 3, 4))]
        medians = [(c.stage, round(median(c.percents), 1)) for c in found if c.percents]
        shares = [(stage, share, f"{share:g}%") for stage, share in medians]
        parts += [Bars("median share of the window", shares)] if shares else []
    return Report("stages", summary, parts, rows)


def sessions(found: Sequence[SessionTimeline], name_of: Callable[[str], str] = str) -> Report:
    """Report sessions: start, duration, prompts and compactions, and their highest pressure.

    name_of: returns the name of a project for people.
    """
    newest = sorted(found, key=lambda s: (-s.started, s.sid))
    rows = [_session_data(session) for session in newest]
    days = Counter(period_of("day", session.started) for session in newest)
    prompts, compacted = (sum(row[name] for row in rows) for name in ("prompts", "compactions"))
    summary = [
        f"{plural(len(rows), 'session')}, {plural(prompts, 'prompt')}, "
        + plural(compacted, "compaction")
    ]
    parts: list[Part] = []
    if rows:
        several = len({s.project for s in newest}) > 1  # else the same name would be in each row
        heads = ("STARTED", "SESSION", *["PROJECT"] * several)
        heads += ("LASTED", "PROMPTS", "COMPACT", "MAX %", "TITLE")
        per_day = [(day, days[day], str(days[day])) for day in between("day", days)]
        shown = [
            (
                local_time(s.started),
                short_id(s.sid),
                *[name_of(s.project)] * several,
                duration(s.lasted),
                *values[4:],
            )
            for s, values in zip(newest[:MOST_ROWS], table_rows(rows[:MOST_ROWS]), strict=True)
        ]
        numbers = tuple(range(2 + several, 6 + several))
        listing = ReportTable(heads, shown, numbers, len(rows))
        parts = [listing, newest_bars("", "day", per_day)]
    figures = [headline(len(rows), "session"), headline(prompts, "prompt")]
    return Report("sessions", summary, parts, rows, figures)


def _session_data(session: SessionTimeline) -> dict[str, Any]:
    highest = session.highest
    return {
        "started": iso(session.started),
        "session": session.sid,
        "project": session.project,
        "minutes": session.lasted // 60_000,
        "prompts": session.count("prompt"),
        "compactions": len(session.compactions),
        "most_percent": None if highest is None else round(100 * highest),
        "title": session.title,
    }
