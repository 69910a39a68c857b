"""The command `journal usage`: tokens and cost of replies by day, session, model and others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from cli.error import OK, one_of, only_one
from cli.read import session_option
from cli.render.local_time import zone, zones
from cli.render.text import (
    compaction_cost,
    dollars,
    emit,
    emit_json,
    print_csv,
    session_label,
    table,
    too_low,
)
from cli.scope import Scope
from cli.sql.command import finish
from cli.unread import import_unread, open_history, read_unread
from journal.blocks import BLOCK
from journal.bound import parse_range
from journal.clock import local, millis
from journal.errors import UsageError
from journal.history.importer.find import source_of
from journal.history.usage import BY, PERIODS
from journal.history.usage.parts import Selection
from journal.history.usage.prices import OWN_PRICES, load_prices
from journal.history.usage.report import (
    UsageReport,
    UsageRow,
    empty_between,
    row_data,
    session_titles,
    usage_report,
)
from journal.text import one_line, plural, short_count, width, wrapped

if TYPE_CHECKING:
    from journal.history.tables.database import History
    from journal.history.usage.unread import Unread

_MANUAL = "docs/usage.md"
_NOTHING_THEN = "No replies in this period. Without --since and --until, journal usage shows all."
_MOST_DAYS = 400  # show empty periods in a terminal only up to this many rows


def usage(scope: Scope, *, by: list[str] | None, since: str, until: str, as_csv: bool) -> int:
    """Print tokens and cost of replies."""
    only_one({"--csv": as_csv, "--json": scope.json})
    groups = usage_groups(by)
    bounds = parse_range(since, until, scope.now)  # an error before anything is read
    # Blocks belong to the account: a reply in any project can begin one.
    every = scope.every or "block" in groups
    unread = read_unread(scope, every=every)
    known = scope.exists() or bool(unread and unread.items)
    everywhere = scope.every or not (scope.asked_project or known)
    if everywhere and not every:
        unread = read_unread(scope, every=True)
    if not everywhere and not known:
        scope.must_exist()
    prices = load_prices(scope.home)
    project = "" if everywhere else scope.project.name
    alone = "" if "block" in groups else project
    scope.reads(every=not alone)
    read = unread.replies if unread is not None else ()
    session = session_option(scope, (reply.sid for reply in read), every=everywhere)
    with open_history(scope.home, alone, unread) as history:
        wanted = Selection(*bounds, project, session)
        report = usage_report(history, prices, groups, wanted, unread)
        titles = _titles(history, unread, report) if "session" in groups else {}
        if unread is not None:
            scope.names.include({project, *map(unread.project_of, unread.replies)})
        show_report(scope, report, bounds, titles, project=project, as_csv=as_csv)
        if history is not None:
            finish(history)
    import_unread(scope, unread, every=every or everywhere)
    return OK


def _titles(history: History | None, unread: Unread | None, report: UsageReport) -> dict[str, str]:
    """Return session → title, also of those that are not imported yet."""
    titles = session_titles(history) if history is not None else {}
    if unread is not None:
        at = report.by.index("session")
        titles |= unread.titles({row.names[at] for row in report.rows} - titles.keys())
    return titles


def show_report(
    scope: Scope,
    report: UsageReport,
    bounds: Sequence[str],
    titles: dict[str, str],
    *,
    project: str = "",
    as_csv: bool = False,
) -> None:
    """Print a report as JSON, CSV or text. project: "" for all projects."""
    if scope.json:
        emit_json(_data(scope, report, bounds, project, titles))
    elif as_csv:
        _print_csv(report, titles)
    else:
        emit(_lines(scope, report, titles, everywhere=not project, is_part=any(bounds)))


def usage_groups(by: list[str] | None) -> list[str]:
    """Return the dimensions to group by, each once: `--by day,model` or `--by day --by model`."""
    groups = list(dict.fromkeys(name for text in by or ["day"] for name in text.split(",")))
    for name in groups:
        one_of("group", name, BY)
    if sum(name in (*PERIODS, "block") for name in groups) > 1:
        raise UsageError("--by: more than one period", "name one of day, week, month and block")
    return groups


def _data(
    scope: Scope, report: UsageReport, bounds: Sequence[str], project: str, titles: dict[str, str]
) -> dict[str, Any]:
    return {
        "by": list(report.by),
        "zone": zone(scope.now),
        "project": project or None,
        "since": bounds[0] or None,
        "until": bounds[1] or None,
        "prices": report.prices,
        "rows": [_with_title(report, row, titles, scope.now) for row in report.rows],
        "total": row_data((), report.total),
    }


def _with_title(
    report: UsageReport, row: UsageRow, titles: dict[str, str], now: int
) -> dict[str, Any]:
    data = row_data(report.by, row)
    if "session" in report.by:
        data["title"] = titles.get(data["session"])
    if "block" in report.by:
        data["active"] = _is_active(data["block"], row, now)
    return data


def _is_active(block: str, row: UsageRow, now: int) -> bool:
    start = millis(block) or 0
    return start <= now < start + BLOCK and now - row.last < BLOCK


# -- CSV -----------------------------------------------------------------------------------------


def _print_csv(report: UsageReport, titles: dict[str, str]) -> None:
    """Print the rows; unknown costs are empty."""
    rows = [_with_title(report, row, titles, 0) for row in report.rows]
    heads = list(rows[0]) if rows else [*report.by, *row_data((), report.total)]
    heads = [name for name in heads if name != "active"]
    for row in rows:
        row["unpriced"] = " ".join(row["unpriced"])
    print_csv([heads, *([row[name] for name in heads] for row in rows)])


# -- text ----------------------------------------------------------------------------------------


def _lines(
    scope: Scope,
    report: UsageReport,
    titles: dict[str, str],
    *,
    everywhere: bool,
    is_part: bool,
) -> Iterator[str]:
    """Yield the report as text. is_part: whether --since or --until limit it."""
    where = "all projects" if everywhere else scope.name_of(scope.project.name)
    head = f"Tokens and cost of {where}, by {' and '.join(report.by)}"
    if any(kind in (*PERIODS, "block") for kind in report.by):
        head += f"; times are {zones(scope.now)}"
    yield from wrapped(one_line(head), scope.columns)
    if not report.total.replies:
        is_read = not scope.no_import and scope.settings["import.auto"]
        imports = "" if is_read else " Past sessions: journal import."
        if everywhere:
            source = source_of("", scope.env, scope.cwd)
            others = f" To import transcripts from elsewhere than {source}: journal import PATH."
        else:
            others = " Other projects: journal usage --all." * scope.has_others()
        nothing = f"No replies of Claude are recorded yet.{imports}{others}"
        yield from wrapped(_NOTHING_THEN if is_part else nothing, scope.columns)
        return
    yield ""
    rows = report.rows
    if len(report.by) == 1 and report.by[0] in PERIODS:
        filled = empty_between(report.by[0], rows)
        rows = filled if len(filled) <= _MOST_DAYS else rows
    yield from _table(scope, report, rows, titles)
    yield ""
    for note in _notes(report):
        yield from wrapped(one_line(note), scope.columns)
    if "project" in report.by and not everywhere and scope.has_others():
        yield from wrapped("Other projects: journal usage --all.", scope.columns)


def _table(
    scope: Scope, report: UsageReport, rows: Sequence[UsageRow], titles: dict[str, str]
) -> list[str]:
    """Lay out the rows in the fullest form that fits: exact figures, short ones, totals only."""
    groups = [name.upper() for name in report.by]
    labels = [[*_labels(scope, report, row, titles)] for row in rows]
    labels.append(["total", *[""] * (len(groups) - 1)])
    for counts, members, shown in _FORMS:
        heads = [*groups, "REPLIES", *counts, "COST", "COMPACTION"]
        cells = [_cells(row, members, shown) for row in (*rows, report.total)]
        lines = [[*label, *cell] for label, cell in zip(labels, cells, strict=True)]
        right = range(len(groups), len(heads))
        found = table(lines, 0, heads=heads, right=right)
        if max(map(width, found)) <= scope.columns:
            return found
    titled = groups.index("SESSION") if "SESSION" in groups else len(groups) - 1
    names = range(len(groups))
    return table(lines, scope.columns, heads=heads, right=right, flexible=titled, names=names)


def _labels(
    scope: Scope, report: UsageReport, row: UsageRow, titles: dict[str, str]
) -> Iterator[str]:
    for kind, name in zip(report.by, row.names, strict=True):
        if kind == "block":
            start = millis(name) or 0
            active = " now" if _is_active(name, row, scope.now) else ""
            yield f"{local(start)[:16]}-{local(start + BLOCK)[11:16]}{active}"
        elif kind == "session":
            yield session_label(name, titles)
        else:
            yield (scope.name_of(name) if kind == "project" else name) or "unknown"


def _cells(row: UsageRow, members: Sequence[str], shown: Callable[[int], str]) -> list[str]:
    """Return replies, counts of tokens, cost and what compactions cost, of one row."""
    if not row.replies:
        return ["-"] * (len(members) + 3)
    return [
        f"{row.replies:,}",
        *(shown(getattr(row.tokens, name)) for name in members),
        dollars(row.cost, row.unpriced),
        compaction_cost(row),
    ]


# Heads, members of a row's tokens, format of a count; the widest form first.
_KINDS = ("input", "output", "cache_write", "cache_read")
_FORMS: tuple[tuple[tuple[str, ...], tuple[str, ...], Callable[[int], str]], ...] = (
    (("INPUT", "OUTPUT", "CACHE WRITE", "CACHE READ"), _KINDS, "{:,}".format),
    (("INPUT", "OUTPUT", "C.WRITE", "C.READ"), _KINDS, short_count),
    (("TOKENS",), ("total",), short_count),
)


def _notes(report: UsageReport) -> Iterator[str]:
    total = report.total
    if total.unpriced:
        named = ", ".join(
            f"{model or 'no name'} ({plural(count, 'reply', 'replies')})"
            for model, count in sorted(total.unpriced.items())
        )
        yield (
            f"No price is known for {named}; ? marks the missing cost. You can add prices in "
            f"{OWN_PRICES} in the journal home ({_MANUAL})."
        )
    if total.compactions:
        yield (
            f"COMPACTION is the part of COST that {plural(total.compactions, 'compaction')} "
            "caused: the context is written again after each, and files are read again."
        )
        if lacking := max(0, total.compactions - total.requests):
            yield (
                f"The cost of {plural(lacking, 'summary request')} is unknown, because the "
                "transcripts do not contain it."
            )
    if total.is_too_low:
        yield too_low(total)
    yield f"Costs are API list prices ({report.prices}); a subscription is billed differently."
