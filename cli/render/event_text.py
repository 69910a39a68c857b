"""Summarize an event in a few words: one table of event types.

Invariant: a body of any form gives a text, never an exception; the caller escapes it.
"""

import re
from collections.abc import Callable
from typing import Any

from journal.text import plural, short_count

Fields = dict[str, Any]


def summary_of(fields: Fields) -> str:
    """Return the summary of an event (fields as in the log)."""
    kind = str(fields.get("type", ""))
    try:
        text = _SUMMARIES[kind](fields) if kind in _SUMMARIES else _rest(fields)
    except Exception:  # noqa: BLE001 (a body of another form is shown as it is)
        text = _rest(fields)
    agent = f"[{fields['agent'][:8]}] " if isinstance(fields.get("agent"), str) else ""
    return agent + text


_DIGEST = re.compile("[0-9a-f]{16}")  # of the facts that a message repeats
_UNSAVED = "{} not saved yet"
_READ = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_ENVELOPE = frozenset(
    ("cite", "seq", "ts", "type", "v", "sid", "agent", "prompt", "key", "cwd", "branch", "imported")
)


def _rest(fields: Fields) -> str:
    return " ".join(f"{k}={v}" for k, v in fields.items() if k not in _ENVELOPE)


def _join(*parts: Any) -> str:
    return " ".join(str(part) for part in parts if part not in ("", None, [], {}))


def _get(*names: str) -> Callable[[Fields], str]:
    return lambda fields: _join(*(fields.get(name, "") for name in names))


def _if(fields: Fields, name: str, form: str) -> str:
    """Return a member in a form; "" without it."""
    return form.format(fields[name]) if fields.get(name) else ""


def _tokens(count: Any) -> str:
    return short_count(count) if isinstance(count, int) else "?"


def _started(f: Fields) -> str:
    tokens = f"{_tokens(f['context_tokens'])} tokens" if f.get("context_tokens") else ""
    return _join(f.get("source", "?"), f.get("model"), tokens, _if(f, "previous", "after {:.8}"))


def _prompted(f: Fields) -> str:
    not_recorded = f"{f.get('size', 0)} characters, text not recorded"
    return _if(f, "text", '"{}"') or _join(f.get("origin"), not_recorded)


def _tool(f: Fields) -> str:
    cost = f"{f['ms']} ms" if isinstance(f.get("ms"), int) else ""
    changed = "changed" if f.get("changed") else ""
    what = (f.get("tool"), f.get("target"), f.get("subject"))
    return _join(*what, changed, cost, _if(f, "error", "failed: {}"))


def _replied(f: Fields) -> str:
    read = sum(f.get(name, 0) for name in _READ)
    return _join(
        f.get("model"), f"{_tokens(read)} tokens in,", _tokens(f.get("output_tokens")), "out"
    )


def _sampled(f: Fields) -> str:
    point = _tokens(f.get("point"))
    share = f"{f['pressure']}% of {point}" if f.get("pressure") else "of unknown"
    return _join(f"{f.get('tokens', 0):,} tokens,", share, f"({f.get('source', '?')})")


def _advised(f: Fields) -> str:
    recipient = "Claude:" if f.get("channel") == "context" else "the user:"
    tokens = f"{f['tokens']:,} of {f['point']:,} tokens" if f.get("point") else ""
    return _join(f.get("what"), f.get("level"), "to", recipient, tokens or f.get("reason"))


def _injected(f: Fields) -> str:
    reason = str(f.get("reason", ""))
    why = "" if _DIGEST.fullmatch(reason) else reason
    return _join(f.get("what"), f"{f.get('characters', 0):,} characters", why)


def _compacting(f: Fields) -> str:
    at = f"at {_tokens(f['tokens'])} tokens" if f.get("tokens") else ""
    return _join(f.get("trigger", "?"), at, _if(f, "unpromoted", _UNSAVED))


def _summary(f: Fields) -> str:
    part = f"part {f['part']} of {f['parts']}:" if f.get("parts", 1) > 1 else ""
    return _join(f.get("trigger"), part, f'"{f.get("summary", "")}"')


def _gathered(f: Fields) -> str:
    names = "reasons refused calls said ids numbers errors choices withdrawn".split()
    return ", ".join(f"{len(f[name])} {name}" for name in names if f.get(name))


