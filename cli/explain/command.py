"""The command `journal explain SEQ`.

Invariant: it prints what the log and the settings now in force give; where that differs from what
was recorded then, it says so and ends with exit code 1.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from cli.error import FINDINGS, OK
from cli.events import line_of
from cli.explain.reason import Reason, reasons
from cli.explain.situation import Case, case_of
from cli.read import outcome
from cli.render.text import emit, emit_json
from journal.text import clip, one_line, padded, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cli.scope import Scope

__all__ = ["explain"]

_WIDTH = 17
_TEXT = 12  # lines of an answer that are shown


def explain(scope: Scope, *, seq: int) -> int:
    """Explain one event."""
    scope.must_exist()
    case = case_of(scope.directory, seq, scope.settings)
    found = reasons(case, scope.settings)
    differs = _differs(case)
    if scope.json:
        emit_json(_data(scope, case, found, differs=differs))
    else:
        emit(_lines(scope, case, found, differs=differs))
    assert case.reader is not None
    return outcome(case.reader) or (FINDINGS if differs else OK)


def _differs(case: Case) -> bool:
    """Whether the log and the answer now do not agree that something was said."""
    spoken = any(item["type"] in ("advice.given", "context.injected") for item in case.recorded)
    says = case.said is not None and any(
        item["type"] in ("advice.given", "context.injected") for item in case.said.says
    )
    return spoken != says


def _lines(scope: Scope, case: Case, found: list[Reason], *, differs: bool) -> Iterator[str]:
    columns = scope.columns
    yield scope.style("bold", line_of(case.fields, columns))
    if case.fact.get("seq") != case.asked:
        yield from wrapped("it was said at this event:", columns)
        yield scope.style("bold", line_of(case.fact, columns))
    yield ""
    yield from _verdict(scope, case, found)
    yield ""
    for item in found:
        mark = {True: "+", False: "-", None: " "}[item.passed]
        seqs = "".join(f" (#{seq})" for seq in item.seqs)
        head = f"{mark} {padded(item.what, _WIDTH)}"
        text = wrapped(one_line(item.value) + seqs, max(20, columns - len(head)))
        yield clip(head + text[0], columns)
        yield from (clip(" " * len(head) + line, columns) for line in text[1:])
    yield ""
    yield from _settings(scope, found)
    if differs:
        yield from _difference(scope, case)


def _verdict(scope: Scope, case: Case, found: list[Reason]) -> Iterator[str]:
    said = case.said
    if said is None:
        stopped = next((item for item in found if item.passed is False), None)
        why = f": {stopped.what}: {one_line(stopped.value)}" if stopped else ""
        yield from wrapped(f"Nothing is said here{why}", scope.columns)
        return
    parts = {
        "Claude": said.context,
        "the person": said.message,
        "the summary": said.plain,
        "Claude, keeping the turn going": said.block,
    }
    for name, text in parts.items():
        if not text:
            continue
        yield from wrapped(f"Said to {name}:", scope.columns)
        lines = [
            part
            for line in text.split("\n")
            for part in wrapped(one_line(line), scope.columns, "  > ")
        ]
        yield from (line.rstrip() for line in lines[:_TEXT])
        if len(lines) > _TEXT:
            yield clip(f"    and {len(lines) - _TEXT} more lines (journal replay)", scope.columns)
    if not any(parts.values()):
        kinds = ", ".join(item["type"] for item in said.says)
        yield from wrapped(f"Nothing is said here; it records {kinds}", scope.columns)


def _settings(scope: Scope, found: list[Reason]) -> Iterator[str]:
    """Settings that had a say, and where they come from."""
    keys = _keys(found)
    if not keys:
        return
    origins = _origins(scope)
    for key in keys:
        text = f"{key} = {scope.settings[key]} ({origins.get(key, 'default')})"
        yield clip(f"  {one_line(text)}", scope.columns)


def _difference(scope: Scope, case: Case) -> Iterator[str]:
    if case.recorded:
        what = "then it was said, and would not be said now"
    else:
        what = "then nothing was said; this is what would be said now"
    text = f"! {what}: settings, clock or code were others"
    yield from (scope.style("yellow", line) for line in wrapped(text, scope.columns))


def _data(scope: Scope, case: Case, found: list[Reason], *, differs: bool) -> dict[str, Any]:
    said = case.said
    origins = _origins(scope)
    return {
        "event": case.fields,
        "fact": case.fact,
        "said": None
        if said is None
        else {
            "context": said.context,
            "message": said.message,
            "plain": said.plain,
            "block": said.block,
            "says": said.says,
        },
        "recorded": case.recorded,
        "differs": differs,
        "reasons": [
            {"what": item.what, "value": item.value, "passed": item.passed, "seqs": list(item.seqs)}
            for item in found
        ],
        "settings": {
            key: {"value": scope.settings[key], "origin": origins.get(key, "default")}
            for key in _keys(found)
        },
        "before": case.before,
    }


def _keys(found: list[Reason]) -> list[str]:
    return list(dict.fromkeys(key for item in found for key in item.keys))


def _origins(scope: Scope) -> dict[str, str]:
    from journal.config.load import load

    loaded = load(scope.home, scope.project.root or None)
    names = {"home": os.path.join(scope.home, "config.toml"), "project": ".claude/journal.toml"}
    return {key: names.get(origin, origin) for key, origin in loaded.origins.items()}
