"""Group a session's observations by unit of work, task, stage, pause, and the files touched.

Pure. Invariant: every observation is in exactly one group, and the same events give the same
groups. Framing events (prompts, decisions) join the work that they precede.
"""

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec import Struct

from journal.clock import elapsed_ms
from projections.prose import is_request, line, opening

GAP_MS = 30 * 60_000  # after a pause this long, events are different work
TITLE = 80
_SHARED = 0.5  # two pieces belong together if they share this part of the smaller one's files
_FILES = 40

OBSERVATIONS = frozenset(("tool.finished", "tool.failed"))
# Besides observations, these belong to a piece of work; others concern the whole session.
FRAMING = frozenset(
    "prompt.submitted command.expanded decision.recorded turn.ended turn.failed unit.started "
    "unit.item.checked unit.finished stage.started stage.finished stage.stopped stage.resumed "
    "stage.abandoned progress.saved progress.closed flow.noted".split()
)
_STAGE_ENDS = frozenset(("stage.finished", "stage.stopped", "stage.abandoned"))
_STAGE_BEGINS = frozenset(("stage.started", "stage.resumed"))
_FILE_TOOLS = frozenset(("Read", "Write", "Edit", "MultiEdit", "NotebookEdit", "NotebookRead"))
_LISTS = frozenset(("TodoWrite", "TaskCreate", "TaskUpdate", "TaskList", "TaskGet"))
# File names that do not tell what the file is about.
_COMMON = frozenset(("__init__", "index", "main", "mod", "readme", "conftest", "package", "types"))

Key = tuple[str, str]
KindEvent = tuple[str, Any]  # type of an event, and the event


class Group(NamedTuple):
    """A group of events that belong together.

    why: what they share: unit, task, stage, or files. seqs: of its events, ascending. observations,
    failures: number of tool calls, and of failed ones among them. files: changed, in the order of
    their first change. first, last: seqs; started, ended: times.
    """

    title: str
    why: str
    seqs: list[int]
    observations: int
    failures: int
    files: list[str]
    decisions: list[str]
    prompts: list[str]
    first: int
    last: int
    started: str
    ended: str


class _Piece(Struct, eq=False):
    """The events between two prompts, changes of unit, task or stage, or pauses."""

    key: Key
    title: str
    period: int
    events: list[KindEvent] = []

    @property
    def touched(self) -> set[str]:
        """Return the names of the files that it changed or, if it changed none, read."""
        names: dict[bool, set[str]] = {False: set(), True: set()}
        for _, event in self.events:
            if getattr(event, "tool", "") in _FILE_TOOLS and event.target:
                names[getattr(event, "changed", False)].add(_name(event.target))
        return names[True] or names[False]

    @property
    def works(self) -> bool:
        """Return whether it has observations other than of managing a task list."""
        return any(
            is_observation(kind, event) and event.tool not in _LISTS for kind, event in self.events
        )


def group_events(events: Iterable[KindEvent]) -> list[Group]:
    """Group one session's events, given as (type, event) in the order of the log."""
    pieces = _merged(_pieces(events))
    joined: dict[object, list[_Piece]] = {}
    free: list[tuple[int, list[_Piece]]] = []
    for piece in pieces:
        if piece.key[0]:
            joined.setdefault(piece.key, []).append(piece)
        else:
            _assign(piece, free)
    groups = [
        build_group(
            [pair for piece in work for pair in piece.events], work[0].title, work[0].key[0]
        )
        for work in (*joined.values(), *(work for _, work in free))
    ]
    return sorted((group for group in groups if group.observations), key=lambda group: group.first)


def build_group(events: Iterable[KindEvent], title: str = "", why: str = "files") -> Group:
    """Build one group of events of one session."""
    ordered = sorted(events, key=lambda pair: pair[1].seq)
    observed = [pair for pair in ordered if is_observation(*pair)]
    files = dict.fromkeys(
        event.target for _, event in observed if getattr(event, "changed", False) and event.target
    )
    prompts = [event.text for kind, event in ordered if _is_prompt(kind, event)]
    return Group(
        title=line(title, TITLE) or _title(prompts, list(files), observed),
        why=why or "files",
        seqs=[event.seq for _, event in ordered],
        observations=len(observed),
        failures=sum(kind == "tool.failed" for kind, _ in observed),
        files=list(files)[:_FILES],
        decisions=[event.text for kind, event in ordered if kind == "decision.recorded"],
        prompts=prompts,
        first=ordered[0][1].seq if ordered else 0,
        last=ordered[-1][1].seq if ordered else 0,
        started=ordered[0][1].ts if ordered else "",
        ended=ordered[-1][1].ts if ordered else "",
    )


def is_observation(kind: str, event: Any) -> bool:
    """Return whether an event is an observation: a tool call other than a `journal` command."""
    own = kind in OBSERVATIONS and event.tool == "Bash" and event.target.split(" ")[0] == "journal"
    return kind in OBSERVATIONS and not own


