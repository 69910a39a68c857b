"""Read a conversation from the events of a journal, which hold the beginnings of its texts.

Invariant: compactions are those that `projections.sessions` counts; a repeated hook call counts
once.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from journal.events.registry import decode
from journal.history.conversations.model import TOKENS, Compacted, Entry, ToolCall, tokens_of
from journal.history.conversations.text import ANSWER, clean, rewound
from journal.history.importer.text import written_by
from journal.history.replay.facts import events_in, sid_of
from journal.home import IMPORTED
from journal.log.read import Reader
from journal.log.record import type_of
from journal.text import plural
from projections.digest import Digest

_COMPACTED = ("compact.summarized", "compact.finished")


def records_of(digest: Digest, directory: str, after: int = 0) -> Iterator[tuple[int, bytes]]:
    """Yield (seq, line) of the records of a session, or of the exported part of one.

    directory: journal of its project. after: only records with a higher seq.
    """
    sid, exported = digest.of or digest.sid, frozenset(digest.seqs)
    first = min(exported, default=digest.first) if digest.of else digest.first
    last = digest.seq if digest.session.ended else 0
    if digest.of:
        last = max(exported, default=0)
    if digest.imported:
        directory = os.path.join(directory, IMPORTED)
    for batch in Reader(directory, max(after, first - 1, 0)).batches():
        for seq, line in batch:
            if last and seq > last:
                return
            if sid_of(line) == sid and (not digest.of or seq in exported):
                yield seq, line


def read_journal(digest: Digest, directory: str) -> tuple[list[Entry], dict[str, int | None]]:
    """Return the entries that the journal has of a session, and the tokens of its replies."""
    records = list(records_of(digest, directory))
    found = [(entry.seq, entry) for entry in _entries(records, _BUILT)]
    summaries: dict[int, str] = {}
    for _, event in events_in(records, _COMPACTED):
        first = event.seq - event.part + 1
        summaries[first] = summaries.get(first, "") + event.summary
    done = [item for item in digest.session.compacted if item.done and not digest.of]
    found += [(item.done_seq, _compaction(item, summaries)) for item in done]
    entries = [entry for _, entry in sorted(found, key=lambda pair: pair[0])]
    return entries, _tokens(records)


def _tokens(records: list[tuple[int, bytes]]) -> dict[str, int | None]:
    """Return the tokens of all replies by kind; for each reply, its last record counts."""
    replies = {}
    for _, line in records:
        if type_of(line) == "usage.recorded":
            event: Any = decode(line, "usage.recorded")
            replies[getattr(event, "key", "") or line] = event
    return tokens_of(
        [{name: getattr(event, name, 0) for name in TOKENS} for event in replies.values()]
    )


def decisions_in(digest: Digest, directory: str) -> list[Entry]:
    """Return the decisions that hooks and commands recorded in a session."""
    return list(_entries(records_of(digest, directory), ("decision.recorded",)))


def _entries(records: Iterable[tuple[int, bytes]], kinds: Collection[str]) -> Iterator[Entry]:
    for kind, event in events_in(records, kinds):
        entry = _BUILT[kind](event)
        if entry is not None:
            entry.at, entry.agent, entry.seq = event.ts, event.agent, event.seq
            yield entry


def _texted(kind: str, text: str, size: int) -> Entry:
    shown, cut = clean(text)
    return Entry(kind, text=shown, cut=cut or max(0, size - len(text)))


def _prompt(event: Any) -> Entry | None:
    if event.origin == "task-notification":
        return Entry("note", text=written_by(event.text)[1] or "a background task ended")
    text = written_by(event.text)[1] or event.text
    if not text:
        missing = f"({plural(event.size, 'character')}; the text is not recorded)"
        return Entry("prompt", text=missing)
    return _texted("prompt", text, event.size - len(event.text) + len(text))


def _answer(event: Any) -> Entry | None:
    return _texted("answer", event.message, event.size) if event.message else None


def _tool(event: Any) -> Entry:
    error = event.error
    size = plural(event.output_size, "character") if event.output_size else ""
    about = " ".join(filter(None, (event.target, event.subject)))
    choices = getattr(event, "choices", ())  # the user's, if the tool asked
    answers = ", ".join(f'"{asked}": "{answer}"' for asked, answer, *_ in choices)
    call = ToolCall(
        event.tool,
        event.use,
        clean(about, 200)[0],
        ok=event.ok,
        outcome=clean(answers, ANSWER)[0] or clean(" ".join(error.split()), 200)[0] or size,
    )
    return Entry("tool", tool=call)


def _compaction(item: Any, summaries: dict[int, str]) -> Entry:
    text, cut = clean(summaries.get(item.summary_seq, ""))
    made = Compacted(item.trigger, item.tokens, item.after, summary=text)
    return Entry("compaction", item.at, cut=cut, seq=item.done_seq, compaction=made)


_BUILT: dict[str, Callable[[Any], Entry | None]] = {
    "prompt.submitted": _prompt,
    "turn.ended": _answer,
    "turn.failed": lambda event: Entry(
        "note", text=clean(": ".join(filter(None, (event.error, event.message))))[0]
    ),
    "tool.finished": _tool,
    "tool.failed": _tool,
    "decision.recorded": lambda event: Entry("decision", text=clean(event.text)[0]),
    "subagent.ended": _answer,
    "prompts.withdrawn": lambda event: Entry("note", text=rewound(event.withdrawn)),
}
