"""`journal sessions` and `journal get`: list past sessions, and print chosen ones.

Invariant: a number means the same session for `get` as in its list, which has the completed
sessions with work of their own, newest first. Nothing is written.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager

from cli.error import OK, warn
from cli.import_.automatic import need_history
from cli.past.facts import facts_of
from cli.past.search import open_index
from cli.past.select import LEAST, Choice, is_id, list_length, possible_ids, select
from cli.render.local_time import local_time, zone_note
from cli.render.text import emit, emit_json, short_id, table
from cli.scope import Scope
from cli.show.terminal import resume_lines
from journal.bound import parse_time
from journal.history.conversations.resume import Transcripts
from journal.history.find_session import (
    NoSessionError,
    SeveralSessionsError,
    matching_sessions,
    names_of,
)
from journal.history.search.index import Index, PastSession
from journal.history.search.newest import newest_sessions
from journal.history.search.ranking import Filter
from journal.history.session_text import block
from journal.text import clip, duration, one_line, plural, width, wrapped
from projections.digest import duration_ms, outcome, title_of

_HITS = 5  # sessions of a search without --limit
_LISTED = 100  # sessions of a list without --limit
_PROJECT = 16  # columns of a project's name in a narrow terminal
_OUTCOME, _OUTCOME_NARROW = 24, 14  # columns: in a narrow terminal the title needs the space
_WIDE = 100  # columns from which a table has times and whole names
_FURTHER = ("took", "trouble", "calls", "failed")  # shown if there is space, in this order
_TITLE = 36  # columns that they leave to the title
_LEAST_TITLE = 16  # columns that the outcome leaves to it
_INDENT = _GAP = "  "
_DAY, _MINUTE = len("2026-11-21"), len("2026-11-21T09:00")
_NO_WORK = "No session with work of its own yet; journal sessions lists the others."
_NOTHING_FITS = "No session matches. Without --since and --status, journal sessions lists all."
_LONGER = f"name at least {LEAST} characters of its ID; `journal sessions --all` lists them"
_HOW = "journal get last | last N | 1,3 | 1-3 | all | ID | WORDS"


def sessions(
    scope: Scope,
    *,
    since: str,
    status: str,
    limit: int | None,
    worked: bool = False,
) -> int:
    """List sessions, newest first. worked: only those with work of their own."""
    with _opened(scope) as index:
        wanted = Filter(scope.only, since=parse_time(since, scope.now), status=status, own=worked)
        found = index.sessions(wanted, limit=limit or 0)
    return _show(scope, found, _NOTHING_FITS if since or status else _nothing(scope))


def newest(scope: Scope, count: int, *, has_some: bool) -> int:
    """List the newest sessions with work of their own, without building an index for them.

    has_some: whether there is a session at all.
    """
    project = scope.project.name
    with closing(open_index(scope)) as index:
        found = None if index.has(project) else newest_sessions(scope.home, project, count)
    if found is None:
        with _opened(scope) as index:
            found = index.sessions(Filter(project, own=True), limit=count)
    return _show(scope, found, _NO_WORK if has_some else _nothing(scope))


def _nothing(scope: Scope) -> str:
    """Return a text that there is no session, and how to get some."""
    imports = " Past sessions: journal import." if any(scope.waiting.values()) else ""
    has_others = not scope.every and scope.has_others()
    others = " Other projects: journal sessions --all." * has_others
    if scope.every and not imports and not scope.is_set_up():
        others = " To record the next ones: journal setup."
    return f"No session yet.{imports}{others}"


def _show(scope: Scope, found: Sequence[PastSession], nothing: str) -> int:
    transcripts = scope.by_session
    if scope.json:
        emit_json([facts_of(past, transcripts) for past in found])
    elif found:
        emit(_rows(scope, found, transcripts))
        emit(["", *wrapped(zone_note(scope.now), scope.columns)])
    else:
        emit(wrapped(nothing, scope.columns))
    return OK


def get(scope: Scope, *, selector: list[str] | None, limit: int | None) -> int:
    """Print chosen sessions as Markdown; without a selector, list the sessions to choose from."""
    wanted = " ".join(selector or ()).strip()
    with _opened(scope, wanted) as index:
        if not wanted:
            most = limit or _LISTED
            completed = index.sessions(
                Filter(scope.only, status="completed", own=True), limit=most + 1
            )
            return _list(scope, completed, most)
        found = _chosen(index, wanted, scope.only, limit)
    transcripts = scope.by_session
    resumes = [transcripts.resume(past.digest) for past in found]
    facts = [facts_of(past, transcripts, full=True) for past in found]
    return scope.show(facts, block(found, resumes, scope.name_of).splitlines())


def one_session(scope: Scope, wanted: str) -> PastSession:
    """Return the session that a selector names. Raise UsageError if it names none or several."""
    found = named_sessions(scope, wanted)
    if len(found) != 1:
        raise SeveralSessionsError(wanted, names_of(found))
    return found[0]


def named_sessions(scope: Scope, wanted: str) -> list[PastSession]:
    """Return the sessions that a selector names by number or id.

    Raise UsageError if it names none, or contains words to search for.
    """
    with _opened(scope, wanted) as index:
        listed, choice = _selected(index, wanted, scope.only)
    if choice.text:
        raise NoSessionError(choice.text, *([_LONGER] if len(choice.text) < LEAST else []))
    return [listed[at] for at in choice.picks]


@contextmanager
def _opened(scope: Scope, wanted: str = "") -> Iterator[Index]:
    """Open the index and update it for the command. Raise JournalError without a journal."""
    ids = any(map(is_id, possible_ids(wanted)))
    need_history(scope, every=ids)
    with closing(open_index(scope)) as index:
        if scope.every or scope.exists():
            index.update(() if scope.every else (scope.project.name,))
        yield index


def _list(scope: Scope, completed: list[PastSession], most: int) -> int:
    """Print the sessions to choose from with their numbers."""
    shown = completed[:most]
    more = "there are more; --limit N shows them" if len(completed) > most else ""
    if scope.json:
        if more:
            warn(more)
        found = scope.by_session
        emit_json([{"number": at, **facts_of(past, found)} for at, past in enumerate(shown, 1)])
        return OK
    if not shown:
        emit(["No session has ended yet. Open ones: journal sessions."])
        return OK
    heads = ["title", "took", "outcome"] + (["project"] if scope.every else [])
    rows = []
    for at, past in enumerate(shown, 1):
        cells = _cells(scope, past)
        rows.append((f"{at}.", cells["started"][:_DAY], *(cells[head] for head in heads)))
    emit(table(rows, scope.columns, flexible=2, right=(0, 3)))
    emit(clip(line, scope.columns) for line in ("", *filter(None, (more, _HOW))))
    return OK


def _rows(scope: Scope, found: Sequence[PastSession], transcripts: Transcripts) -> list[str]:
    """Return a table of sessions, with lines about how to resume them."""
    cells = [_cells(scope, past) for past in found]
    heads = _heads(scope, cells)
    names = [head.upper() for head in heads]
    rows = [[row[head] for head in heads] for row in cells]
    right = [at for at, head in enumerate(heads) if head in _FURTHER]
    first, *lines = table(rows, scope.columns, heads=names, flexible=2, right=right, records=False)
    shown = [first]
    resumes = [transcripts.resume(past.digest) for past in found]
    below, shared = resume_lines(resumes)
    for line, resume, how in zip(lines, resumes, below, strict=True):
        shown.append(line)
        if how:  # a command stays whole, to be copied
            whole = [how] if resume.command else wrapped(how, scope.columns - len(_INDENT))
            shown += [_INDENT + scope.style("dim", part) for part in whole]
    return [*shown, *(["", *wrapped(shared, scope.columns)] if shared else [])]


def _heads(scope: Scope, cells: Sequence[dict[str, str]]) -> list[str]:
    """Return the columns of a table; those of `_FURTHER` only if the title keeps its space."""
    sizes = {head: max(width(head), *(width(row[head]) for row in cells)) for head in cells[0]}
    shown = {head for head in sizes if head not in _FURTHER and (head != "project" or scope.every)}
    left = scope.columns - sum(sizes[head] + len(_GAP) for head in shown - {"title"})
    if left < _LEAST_TITLE:
        shown.remove("outcome")
    left -= min(sizes["title"], _TITLE)
    for head in _FURTHER:
        if any(row[head] for row in cells) and sizes[head] + len(_GAP) <= left:
            shown.add(head)
            left -= sizes[head] + len(_GAP)
    return [head for head in sizes if head in shown]


def _cells(scope: Scope, past: PastSession) -> dict[str, str]:
    """Return column → cell of a session; an exported part has neither duration nor calls."""
    digest, session = past.digest, past.digest.session
    is_wide, project = scope.columns >= _WIDE, scope.name_of(past.project)
    return {
        "started": local_time(session.started)[: _MINUTE if is_wide else _DAY],
        "session": short_id(digest.sid),
        "title": title_of(digest),
        "took": "" if digest.of else duration(duration_ms(digest)),
        "calls": "" if digest.of else f"{session.tools:,}",
        "failed": "" if digest.of else f"{session.failures:,}",
        "outcome": clip(one_line(outcome(digest)), _OUTCOME if is_wide else _OUTCOME_NARROW),
        "trouble": str(len(digest.marks) or ""),
        "project": project if is_wide else clip(project, _PROJECT),
    }


def _chosen(index: Index, wanted: str, project: str, limit: int | None) -> list[PastSession]:
    """Return the sessions of a selector: by number, by id in any project, or by a search."""
    listed, choice = _selected(index, wanted, project)
    if choice.text:
        wanted_ones = Filter(project, status="completed")
        hits = index.search(choice.text, wanted_ones, limit=limit or _HITS)
        if not hits:
            raise NoSessionError(choice.text)
        return [PastSession(hit.project, hit.digest) for hit in hits]
    if choice.wanted:
        warn(f"only {plural(len(choice.picks), 'session')} found, not {choice.wanted}")
    picks = choice.picks[: limit or None]
    if len(picks) < len(choice.picks):
        warn(f"showing the first {len(picks)} of {len(choice.picks)}; --limit N shows more")
    return [listed[at] for at in picks]


def _selected(index: Index, wanted: str, project: str) -> tuple[list[PastSession], Choice]:
    """Return a list of sessions, and the selector's choice from it.

    The list may be long, so only the beginning that the selector needs is read.
    """
    completed = Filter(project, status="completed", own=True)
    named, numbered = (
        _named(index, wanted, project),
        index.sessions(completed, limit=list_length(wanted)),
    )
    keys = {(past.project, past.digest.sid) for past in numbered}
    others = [key for key in named if key not in keys]
    listed = [*numbered, *(named[key] for key in others)]
    ids = [past.digest.sid for past in numbered] + [name for _, name in others]
    return listed, select(wanted, ids, index.count(completed))


def _named(index: Index, wanted: str, project: str) -> dict[tuple[str, str], PastSession]:
    """Return (project, name) → session for the ids in a selector, of any project and open or not.

    The name is the session's id, with the project and a slash before it if the selector has them.
    """
    found: dict[tuple[str, str], PastSession] = {}
    for ref in possible_ids(wanted):
        prefix = ref[: ref.rfind("/") + 1]
        for past in matching_sessions(index, ref, project, update=is_id(ref[len(prefix) :])):
            found[past.project, prefix + past.digest.sid] = past
    return found
