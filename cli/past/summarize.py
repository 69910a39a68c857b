"""`journal summarize`: summarize ended sessions.

Invariant: each summary is appended when it is ready, as one event. A current summary is replaced
only with --again, and a session that another run has just summarized is skipped.
"""

import os
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from msgspec.structs import replace

from cli.error import warn
from cli.read import session_option
from cli.render.text import short_id
from cli.scope import Scope
from journal.checkpoint import Position
from journal.errors import JournalError, UsageError
from journal.history.logs import journals
from journal.history.search.index import Index
from journal.history.summaries import claude
from journal.history.summaries.backlog import append_new, event_of
from journal.log.append import PATIENCE, Writer
from journal.text import clip, one_line, plural
from projections.digest import Digest
from projections.summary import Summary, is_over, is_waiting
from projections.summary import summarize as extract


def summarize(scope: Scope, *, engine: str, again: bool, dry_run: bool) -> int:
    """Summarize the ended sessions without a current summary, or with `again` all ended ones."""
    engine = engine or str(scope.settings.get("summary.engine", "extractive"))
    if engine == claude.ENGINE and not dry_run:
        claude.ready()
    if not scope.every:
        scope.must_exist()
    scope.reads()
    run = _Run(scope, engine, again=again, dry_run=dry_run)
    with closing(Index(scope.home, progress=warn)) as index:
        for name in _projects(scope):
            index.update((name,))
            # Take the position first, because another run may append a summary meanwhile.
            position = index.position(name)
            for digest in run.chosen(index, name):
                run.summarize(name, digest, position)
    return run.report()


class _Run:
    """One run of the command.

    rows: result per session, for --json. left: tokens that it may still use. spent: tokens in and
    out. cost: in USD, None if unknown. asked: number of requests to the engine `claude`.
    """

    def __init__(self, scope: Scope, engine: str, *, again: bool, dry_run: bool) -> None:
        self.scope = scope
        self.engine = engine
        self.again = again
        self.dry_run = dry_run
        self.rows: list[dict[str, Any]] = []
        self.left = int(scope.settings.get("summary.max_tokens", 20_000))
        self.spent = [0, 0]
        self.cost: float | None = None
        self.asked = 0

    def chosen(self, index: Index, project: str) -> Iterator[Digest]:
        """Yield the sessions of a project that this run summarizes, the latest first."""
        digests = {digest.sid: digest for digest in index.live(project)}
        sid = session_option(self.scope, digests)
        if sid and sid not in digests:
            what = f"session {sid} was not recorded by hooks"
            raise UsageError(what, "`journal get` shows what is known of it")
        for digest in [digests[sid]] if sid else digests.values():
            wanted = digest.summary_upto < digest.seq if sid else is_waiting(digest)
            is_better = self.engine == claude.ENGINE and digest.engine == "extractive"
            if (sid or is_over(digest)) and (self.again or wanted or is_better):
                yield digest

    def summarize(self, project: str, digest: Digest, position: Position | None) -> None:
        """Summarize one session and append the summary.

        position: end of the log that the digests cover.
        """
        summary = self._summary_of(digest)
        if summary is None:
            return
        row = {
            "project": project,
            "session": digest.sid,
            "title": summary.title,
            "engine": summary.engine,
            "upto": digest.seq,
            "recorded": False,
            "seq": None,
        }
        if not self.dry_run:
            row["seq"] = self._append(project, digest, summary, position)
            row["recorded"] = row["seq"] is not None
        self.rows.append(row)

    def _summary_of(self, digest: Digest) -> Summary | None:
        """Return a summary by the engine, or an extractive one if it fails or costs too much."""
        if self.engine != claude.ENGINE:
            return extract(digest)
        sid = short_id(digest.sid)
        needed = claude.need(digest)
        if needed > self.left:
            warn(
                f"{sid}: summarized offline, because claude may need {needed:,} tokens and "
                f"summary.max_tokens leaves {max(0, self.left):,}"
            )
            return _fallback(digest)
        if self.dry_run:
            self.left -= needed
            self.spent[0] += needed
            found = extract(digest)
            return found and replace(found, engine=self.engine)
        answer = claude.ask(digest, self.scope.env)
        self.left -= sum(answer.tokens) or needed
        self.asked += 1
        self.spent = [self.spent[0] + answer.tokens[0], self.spent[1] + answer.tokens[1]]
        if answer.cost is not None:
            self.cost = (self.cost or 0.0) + answer.cost
        if answer.summary is None:
            warn(f"{sid}: summarized offline, because claude gave no summary ({answer.why})")
            return _fallback(digest)
        return answer.summary

    def _append(
        self, project: str, digest: Digest, summary: Summary, position: Position | None
    ) -> int | None:
        """Append one summary; return its seq, or None if another run summarized the session."""
        engine = summary.engine if summary.engine != "extractive" else ""
        again = f"{engine} after {digest.summary_seq}" if self.again else engine
        directory = os.path.join(self.scope.home, project)
        sync = self.scope.settings["append.sync"]
        with Writer(directory, self.scope.iso, sync=sync, deadline=PATIENCE) as writer:
            seqs = append_new(writer, position, [event_of(digest, summary, again)])
        return seqs[0] if seqs else None

    def report(self) -> int:
        """Print the results; the cost goes to stderr. Return the exit code."""
        if self.engine == claude.ENGINE and self.dry_run:
            warn(f"claude would use up to {self.spent[0]:,} tokens")
        elif self.asked:
            cost = f", ${self.cost:.4f}" if self.cost is not None else ""
            warn(
                f"claude: {plural(self.asked, 'question')}, {self.spent[0]:,} tokens in, "
                f"{self.spent[1]:,} out{cost}"
            )
        verb = "would summarize" if self.dry_run else "summarized"
        lines = [
            clip(
                f"{verb} {short_id(row['session'])}  {one_line(row['title'])} ({row['engine']})",
                self.scope.columns,
            )
            for row in self.rows
            if row["recorded"] or self.dry_run
        ]
        done = sum(row["recorded"] for row in self.rows)
        if not self.rows:
            more = ". To make the summaries again: journal summarize --again"
            if self.again:
                more = ": no session that hooks recorded has ended; an import summarizes its own"
            lines.append(f"Nothing to summarize{more}")
        elif not self.dry_run:
            lines.append(f"{plural(done, 'summary', 'summaries')} recorded")
        return self.scope.show(self.rows, lines)


def _fallback(digest: Digest) -> Summary | None:
    """Return the extractive summary, or None if the session has a current summary."""
    return extract(digest) if digest.summary_upto < digest.seq else None


def _projects(scope: Scope) -> list[str]:
    """Return the names of the journals to read: the project's, or all."""
    if not scope.every:
        return [os.path.basename(scope.directory)]
    found = [name for name, _ in journals(scope.home)]
    if not found:
        raise JournalError(scope.home, "no journal yet", "run: journal setup")
    return found