def _pieces(events: Iterable[KindEvent]) -> list[_Piece]:
    pieces: list[_Piece] = []
    current = _UnderWay()
    period = 0
    previous = ""
    fresh = True
    for kind, event in events:
        if not (kind in FRAMING or is_observation(kind, event)):
            continue
        current.enter(kind, event)
        if previous and elapsed_ms(previous, event.ts) >= GAP_MS:
            period += 1
            fresh = True
        previous = event.ts
        key, title = current.work
        if fresh or pieces[-1].key != key or _is_prompt(kind, event):
            pieces.append(_Piece(key, title, period))
            fresh = False
        pieces[-1].events.append((kind, event))
        current.leave(kind, event)
    return pieces


def _merged(pieces: list[_Piece]) -> list[_Piece]:
    """Join a piece without work to the next piece if it leads to it, else to the previous one."""
    working: list[_Piece] = []
    ahead: list[KindEvent] = []  # events that join the next piece
    for at, piece in enumerate(pieces):
        after = pieces[at + 1] if at + 1 < len(pieces) else None
        piece.events[:0] = ahead
        ahead = []
        if piece.works:
            working.append(piece)
        elif after and after.period == piece.period and not _is_prompt(*after.events[0]):
            ahead = piece.events
        elif working and working[-1].period == piece.period:
            working[-1].events += piece.events
        else:
            working.append(piece)
    return working


class _UnderWay(Struct, eq=False):
    """The current unit, task and stage; the first of these that exists names the work."""

    units: dict[str, str] = {}
    tasks: dict[str, str] = {}
    names: dict[str, str] = {}
    stage: tuple[str, str] = ("", "")

    @property
    def work(self) -> tuple[Key, str]:
        """Return key and title of the current work, both empty if nothing names it."""
        for kind, open_ones in (("unit", self.units), ("task", self.tasks)):
            if open_ones:
                name = next(reversed(open_ones))
                return (kind, open_ones[name] if kind == "task" else name), open_ones[name] or name
        if self.stage[1]:
            return ("stage", " ".join(self.stage)), f"stage {self.stage[1]}"
        return ("", ""), ""

    def enter(self, kind: str, event: Any) -> None:
        """Add the unit, task or stage that begins with an event."""
        if event.agent:
            return
        if kind == "unit.started":
            title = event.title or self.units.pop(event.unit, "")
            self.units[event.unit] = title
        elif kind in _STAGE_BEGINS:
            self.stage = (event.cycle, event.stage)
        elif kind == "tool.finished":
            for row in event.items:
                self._task(row, whole=event.tool == "TodoWrite")

    def leave(self, kind: str, event: Any) -> None:
        """Remove the unit, task or stage that ends with an event; the event still belongs to it."""
        if event.agent:
            return
        if kind == "unit.finished":
            self.units.pop(event.unit, None)
        elif kind in _STAGE_ENDS:
            self.stage = ("", "")
        elif kind == "tool.finished":
            for task, _, status in map(_row, event.items):
                if status and status != "in_progress":
                    self.tasks.pop(task, None)

    def _task(self, row: list[str], *, whole: bool) -> None:
        task, text, status = _row(row)
        if text and (whole or task not in self.names):
            self.names[task] = text
        if status == "in_progress":
            name = self.names.get(task, "")
            if self.tasks.get(task) != name:
                self.tasks.pop(task, None)
                self.tasks[task] = name


def _row(row: list[str]) -> tuple[str, str, str]:
    task, text, status = (*row, "", "", "")[:3]
    return task, text, status


def _assign(piece: _Piece, free: list[tuple[int, list[_Piece]]]) -> None:
    """Join an unnamed piece to work of its period that shares its files, or start a new group."""
    near = [work for period, work in free if period == piece.period]
    touched = piece.touched
    for work in reversed(near):
        theirs = set().union(*(other.touched for other in work))
        fewer = min(len(touched), len(theirs))
        if fewer and len(touched & theirs) >= _SHARED * fewer:
            work.append(piece)
            return
    last = near[-1] if near else []
    if last and (not touched or not any(other.touched for other in last)):
        last.append(piece)
    else:
        free.append((piece.period, [piece]))


def _name(path: str) -> str:
    """Return the stem that names a file's topic (`cart` for tests/test_cart.py), else its path."""
    stem = os.path.basename(path).split(".", 1)[0].lower()
    for affix in ("test_", "test-"):
        stem = stem.removeprefix(affix)
    for affix in ("_test", "-test", "_spec", "-spec"):
        stem = stem.removesuffix(affix)
    return path if not stem or stem in _COMMON else stem


def _is_prompt(kind: str, event: Any) -> bool:
    if kind != "prompt.submitted" or event.agent:
        return False
    return event.origin not in ("task-notification", "agent") and is_request(event.text)


def _title(prompts: list[str], files: list[str], observed: list[KindEvent]) -> str:
    """Return a title from the first request, else from the files, else from the tools."""
    for text in prompts:
        if found := opening(text, TITLE):
            return found
    named = list(dict.fromkeys(map(os.path.basename, files)))
    if not named:
        named = list(dict.fromkeys(event.tool for _, event in observed))
    more = f" and {len(named) - 3} more" if len(named) > 3 else ""
    return line(", ".join(filter(None, named[:3])) + more, TITLE) or "untitled"