def _learning(f: Fields) -> str:
    return _join(f'"{f.get("title", "")}"', _if(f, "count", "(now {})"), f.get("file"))


_SUMMARIES: dict[str, Callable[[Fields], str]] = {
    "session.started": _started,
    "session.ended": lambda f: _join(f.get("reason", "?"), _if(f, "inferred", "(inferred)")),
    "session.titled": lambda f: _join(f'"{f.get("title", "")}"', f.get("source")),
    "session.summarized": _get("title", "summary"),
    "session.exported": _get("title", "summary"),
    "transcripts.checked": lambda f: (
        f"the text of {plural(f.get('expiring', 0), 'session')} would be lost"
    ),
    "model.switched": lambda f: f"{f.get('before', '?')} → {f.get('after', '?')}",
    "notification.received": _get("kind", "message"),
    "subagent.started": _get("agent_type"),
    "subagent.ended": _get("agent_type", "message"),
    "prompt.submitted": _prompted,
    "prompts.withdrawn": lambda f: plural(len(f.get("withdrawn", [])), "text"),
    "command.expanded": lambda f: _join(f"/{f.get('name', '').lstrip('/')}", f.get("args")),
    "turn.ended": lambda f: _join(
        _if(f, "background", "{} in background"), _if(f, "message", '"{}"')
    ),
    "turn.failed": _get("error", "message"),
    "tool.finished": _tool,
    "tool.failed": _tool,
    "usage.recorded": _replied,
    "pressure.sampled": _sampled,
    "advice.given": _advised,
    "context.injected": _injected,
    "compact.started": _compacting,
    "compact.summarized": _summary,
    "compact.gathered": _gathered,
    "files.changed": lambda f: ", ".join(
        [*f.get("paths", []), *(f"{path} restored" for path in f.get("restored", []))]
    ),
    "compact.finished": _summary,
    "flow.trimmed": lambda f: _join(f.get("date"), f'"{f.get("heading", "")}"'),
    "checkpoint.saved": lambda f: _join(
        f.get("cause"), f.get("unit"), f.get("summary"), _if(f, "unpromoted", _UNSAVED)
    ),
    "flow.noted": _get("text"),
    "compound.ran": lambda f: (
        f"{f.get('promoted', 0)} promoted, "
        f"{plural(len(f.get('covered', [])), 'entry', 'entries')} covered"
    ),
    "learning.recorded": _learning,
    "learning.confirmed": _learning,
    "decision.recorded": _get("text"),
    "stage.started": _get("cycle", "stage"),
    "stage.finished": _get("cycle", "stage"),
    "stage.stopped": _get("cycle", "stage", "reason"),
    "stage.resumed": _get("cycle", "stage"),
    "stage.abandoned": _get("cycle", "stage", "reason"),
    "progress.saved": _get("skill", "phase", "name", "summary"),
    "progress.closed": _get("skill", "output"),
    "progress.adopted": _get("skill", "from_sid"),
    "progress.discarded": _get("skill", "from_sid"),
    "unit.started": _get("unit", "title"),
    "unit.item.checked": lambda f: _join(
        f.get("unit"), f.get("item"), "" if f.get("done", True) else "(opened again)"
    ),
    "unit.finished": _get("unit", "reason"),
    "pack.saved": _get("pack", "title"),
    "context.queued": lambda f: _join("to", f.get("to"), f'"{f.get("title", "")}"'),
    "segment.opened": lambda f: _join(
        f"format {f.get('format', 1)}", _if(f, "previous", "after {}")
    ),
    "hook.failed": _get("hook", "error"),
    "hook.received": _get("hook", "input"),
    "journal.gap": lambda f: (
        f"{plural(f.get('missed', 0), 'event')} lost: nothing could be written"
    ),
    "journal.repaired": lambda f: _join(
        f.get("segment"), f"{f.get('kept', 0)} kept, {f.get('removed', 0)} set aside"
    ),
    "journal.redacted": lambda f: (
        f"{plural(f.get('records', 0), 'record')} and {plural(f.get('files', 0), 'file')}"
    ),
    "journal.collected": lambda f: ", ".join(f"{n} {k}" for k, n in f.get("removed", {}).items()),
}
