"""Events as a text: one line each, `[session] HH:MM word rest`, for tests to read and to draw.

    09:00 start
    09:01 prompt fix the cart
    09:01 tool Edit cart.py
    b 09:02 prompt something else
    09:05 compact auto

A ` / ` ends a line as well. `by AGENT` at the end makes it a subagent's; `key K` before that gives an idempotency key. Invariant:
the same text always gives the same records, to the byte.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from journal.log.record import frame
from projections.fold import Fold
from projections.registry import REGISTRY

if TYPE_CHECKING:
    from collections.abc import Callable

    Record = tuple[int, bytes]

POINT = 167_000


def _two(rest: str, second: str = "") -> tuple[str, str]:
    first, _, other = rest.partition(" ")
    return first, other or second


def _start(rest: str) -> dict[str, Any]:
    source, previous = _two(rest)
    return {"type": "session.started", "source": source or "startup", "previous": previous}


def _reading(rest: str) -> dict[str, Any]:
    tokens, point = _two(rest, str(POINT))
    return {"type": "pressure.sampled", "tokens": int(tokens), "window": 200_000,
            "point": int(point), "source": "transcript", "model": "claude-sonnet-4-5"}  # fmt: skip


def _told(rest: str) -> dict[str, Any]:
    level, tokens = _two(rest, "130000")
    return {"type": "advice.given", "what": "pressure", "level": level, "channel": "context",
            "tokens": int(tokens), "point": POINT}  # fmt: skip


def _flow(count: str) -> dict[str, Any] | None:
    if not count:
        return None
    digests = [f"{number:08x}" for number in range(int(count), 0, -1)]
    return {"entries": int(count), "digests": digests, "headings": digests[:3], "path": "p.md"}


def _stage(rest: str) -> dict[str, Any]:
    what, stage = _two(rest, "sprint")
    return {"type": f"stage.{what}", "cycle": "c1", "stage": stage}


def _progress(rest: str) -> dict[str, Any]:
    what, other = _two(rest)
    if what == "saved":
        return {"type": "progress.saved", "skill": "s", "phase": other or "1", "summary": "did"}
    return {"type": f"progress.{what}", "from_sid": other, "skill": "s"}


def _unit(rest: str) -> dict[str, Any]:
    what, other = _two(rest)
    if what == "started":
        return {"type": "unit.started", "unit": "u", "title": "U", "items": ["a", "b", "c"]}
    if what == "checked":
        return {"type": "unit.item.checked", "unit": "u", "item": other or "a"}
    return {"type": "unit.finished", "unit": "u"}


WORDS: dict[str, Callable[[str], dict[str, Any]]] = {
    "start": _start,
    "end": lambda rest: {"type": "session.ended", "reason": rest or "other"},
    "prompt": lambda rest: {"type": "prompt.submitted", "origin": "human", "text": rest,
                            "size": len(rest)},
    "command": lambda rest: {"type": "command.expanded", "name": rest},
    "tool": lambda rest: {"type": "tool.finished", "tool": _two(rest)[0], "target": _two(rest)[1],
                          "changed": rest.startswith(("Edit", "Write"))},
    "task": lambda rest: {"type": "tool.finished", "tool": "TaskUpdate", "target": _two(rest)[0],
                          "items": [[_two(rest)[0], "T", _two(rest, "pending")[1]]]},
    "todos": lambda rest: {"type": "tool.finished", "tool": "TodoWrite",
                           "items": [[str(at), word, "pending"] for at, word in
                                     enumerate(rest.split(), 1)]},
    "fail": lambda rest: {"type": "tool.failed", "tool": _two(rest)[0], "target": _two(rest)[1],
                          "error": "boom"},
    "stop": lambda rest: {"type": "turn.ended", "message": "Done.", "flow": _flow(rest)},
    "reading": _reading,
    "told": _told,
    "suggested": lambda rest: {"type": "advice.given", "what": "compound", "reason": rest},
    "injected": lambda rest: {"type": "context.injected", "what": _two(rest)[0],
                              "reason": _two(rest, "r")[1]},
    "compact": lambda rest: {"type": "compact.started", "trigger": _two(rest)[0],
                             "flow": _flow(_two(rest)[1])},
    "done": lambda _: {"type": "session.started", "source": "compact"},
    "forked": lambda rest: {"type": "compact.summarized", "summary": rest, "size": len(rest)},
    "gathered": lambda rest: {"type": "compact.gathered", "reasons": [rest], "ids": [f"#{len(rest)}"]},
    "withdrawn": lambda rest: {"type": "prompts.withdrawn", "withdrawn": [rest]},
    "written": lambda rest: {"type": "files.changed", "paths": [rest], "count": 1},
    "summary": lambda rest: {"type": "compact.finished", "trigger": "auto", "summary": rest,
                             "size": len(rest)},
    "trimmed": lambda rest: {"type": "flow.trimmed", "digest": f"{int(rest):08x}", "text": "t",
                             "heading": rest},
    "note": lambda rest: {"type": "flow.noted", "text": rest},
    "compound": lambda rest: {"type": "compound.ran", "promoted": 1,
                              "covered": [f"{n + 1:08x}" for n in range(int(rest or 0))]},
    "decide": lambda rest: {"type": "decision.recorded", "text": rest},
    "checkpoint": lambda rest: {"type": "checkpoint.saved", "cause": rest or "compact"},
    "model": lambda rest: {"type": "model.switched", "before": "x", "after": rest},
    "stage": _stage,
    "progress": _progress,
    "unit": _unit,
    "learned": lambda rest: {"type": "learning.recorded", "file": "f.md", "title": rest},
    "confirmed": lambda rest: {"type": "learning.confirmed", "file": "f.md", "title": rest,
                               "count": 2},
    "failed": lambda rest: {"type": "turn.failed", "error": rest},
    "notified": lambda rest: {"type": "notification.received", "kind": rest, "message": "m"},
    "subagent": lambda rest: {"type": f"subagent.{rest}", "agent_type": "general-purpose"},
    "about": lambda rest: {"type": f"session.{_two(rest)[0]}", "of": _two(rest)[1], "title": "T",
                           "summary": "S", "decisions": ["d"], "files": ["f"]},
    "queued": lambda rest: {"type": "context.queued", "to": _two(rest)[0], "text": "words",
                            "title": _two(rest, "T")[1], "sources": ["shop#1"]},
    "part": lambda rest: {"type": "context.queued", "to": "a", "text": f"part {rest}",
                          "part": int(rest or 1), "parts": 3},
    "titled": lambda rest: {"type": "session.titled", "title": rest},
    "usage": lambda rest: {"type": "usage.recorded", "request": rest, "input_tokens": 10,
                           "output_tokens": 5},
    "gap": lambda rest: {"type": "journal.gap", "missed": int(rest)},
    "future": lambda rest: {"type": f"future.{rest or 'thing'}", "what": {"a": [1]}},
    "checked": lambda rest: {"type": "transcripts.checked", "expiring": int(rest), "days": 30,
                             "first": "2026-11-29T09:00:00.000Z"},
}  # fmt: skip


def fields_of(line: str, day: str = "2026-11-21") -> dict[str, Any]:
    """Give the fields of one line, from ts on."""
    text = line.strip()
    agent = key = ""
    if " by " in text:
        text, _, agent = text.rpartition(" by ")
    if " key " in text:
        text, _, key = text.rpartition(" key ")
    sid, _, rest = text.partition(" ")
    if ":" in sid:
        sid, rest = "a", text
    at, _, rest = rest.partition(" ")
    word, _, rest = rest.partition(" ")
    body = WORDS[word](rest.strip())
    kind = body.pop("type")
    head = {"ts": f"{day}T{at}:00.000Z", "type": kind, "v": 1, "sid": "" if sid == "-" else sid}
    more = {name: value for name, value in (("agent", agent), ("key", key)) if value}
    return {**head, **more, **{name: item for name, item in body.items() if item not in ("", None)}}


def timeline(text: str, first: int = 1) -> list[Record]:
    """Give the records of a text, numbered from `first`."""
    lines = [line for line in text.replace(" / ", "\n").splitlines() if line.strip()]
    return [(seq, frame(seq, fields_of(line))[:-1]) for seq, line in enumerate(lines, first)]


def views(text: str, *names: str) -> dict[str, Any]:
    """Return the states of some projections over a timeline."""
    return Fold([REGISTRY[name] for name in names]).feed(timeline(text)).states


def view(name: str, text: str) -> Any:
    """Return the state of one projection over a timeline."""
    return views(text, name)[name]


def fed(*events: dict[str, Any]) -> dict[str, Any]:
    """Return the states of all projections over events, given by their fields from `type` on."""
    lines = [frame(seq, {"ts": "2026-11-21T09:00:00.000Z", "v": 1, "sid": "w", **event})[:-1]
             for seq, event in enumerate(events, 1)]  # fmt: skip
    return Fold(list(REGISTRY.values())).feed(list(enumerate(lines, 1))).states
