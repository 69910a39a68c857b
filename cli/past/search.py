"""`journal search`: search past sessions, best first.

Invariant: hits go to stdout, messages to stderr. Texts of sessions are escaped.
"""

import shlex
import sys
from collections.abc import Sequence
from contextlib import closing

from cli.error import OK, warn
from cli.import_.automatic import need_history
from cli.past.facts import facts_of_hit
from cli.render.local_time import local_time, zone_note
from cli.render.text import emit, emit_json, short_id, split_at_matches
from cli.scope import Scope
from cli.show.terminal import resume_lines
from journal.bound import parse_time
from journal.errors import JournalError, JournalOffError, UsageError
from journal.history.logs import journals
from journal.history.search import embed
from journal.history.search.index import Hit, Index
from journal.history.search.query import MOST, parse_query
from journal.history.search.ranking import Filter
from journal.text import clip, escaped, wrapped
from projections.digest import status as status_of
from projections.digest import title_of

_INDENT = " " * 5
_OPEN, _CLOSE = "\ue000", "\ue001"  # placeholders around a match while its text is wrapped
_SHOWN = 60  # characters of a query that a message repeats
# Kind of the field with the match → label; a title has none because it is shown anyway.
_FOUND_IN = {
    "prompt": "asked",
    "message": "answered",
    "decision": "decided",
    "note": "noted",
    "summary": "summary",
    "compact": "compaction summary",
    "failure": "failed",
    "file": "changed",
    "unit": "worked on",
    "mark": "went in circles",
    "branch": "branch",
}


def search(
    scope: Scope,
    query: Sequence[str],
    *,
    since: str = "",
    status: str = "",
    limit: int,
) -> int:
    """Search and print the hits. query: its words."""
    asked = " ".join(query)
    hits = find_hits(scope, asked, since=since, status=status, limit=limit)
    transcripts = scope.by_session
    if scope.json:
        emit_json([facts_of_hit(hit, transcripts) for hit in hits])
        return OK
    if not hits:
        where = "" if scope.every else f" in {scope.name_of(scope.project.name)}"
        warn(f"nothing found{where} for {clip(escaped(asked), _SHOWN)}")
        given = [name for name, value in (("--since", since), ("--status", status)) if value]
        without = f"leave out {' and '.join(given)}, or " if given else ""
        if journals(scope.home):
            warn(f"{without}try other words; journal sessions --all lists every session")
            warn(f"searched {embed.state(scope.settings, scope.env)}")
            return OK
        waits = any(scope.waiting.values())
        records = "the journal records the next one"
        if waits or not scope.is_set_up():
            more = "import past ones: journal import", "record the next ones: journal setup"
            records = f"to {more[not waits]}"
        warn(f"no session yet; {records}")
        return OK
    below, reasons = resume_lines([transcripts.resume(hit.digest) for hit in hits])
    for hit, how in zip(hits, below, strict=True):
        emit([*_lines(scope, hit), *([_INDENT + scope.style("dim", how)] if how else [])])
    shared = wrapped(reasons, scope.columns) if reasons else []
    emit(["", *shared, *wrapped(zone_note(scope.now), scope.columns)])
    emit([f"Next: journal show {shlex.quote(hits[0].digest.sid)}"])
    return OK


def find_hits(
    scope: Scope, query: str, *, since: str = "", status: str = "", limit: int
) -> list[Hit]:
    """Update the index and search it. Raise UsageError for a query without words."""
    _check(query)
    begin = parse_time(since, scope.now)
    need_history(scope)
    with closing(open_index(scope)) as index:
        index.update()
        _summarize(scope, index)
        return index.search(query, Filter(scope.only, since=begin, status=status), limit=limit)


def fetch_model(scope: Scope) -> int:
    """Download the model if this machine has none, and compute the vectors of all sessions."""
    from journal.installation import extra_command

    found = embed.find(scope.home, scope.settings, scope.env)
    if not found.package:
        raise JournalError(
            "", "the extra `semantic` is not installed", f"run: {extra_command('semantic')}"
        )
    if not found.folder and scope.is_inside:  # skills may search, which asks nobody
        raise UsageError(
            "Claude Code does not download the model", f"run it in your own terminal: {embed.FETCH}"
        )
    folder = found.folder or embed.fetch(scope.home, scope.settings)
    with closing(open_index(scope)) as index:
        index.update()
        missing = index.embed(float("inf"))
    line = f"model: {folder or 'not found'}; sessions without a vector: {missing}"
    return scope.show({"model": folder, "missing": missing}, [line])


def open_index(scope: Scope) -> Index:
    """Open the index of the journal home; its warnings go to stderr."""
    index = Index(scope.home, settings=scope.settings, env=scope.env, progress=warn)
    if sys.stderr.isatty():
        index.building = warn
    return index


def _marked(scope: Scope, lead: str, hit: Hit) -> list[str]:
    """Return the lines of a snippet with its matches in bold or, without colour, in « »."""
    text = lead + "".join(
        f"{_OPEN}{escaped(part)}{_CLOSE}" if is_match else escaped(part)
        for part, is_match in split_at_matches(hit.snippet, hit.spans)
    )
    opening, closing = scope.style("bold", _OPEN).split(_OPEN) if scope.style.on else "«»"
    return [
        line.replace(_OPEN, opening).replace(_CLOSE, closing)
        for line in wrapped(text, scope.columns, _INDENT)
    ]


def _lines(scope: Scope, hit: Hit) -> list[str]:
    """Return the lines of a hit, without a number: numbers belong to the list of `journal get`."""
    digest = hit.digest
    date = local_time(digest.session.started)
    title = clip(escaped(title_of(digest)), max(20, scope.columns - len(_INDENT)))
    project = scope.name_of(hit.project)
    facts = [short_id(digest.sid), date, status_of(digest), project, digest.session.branch]
    where = f"{_FOUND_IN[hit.kind]}: " if hit.kind in _FOUND_IN else ""
    return [
        f"  -  {scope.style('bold', title)}",
        *(
            scope.style("dim", line)
            for line in wrapped(escaped(" · ".join(filter(None, facts))), scope.columns, _INDENT)
        ),
        *(_marked(scope, where, hit) if hit.snippet else ()),
    ]


def _summarize(scope: Scope, index: Index) -> None:
    """Summarize the ended sessions of this project, so that the search can find their summaries.

    The settings of this project do not apply to the sessions of others.
    """
    off = not scope.settings["summary.auto"] or scope.settings["capture.level"] == "off"
    if off or not index.waiting(scope.project.name):
        return
    from journal.history.summaries.backlog import summarize_waiting
    from journal.log.append import Busy

    try:
        done = summarize_waiting(scope.directory, scope.iso, scope.settings)
    except (Busy, JournalOffError, OSError):
        return  # sessions without a summary can be found by their prompts
    if done:
        index.update([scope.project.name])


def _check(query: str) -> None:
    if not query.strip():
        raise UsageError("the QUERY is empty", "for example: journal search 'login redirect'")
    asked = parse_query(query)
    if not (asked.terms or asked.stops):
        shown = clip(escaped(query.strip()), _SHOWN)
        raise UsageError(f"there is no word in {shown}", "give a word, a name, a path")
    if not asked.terms:
        warn("Every word of this query is too common to search for.")
    if asked.cut:
        warn(f"a long query: its first {MOST} words count")
