"""The reports on what hooks and replies cost, as pure functions.

Invariant: a figure that is not known is None, never a number.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any

from cli.render.cost import compaction_cost
from cli.render.text import dollars
from cli.stats.report import Bars, Part, Report, ReportTable, table_rows
from journal.history.hook_calls import HookCost
from journal.history.usage.report import UsageReport, UsageRow, empty_between, row_data
from journal.text import plural, short_count

_NO_CALLS = HookCost(0, [])
_DAYS = 14  # of the bars
_MOST_ROWS = 20


def hooks(calls: Mapping[str, Mapping[str, HookCost]], short: Mapping[str, int]) -> Report:
    """Report the time that hooks took. A session without a measured call is unknown.

    Args:
        calls: session → hook → its calls.
        short: session → number of calls in short form, because hooks were over their budget.

    """
    by_hook, by_session = _summed(calls)
    ordered = sorted(by_hook.items(), key=lambda item: (-item[1].calls, item[0]))
    rows = [{"hook": hook, "calls": cost.calls, **_times(cost.measured)} for hook, cost in ordered]
    measured = sum(len(cost.measured) for cost in by_hook.values())
    count = sum(cost.calls for cost in by_hook.values())
    totals = {sid: _total(cost.measured) for sid, cost in by_session.items()}
    numbers = [total for total in totals.values() if total is not None]
    if count:
        sessions = plural(len(calls), "session")
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
        parts = [ReportTable(heads, table_rows(rows), (1, 2, 3, 4)), Bars("calls", shares)]
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


def _summed(
    calls: Mapping[str, Mapping[str, HookCost]],
) -> tuple[dict[str, HookCost], dict[str, HookCost]]:
    """Return the costs by hook, and by session."""
    by_hook: dict[str, HookCost] = {}
    by_session: dict[str, HookCost] = {}
    for sid, of_session in calls.items():
        for hook, cost in of_session.items():
            by_hook[hook] = by_hook.get(hook, _NO_CALLS).plus(cost)
            by_session[sid] = by_session.get(sid, _NO_CALLS).plus(cost)
    return by_hook, by_session


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
    costliest = sorted(by_session.rows, key=lambda row: -(row.cost or 0))[:_MOST_ROWS]
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
