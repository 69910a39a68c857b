"""The reports on what hooks and replies cost, as pure functions.

Invariant: a figure that is not known is None, never a number.
"""

from collections.abc import Mapping, Sequence
from statistics import median
from types import MappingProxyType
from typing import Any

from cli.render.text import compaction_cost, dollars, session_label, too_low
from cli.stats.report import Bars, Part, Report, ReportTable, newest_bars, table_rows
from journal.history.hook_calls import HookCalls
from journal.history.usage.report import UsageReport, UsageRow, empty_between, row_data
from journal.text import plural, short_count

_SPENT = ("REPLIES", "TOKENS", "COST", "COMPACTION")


def hooks(calls: Sequence[HookCalls]) -> Report:
    """Report the time that hooks took. A session without a measured call is unknown."""
    by_session = [item for item in calls if item.session is not None]
    by_hook = [item for item in calls if item.hook is not None]
    by_hook.sort(key=lambda item: (-item.calls, item.hook))
    count = sum(item.calls for item in by_hook)
    totals = [ms for item in by_session if (ms := _ms(item.total)) is not None]
    summary = ["no hook call yet; to see whether they are set up: journal doctor"]
    if count:
        timed = sum(item.timed for item in by_hook)
        what = f"{plural(count, 'hook call')} in {plural(len(by_session), 'session')}"
        summary = [
            f"{what}, {timed} of them measured",
            f"median {median(totals):,.0f} ms per session"
            if totals
            else "their cost is unknown: no call was measured",
        ]
    if short := [item.short for item in by_session if item.short]:
        summary.append(
            f"{plural(sum(short), 'call')} in {plural(len(short), 'session')} recorded in "
            "short form: hooks were over capture.budget"
        )
    rows: list[dict[str, Any]] = [
        {
            "hook": item.hook,
            "calls": item.calls,
            "median_ms": _ms(item.median),
            "p95_ms": _ms(item.p95),
            "total_ms": _ms(item.total),
        }
        for item in by_hook
    ]
    sessions = [
        {"session": each.session, "calls": each.calls, "total_ms": _ms(each.total)}
        | {"short": each.short}
        for each in by_session
    ]
    parts: list[Part] = []
    if rows:
        heads = ("HOOK", "CALLS", "MEDIAN MS", "P95 MS", "TOTAL MS")
        shares = [(str(item.hook), float(item.calls), str(item.calls)) for item in by_hook]
        parts = [ReportTable(heads, table_rows(rows), (1, 2, 3, 4)), Bars("calls", shares)]
    figures = [(f"{median(totals):,.0f} ms", "of hooks in a session, median")] if totals else []
    return Report("hooks", summary, parts, {"hooks": rows, "sessions": sessions}, figures)


def _ms(microseconds: float | None) -> float | None:
    return None if microseconds is None else round(microseconds / 1000, 1)


def usage(
    by_day: UsageReport,
    by_model: UsageReport,
    by_session: UsageReport,
    titles: Mapping[str, str] = MappingProxyType({}),
) -> Report:
    """Report tokens and cost per day, by model, and of the most expensive sessions.

    titles: session ID → title.
    """
    total = by_day.total
    data = {
        item.by[0]: [row_data(item.by, row) for row in item.rows]
        for item in (by_day, by_model, by_session)
    }
    for row in data["session"]:
        row["title"] = titles.get(row["session"]) or None
    if not total.replies:
        what = "no replies with tokens yet; to import past sessions: journal import"
        return Report("usage", [what], [], data)
    cost, tokens = dollars(total.cost, total.unpriced), short_count(total.tokens.total)
    part = compaction_cost(total)
    compacted = f"{'none' if part == '-' else part} of it for compactions"
    replies = plural(total.replies, "reply", "replies")
    summary = [f"{replies}, {tokens} tokens, {cost} at list prices, {compacted}"]
    if total.unpriced:
        summary.append(f"no known price for {', '.join(sorted(total.unpriced))}")
    if total.is_too_low:
        summary.append(too_low(total))
    parts = _usage_parts(by_day, by_model, by_session, titles)
    figures = [(cost, "at list prices"), (tokens, "tokens")]
    return Report("usage", summary, parts, data, figures)


def _usage_parts(
    by_day: UsageReport, by_model: UsageReport, by_session: UsageReport, titles: Mapping[str, str]
) -> list[Part]:
    costs_per_day = [
        (row.names[0], row.cost or 0, dollars(row.cost, row.unpriced) if row.replies else "-")
        for row in empty_between("day", by_day.rows)
    ]
    costliest = sorted(by_session.rows, key=lambda row: -(row.cost or 0))
    models = [_spent(row.names[0], row) for row in by_model.rows]
    sessions = [_spent(session_label(row.names[0], titles), row) for row in costliest]
    return [
        newest_bars("cost ", "day", costs_per_day),
        ReportTable(("MODEL", *_SPENT), models, (1, 2, 3, 4)),
        ReportTable(("SESSION", *_SPENT), sessions, (1, 2, 3, 4)),
    ]


def _spent(label: str, row: UsageRow) -> tuple[Any, ...]:
    cost = dollars(row.cost, row.unpriced)
    return (label, row.replies, short_count(row.tokens.total), cost, compaction_cost(row))
