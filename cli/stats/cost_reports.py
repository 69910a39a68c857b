"""The reports on what hooks and replies cost, as pure functions.

Invariant: a figure that is not known is None, never a number.
"""

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

from cli.render.cost import compaction_cost
from cli.render.text import dollars
from cli.stats.report import Bars, Part, Report, ReportTable, table_rows
from journal.history.hook_calls import HookCalls
from journal.history.usage.report import UsageReport, UsageRow, empty_between, row_data
from journal.text import plural, short_count

_DAYS = 14  # of the bars


def hooks(calls: Sequence[HookCalls]) -> Report:
    """Report the time that hooks took. A session without a measured call is unknown."""
    by_hook: dict[str, list[HookCalls]] = {}
    by_session: dict[str, list[HookCalls]] = {}
    for item in calls:
        by_hook.setdefault(item.hook, []).append(item)
        by_session.setdefault(item.session, []).append(item)
    rows: list[dict[str, Any]] = [
        {"hook": hook, "calls": sum(item.calls for item in items), **_times(_measured(items))}
        for hook, items in by_hook.items()
    ]
    rows.sort(key=lambda row: (-row["calls"], row["hook"]))
    sessions: list[dict[str, Any]] = [
        {
            "session": sid,
            "calls": sum(item.calls for item in items),
            "total_ms": _total(_measured(items)),
            "short": sum(item.short for item in items),
        }
        for sid, items in by_session.items()
    ]
    numbers = [row["total_ms"] for row in sessions if row["total_ms"] is not None]
    summary = [_calls_of(calls, len(sessions))]
    if calls:
        summary.append(
            f"median {median(numbers):,.0f} ms per session"
            if numbers
            else "what they cost is unknown: no call was measured"
        )
    if short := sum(item.short for item in calls):
        over = sum(row["short"] > 0 for row in sessions)
        summary.append(
            f"{plural(short, 'call')} in {plural(over, 'session')} recorded in short form: hooks "
            "were over capture.budget"
        )
    parts: list[Part] = []
    if rows:
        heads = ("HOOK", "CALLS", "MEDIAN MS", "P95 MS", "TOTAL MS")
        shares = [(row["hook"], float(row["calls"]), str(row["calls"])) for row in rows]
        parts = [ReportTable(heads, table_rows(rows), (1, 2, 3, 4)), Bars("calls", shares)]
    figures = [(f"{median(numbers):,.0f} ms", "of hooks in a session, median")] if numbers else []
    return Report("hooks", summary, parts, {"hooks": rows, "sessions": sessions}, figures)


def _calls_of(calls: Sequence[HookCalls], sessions: int) -> str:
    if not calls:
        return "no hook call is recorded; hooks run once journal setup has added them"
    count = plural(sum(item.calls for item in calls), "hook call")
    return f"{count} in {plural(sessions, 'session')}, {len(_measured(calls))} of them measured"


def _measured(calls: Iterable[HookCalls]) -> list[int]:
    return [microseconds for item in calls for microseconds in item.measured]


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
    costs_per_day = [
        (row.names[0], row.cost or 0, dollars(row.cost) if row.replies else "-") for row in days
    ]
    costliest = sorted(by_session.rows, key=lambda row: -(row.cost or 0))
    parts: list[Part] = [
        Bars("cost per day", costs_per_day),
        ReportTable(("MODEL", *heads), [_spent(row) for row in by_model.rows], (1, 2, 3, 4)),
        ReportTable(("SESSION", *heads), [_spent(row, 8) for row in costliest], (1, 2, 3, 4)),
    ]
    figures = [(cost, "at list prices"), (tokens, "tokens")]
    return Report("usage", summary, parts, data, figures)


def _spent(row: UsageRow, most: int | None = None) -> tuple[Any, ...]:
    tokens = short_count(row.tokens.total)
    return (row.names[0][:most], row.replies, tokens, dollars(row.cost), compaction_cost(row))
