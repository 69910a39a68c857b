"""`journal summarize`: summaries of sessions that are over, by either engine.

Invariant: one event for each summary, appended when it is made; what has its summary is not made
again unasked, and nothing is appended about a session that another run was quicker with.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cli.error import OK, warn
from cli.read import chosen, sessions_in
from cli.render.text import emit, emit_json
from hooks.background import BYTES, event_of
from journal.errors import JournalError
from journal.history.summaries import claude
from journal.history.summaries.backlog import Pending, is_over, is_waiting, whole
from journal.log.append import Writer
from journal.log.read import Reader
from journal.text import clip, one_line
from projections.digest import PROJECTION, every
from projections.fold import Fold
from projections.summary import summarize as extract

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.scope import Scope
    from projections.digest import Digest
    from projections.summary import Summary

__all__ = ["summarize"]

_PATIENCE = 5.0  # seconds a person's command waits for the lock
_LAST = 2**62


def summarize(scope: Scope, *, engine: str, again: bool, every: bool, dry_run: bool) -> int:
    """Summarise what has no summary of its last state, or with `again` everything that is over."""
    engine = engine or str(scope.settings.get("summary.engine", "extractive"))
    if engine == claude.ENGINE and not dry_run:
        claude.ready()
    if not every:
        scope.must_exist()
    run = _Run(scope, engine, again=again, dry_run=dry_run)
    for directory in _directories(scope, every=every):
        run.project(directory)
    run.told()
    return OK


class _Run:
    """One call of the command. rows: what was done, session by session. left: tokens to spend."""

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

    def project(self, directory: str) -> None:
        """Do the sessions of one journal."""
        for digest in _found(directory, self):
            summary = self._made(digest)
            if summary is None:
                continue
            row = {
                "project": os.path.basename(directory),
                "session": digest.sid,
                "title": summary.title,
                "engine": summary.engine,
                "upto": digest.seq,
                "recorded": False,
                "seq": None,
            }
            if not self.dry_run:
                row["seq"] = self._append(directory, digest, summary)
                row["recorded"] = row["seq"] is not None
            self.rows.append(row)

    def wants(self, digest: Digest) -> bool:
        """Whether this run is to summarise a session."""
        if self.scope.asked:
            return self.again or digest.summary_upto < digest.seq or self._better(digest)
        return is_over(digest) and (self.again or is_waiting(digest) or self._better(digest))

    def _better(self, digest: Digest) -> bool:
        """Whether the engine asked for does better than the one that made the summary there is."""
        return self.engine == claude.ENGINE and digest.engine == "extractive"

    def _made(self, digest: Digest) -> Summary | None:
        """Give a summary by the engine asked for; by the other where that fails or is too dear."""
        if self.engine != claude.ENGINE:
            return extract(digest)
        sid = digest.sid[:8]
        needed = claude.need(digest)
        if needed > self.left:
            warn(
                f"{sid}: up to {needed:,} tokens, {max(0, self.left):,} left of "
                "summary.max_tokens: done without claude"
            )
            return self._instead(digest)
        if self.dry_run:
            self.left -= needed
            self.spent[0] += needed
            return extract(digest)
        answer = claude.ask(digest, self.scope.env)
        used = sum(answer.tokens)
        self.left -= used or needed
        self.asked += 1
        self.spent = [self.spent[0] + answer.tokens[0], self.spent[1] + answer.tokens[1]]
        if answer.cost is not None:
            self.cost = (self.cost or 0.0) + answer.cost
        if answer.summary is None:
            warn(f"{sid}: claude gave no summary ({answer.why}): done without it")
            return self._instead(digest)
        return answer.summary

    def _instead(self, digest: Digest) -> Summary | None:
        """Give the extractive summary, unless that is what there is."""
        return extract(digest) if digest.summary_upto < digest.seq else None

    def _append(self, directory: str, digest: Digest, summary: Summary) -> int | None:
        """Append one summary; None where it was there already."""
        made = summary.engine if summary.engine != "extractive" else ""
        unlike = f"{made} after {digest.summary_seq}" if self.again else made
        event = event_of(digest, summary, unlike)
        sync = self.scope.settings["append.sync"]
        with Writer(directory, self.scope.iso, sync=sync, deadline=_PATIENCE) as writer:
            if event["key"].encode() in writer.window():
                return None
            return writer.append(event)[0]

    def told(self) -> None:
        """Say what was done; what it cost goes to stderr."""
        if self.engine == claude.ENGINE and self.dry_run:
            warn(f"claude would use up to {self.spent[0]:,} tokens")
        elif self.asked:
            cost = f", ${self.cost:.4f}" if self.cost is not None else ""
            plural = "s" if self.asked > 1 else ""
            warn(
                f"claude: {self.asked} question{plural}, {self.spent[0]:,} tokens in, "
                f"{self.spent[1]:,} out{cost}"
            )
        if self.scope.json:
            emit_json(self.rows)
            return
        verb = "would summarise" if self.dry_run else "summarised"
        emit(
            clip(
                f"{verb} {row['session'][:8]}  {one_line(row['title'])} ({row['engine']})",
                self.scope.columns,
            )
            for row in self.rows
            if row["recorded"] or self.dry_run
        )
        done = sum(row["recorded"] for row in self.rows)
        if not self.rows:
            more = "" if self.again else "; --again makes those there are anew"
            emit([f"nothing to summarise{more}"])
        elif not self.dry_run:
            emit([f"{done} summar{'y' if done == 1 else 'ies'} recorded"])


def _found(directory: str, run: _Run) -> Iterator[Digest]:
    """Sessions of a journal that the run is to summarise, the latest first."""
    if run.scope.asked:
        sid = chosen(run.scope.asked, sessions_in(directory))
        found = whole(directory, [sid], _LAST)
    elif run.again or run.engine == claude.ENGINE:
        fold = Fold([PROJECTION])
        for batch in Reader(directory).batches():
            fold.feed(batch)
        found = every(fold.states[PROJECTION.name])
    else:
        pending = Pending(directory)
        while not pending.read(BYTES):
            pass
        found = {digest.sid: digest for digest in reversed(pending.waiting())}
    for digest in reversed(list(found.values())):
        if run.wants(digest):
            yield digest


def _directories(scope: Scope, *, every: bool) -> list[str]:
    """Journals to look at: the project's, or all of them."""
    if not every:
        return [scope.directory]
    try:
        names = sorted(os.listdir(scope.home))
    except FileNotFoundError:
        names = []
    paths = [os.path.join(scope.home, name) for name in names]
    found = [path for path in paths if os.path.isfile(os.path.join(path, "active.jsonl"))]
    if not found:
        raise JournalError(scope.home, "there is no journal yet", "the first event begins one")
    return found
