"""Add up the replies that a report does not distinguish, before it names and prices them.

DuckDB adds up the replies of the logs, this module those that no import has read. Invariant: both
give the same parts for the same replies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from journal.blocks import HOUR
from journal.clock import DAY_MS, iso, millis
from journal.events.hook_input import clip, safe_id
from journal.history.importer.figures import BEGUN
from journal.history.tables.columns import literal
from journal.history.usage import PERIODS, TOKENS
from journal.history.usage.periods import period_of
from journal.history.usage.prices import Prices, Tokens
from journal.redaction import redact

if TYPE_CHECKING:
    from journal.history.importer.reply_parser import Reply
    from journal.history.tables.database import History
    from journal.history.team.read import TeamHistory
    from journal.history.usage.unread import Unread

_COLUMNS = ("project", "session", "branch")
_QUARTER = 900_000  # ms; all time zone offsets are multiples of a quarter of an hour
_QUARTER_OF = {f"{minute:02}": str(minute // 15) for minute in range(60)}
_AT = "coalesce(epoch_ms(ts), 0)"  # ms; 0 for a time that is not a date
_HOURS = f"select min({_AT}), max({_AT}) from _billed where {{}} group by ({_AT} - 1) // {HOUR}"


class UsagePart(NamedTuple):
    """Replies of one group, model and price, within a quarter of an hour or a day.

    columns: name → value of the columns that the report groups by; tokens, compacted: all tokens,
    and the part that compactions caused; at: a time (ms) in the interval; day, prompt, fast: what
    the price depends on; first, last: times (ms) of the first and the last reply; compactions,
    requests: number of replies that follow a compaction, and that summarize for one; begun: number
    of those whose output was counted only at their beginning.
    """

    columns: dict[str, str]
    tokens: Tokens
    compacted: Tokens
    at: int
    model: str
    day: str
    prompt: int
    fast: bool
    replies: int
    first: int
    last: int
    compactions: int
    requests: int
    begun: int


class Selection(NamedTuple):
    """Which replies to count, "" for all. since, until: ISO 8601, both inclusive; session: an ID.

    grown: (project, imported, seq) of replies in logs that a transcript has with more tokens.
    """

    since: str = ""
    until: str = ""
    project: str = ""
    session: str = ""
    grown: Sequence[tuple[str, bool, int]] = ()

    @property
    def current(self) -> str:
        """Return the SQL condition of the replies that count where their log has them."""
        places = ",".join(f"({literal(name)},{side},{seq})" for name, side, seq in self.grown)
        return f"(project, imported, seq) not in ({places})" if places else "true"

    @property
    def condition(self) -> str:
        """Return the SQL condition of the replies to count."""
        wanted = [self.current, "coalesce(model, '') <> '<synthetic>'"]
        if self.since:
            wanted.append(f"ts >= {literal(self.since.removesuffix('Z'))}::timestamp")
        if self.until:
            wanted.append(f"ts <= {literal(self.until.removesuffix('Z'))}::timestamp")
        if self.project:
            wanted.append(f"project = {literal(self.project)}")
        if self.session:
            wanted.append(f"starts_with(session, {literal(self.session)})")
        return " and ".join(wanted)


def stored_parts(
    history: History | TeamHistory, prices: Prices, by: Sequence[str], wanted: Selection
) -> Iterator[UsagePart]:
    """Sum replies in SQL as far as they share their groups, their price and a time interval."""
    columns = [name for name in _COLUMNS if name in by]
    dated = any(kind in by for kind in (*PERIODS, "block"))
    step = _QUARTER if dated else DAY_MS
    hour = f"({_AT} - 1) // {HOUR}" if "block" in by else "0"
    summed = ",".join(f"sum({kind}{name})::bigint" for kind in ("", "compact_") for name in TOKENS)
    named = "".join(f"coalesce({name}, '') as {name}, " for name in columns)
    query = f"""
        select {named} {hour} as hour, {_AT} // {step} * {step} as at,
        price_model, price_day, price_prompt, price_fast,
        count(*), min({_AT}), max({_AT}), count(*) filter (rebuilt), count(*) filter (own),
        count(*) filter (output_tokens < {BEGUN}), {summed}
        from (select *, {prices.key_sql} from _replies) where {wanted.condition} group by all"""
    for row in history.engine.run(query).all():
        groups = dict(zip(columns, row, strict=False))
        figures, sums = row[len(columns) + 1 : -10], row[-10:]
        yield UsagePart(groups, Tokens(*sums[:5]), Tokens(*sums[5:]), *figures)


def reply_hours(
    history: History | TeamHistory | None, unread: Unread | None, wanted: Selection
) -> list[tuple[int, int]]:
    """Return the first and the last reply (ms) of each hour with replies, in order."""
    found = dict[int, tuple[int, int]]()
    stored = []
    if history is not None:
        stored = history.engine.run(_HOURS.format(wanted.current)).all()
    times = {reply.ts for reply in unread.replies} if unread is not None else ()
    for first, last in (*stored, *((at, at) for time in times if (at := millis(time)) is not None)):
        hour = (first - 1) // HOUR
        low, high = found.get(hour, (first, last))
        found[hour] = min(low, first), max(high, last)
    return [found[hour] for hour in sorted(found)]


def unread_parts(
    unread: Unread, prices: Prices, by: Sequence[str], wanted: Selection
) -> Iterator[UsagePart]:
    """Sum the replies of transcripts as `stored_parts` does."""
    columns = [name for name in _COLUMNS if name in by]
    by_project, by_session, by_branch = (name in columns for name in _COLUMNS)
    clock, prompt_class = _clock(by), prices.prompt_class
    groups: dict[tuple[Any, ...], list[Reply]] = {}
    for reply in _chosen(unread, wanted):
        given, _, made, _, read, is_fast = reply.figures
        key = (
            unread.project_of(reply) if by_project else "",
            reply.sid if by_session else "",
            reply.branch if by_branch else "",
            clock(reply.ts),
            reply.model,
            reply.ts[:10],
            prompt_class(given + made + read),
            is_fast,
        )
        groups.setdefault(key, []).append(reply)
    clean, caused = cache(redact), unread.caused()
    for key, replies in groups.items():
        project, session, branch, (_, at), model, day, prompt, is_fast = key
        named = {
            "project": project,
            "session": safe_id(session),
            "branch": clean(clip(branch, 120)),
        }
        times = [reply.ts for reply in replies]
        shares = [caused[reply] for reply in replies if reply in caused]
        yield UsagePart(
            {name: named[name] for name in columns},
            Tokens.sum(reply.figures[:5] for reply in replies),
            Tokens.sum(found.tokens for found in shares),
            at,
            clean(safe_id(model)),
            day,
            prompt,
            is_fast,
            len(replies),
            millis(min(times)) or 0,
            millis(max(times)) or 0,
            sum(found.is_first for found in shares),
            sum(found.is_request for found in shares),
            sum(reply.figures.out < BEGUN for reply in replies),
        )


def _chosen(unread: Unread, wanted: Selection) -> list[Reply]:
    """Return the replies of a selection."""
    since, until = (iso(millis(text) or 0) if text else "" for text in wanted[:2])
    replies = unread.replies
    if since or until:
        replies = [
            reply for reply in replies if since <= reply.ts and (not until or reply.ts <= until)
        ]
    if wanted.project:
        replies = [reply for reply in replies if unread.project_of(reply) == wanted.project]
    if wanted.session:
        replies = [reply for reply in replies if safe_id(reply.sid).startswith(wanted.session)]
    return replies


def _clock(by: Sequence[str]) -> Callable[[str], tuple[int, int]]:
    """Return a function from a time (ISO 8601) to its hour and to a time (ms) within its period.

    Both are 0 unless the report needs them. It computes them once per quarter of an hour: all time
    zone offsets are multiples of that. The full hour belongs to the hour that it ends.
    """
    kind = next((kind for kind in PERIODS if kind in by), "")
    with_hour = "block" in by
    quarters: dict[str, tuple[int, int]] = {}
    periods: dict[str, int] = {}

    def clock(time: str) -> tuple[int, int]:
        name = time[:14] + _QUARTER_OF.get(time[14:16], time)
        if with_hour and time[14:] == "00:00.000Z":
            name = time
        found = quarters.get(name)
        if found is None:
            at = millis(time) or 0
            hour = (at - 1) // HOUR if with_hour else 0
            period = periods.setdefault(period_of(kind, at), at) if kind else 0
            found = quarters[name] = hour, period
        return found

    return clock
