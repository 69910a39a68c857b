"""The command `journal explain SEQ`: why a hook answered an event, or stayed silent.

Invariant: it prints what the log and the settings now in force give; where that differs from what
was recorded then, it says so and ends with exit code 1.
"""

import os
from collections.abc import Iterator
from typing import Any

from cli.config import shown
from cli.error import FINDINGS, OK
from cli.events import line_of
from cli.import_.automatic import need_history
from cli.render.answer import answer_data, answer_lines
from cli.render.local_time import zone_note
from cli.render.text import labelled
from cli.scope import Scope
from journal.config import HOME_FILE, PROJECT_FILE
from journal.errors import UsageError
from journal.history.merged import parse_cite
from journal.history.replay.explain import Explained, explain_event, explain_imported
from journal.home import IMPORTED
from journal.text import clip, one_line, padded, wrapped
from projections.messages.message import Explanation, Reason

_WIDTH = 15
_TEXT = 12  # lines of an answer that are shown


def explain(scope: Scope, *, seq: str) -> int:
    """Explain one event, as it is cited."""
    cite = parse_cite(seq)
    if cite is None:
        raise UsageError(f"{seq} names no event", "N is a live event, i:N an imported one")
    need_history(scope)
    if cite.side == IMPORTED:
        found = explain_imported(os.path.join(scope.directory, IMPORTED), cite.seq)
    else:
        found = explain_event(scope.directory, cite.seq, scope.settings)
    rows = _rows(found)
    scope.show(_data(scope, found, rows), _lines(scope, found, rows))
    return FINDINGS if found.differs else OK


def _rows(found: Explained) -> list[Explanation]:
    """Return the reasons of each message, after the reasons that all messages share."""
    step = found.step
    if not found.hook:
        general = Reason("hook", f"no hook answers {step.kind}", passed=False)
    elif step.is_repeat:
        text = "the same hook call again: it changes nothing and gets no answer"
        general = Reason("call", text, passed=False)
    elif step.event is None:
        general = Reason("type", f"this version does not know {step.kind}", passed=False)
    else:
        rows = [Explanation("", [Reason("hook", found.hook)]), *step.explanations]
        rows = [item for item in rows if item.reasons]
        passed = (reason.passed is not False for item in rows for reason in item.reasons)
        if step.answer is None and not any(item.message for item in rows) and all(passed):
            rows.append(Explanation("", [Reason("messages", "none is about this", passed=False)]))
        return rows
    return [Explanation("", [general])]


def _lines(scope: Scope, found: Explained, rows: list[Explanation]) -> Iterator[str]:
    columns = scope.columns
    yield from wrapped(zone_note(scope.now), columns)
    yield scope.style("bold", line_of(scope, found.asked))
    if found.step.seq != found.asked.get("seq"):
        yield from wrapped("the hook sent it at this event:", columns)
        yield scope.style("bold", line_of(scope, found.step.fields))
    yield ""
    if found.step.received_answer is not None:
        yield from answer_lines(found.step.received_answer, columns, "  ", _TEXT)
        if found.step.is_reconstructed:
            yield clip("  (reconstructed: the record holds no text)", columns)
    else:
        stopped = any(reason.passed is False for item in rows for reason in item.reasons)
        yield from wrapped("No message" + "; - marks the reason" * stopped, columns)
    for item in rows:
        yield ""
        if item.message:
            yield clip(item.message.replace("_", " "), columns)
        for reason in item.reasons:
            yield from _reason(reason, found, columns)
    settings = _settings(scope, rows)
    yield from [""] if settings else []
    for key, setting in settings.items():
        text = f"{key} = {shown(setting['value'])} ({setting['origin']})"
        yield clip(f"  {one_line(text)}", columns)
    if found.differs:
        then, now = ("a", "none") if found.step.recorded else ("no", "this one")
        text = f"! the hook sent {then} message then; now it would send {now}, because settings, "
        text += "clock or version differ"
        yield from (scope.style("yellow", line) for line in wrapped(text, columns))


def _reason(reason: Reason, found: Explained, columns: int) -> Iterator[str]:
    mark = {True: "+", False: "-", None: " "}[reason.passed]
    seqs = "".join(f" (#{seq})" for seq in _seqs(reason, found))
    head = f"{mark} {padded(reason.what, _WIDTH)}"
    lines = labelled(head, one_line(reason.value) + seqs, columns, least=20)
    yield from (clip(line, columns) for line in lines)


def _seqs(reason: Reason, found: Explained) -> tuple[int, ...]:
    """Return the events of a reason, and the event of the record that it names."""
    seq = found.before.get(reason.record, {}).get("seq", 0)
    return tuple(filter(None, (*reason.seqs, seq)))


def _data(scope: Scope, found: Explained, rows: list[Explanation]) -> dict[str, Any]:
    return {
        "event": found.asked,
        "fact": found.step.fields,
        "said": answer_data(found.step.received_answer),
        "reconstructed": found.step.is_reconstructed,
        "recorded": found.step.recorded,
        "differs": found.differs,
        "reasons": [
            {
                "message": item.message,
                "what": reason.what,
                "value": reason.value,
                "passed": reason.passed,
                "seqs": list(_seqs(reason, found)),
            }
            for item in rows
            for reason in item.reasons
        ],
        "settings": _settings(scope, rows),
        "before": found.before,
    }


def _settings(scope: Scope, rows: list[Explanation]) -> dict[str, dict[str, Any]]:
    """Return the settings that were read, each with its value and the value's source."""
    files = {"home": os.path.join(scope.home, HOME_FILE), "project": PROJECT_FILE}
    keys = (key for item in rows for reason in item.reasons for key in reason.keys)
    origins = {key: scope.configuration.origins.get(key, "default") for key in keys}
    return {
        key: {"value": scope.settings[key], "origin": files.get(origin, origin)}
        for key, origin in origins.items()
    }
