"""The demo with the user's own history: their sessions, compactions and cost.

Invariant: transcripts are only read, and everything built from them is in a temporary journal home
that is deleted at the end. The user's journal and settings are neither read nor written.
"""

import tempfile
from contextlib import closing
from functools import partial

from cli.past.get import sessions
from cli.render.text import emit
from cli.scope import SESSION_VARIABLES, Scope
from cli.stats.command import stats
from cli.unread import open_history
from cli.usage import show_report
from journal.history.importer.find import find, newest, source_of
from journal.history.importer.run import Import
from journal.history.search.index import Index
from journal.history.usage.prices import load_prices
from journal.history.usage.report import empty_between, usage_report
from journal.installation import setup_command
from journal.text import plural, wrapped

_MOST = 128 * 1024 * 1024  # bytes of transcripts to read, newest first: two to three seconds
_WEEKS = 12  # rows of the cost by week; from longer histories it comes by month


def own_history(asked: Scope) -> bool:
    """Show the user's newest sessions; return False if there are no transcripts."""
    source = source_of("", asked.env, asked.cwd)
    found = newest(find(source), _MOST)
    if not found:
        return False
    count = plural(sum(not item.agent for item in found), "session")
    text = f"Reading the newest {count} of Claude Code in {source}. Nothing is kept."
    emit([asked.style("bold", "journal demo"), "", *wrapped(text, asked.columns)])
    with tempfile.TemporaryDirectory(prefix="journal-demo-") as home:
        outside = {name: text for name, text in asked.env.items() if name not in SESSION_VARIABLES}
        scope = Scope({**outside, "JOURNAL_HOME": home}, cwd=asked.cwd, no_import=True, every=True)
        Import(scope.env, home, scope.iso, source, listed=found).run()
        with closing(Index(home, settings=scope.settings, env=scope.env)) as index:
            index.update()  # here, because `sessions` would announce an index that is kept
        _heading(scope, "Your last sessions")
        sessions(scope, since="", status="", limit=5, worked=True)
        _heading(scope, "Where context ran out")
        stats(scope, name="compactions", since="", html="")
        _heading(scope, "What it cost")
        with open_history(scope.home, "") as history:
            usage = partial(usage_report, history, load_prices(scope.home))
            report = usage(["week"])
            if len(empty_between("week", report.rows)) > _WEEKS:
                report = usage(["month"])  # the rows of weeks would scroll the rest away
            show_report(scope, report, (), {})
    gives = "gives Claude back what a compaction drops. `journal demo --recorded` shows how."
    ending = f"`{setup_command(asked.env)}` records your sessions from now on and {gives}"
    if asked.is_set_up():
        ending = f"The journal is set up: it records your sessions and {gives}"
    emit(["", *wrapped(ending, asked.columns)])
    return True


def _heading(scope: Scope, text: str) -> None:
    emit(["", scope.style("bold", text), ""])
