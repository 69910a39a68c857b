"""`journal export-session`: export parts of a session as sessions of their own.

Invariant: only the chosen parts are written, all in one write. A part is exported only once.
"""

import sys

from cli.error import only_one
from cli.past.plan import choices, spans
from cli.past.select import pick as picked_numbers
from cli.read import asked_session
from cli.render.local_time import local_time
from cli.render.text import emit, short_id, table
from cli.scope import Scope
from cli.write import RefusedError, needed_session
from journal.errors import UsageError
from journal.history.summaries.groups import Group, group_events
from journal.history.summaries.parts import (
    PartChoice,
    PartSource,
    SessionPart,
    key_of,
    parts_of,
    read_source,
)
from journal.text import one_line, plural

_PLAN = 1024 * 1024  # maximum characters of a plan


def export_session(
    scope: Scope, *, pick: str, plan: str, title: list[str] | None, dry_run: bool
) -> int:
    """Show the groups of a session's observations, and export the picked ones."""
    asked = bool(only_one({"--pick": pick.strip(), "--plan": plan}))
    scope.must_exist()
    scope.reads()
    sid = asked_session(scope) or scope.sid_of(needed_session(scope, "an export"))
    source = read_source(scope.directory, sid)
    groups = group_events(source.events)
    if asked and not groups:
        raise RefusedError(_nothing_text(source))
    if not asked and not scope.json and groups:
        emit(_lines(scope, source, groups))
        if sys.stdin.isatty() and not dry_run:
            pick = scope.ask("Export which (1,3 or 1-3 or all; nothing: none)?")
            asked = True
    if not asked:
        return _show_groups(scope, source, groups)
    if plan:
        text = scope.read_file(plan, _PLAN + 1)
        if len(text) > _PLAN:
            what = f"the plan is longer than {_PLAN:,} characters"
            raise UsageError(what, "split it, or make it shorter")
        wanted = choices(text, groups, source.seqs)
    else:
        wanted = [PartChoice("", groups[at].seqs) for at in picked_numbers(pick, len(groups))]
    parts = parts_of(source.sid, source.events, _with_titles(wanted, title))
    return _export(scope, source, parts, dry_run=dry_run)


def _with_titles(wanted: list[PartChoice], titles: list[str] | None) -> list[PartChoice]:
    texts = [" ".join(text.split()) for text in titles or ()]
    if len(texts) > len(wanted):
        raise UsageError(f"{len(texts)} titles for {len(wanted)} groups", "one --title for each")
    texts += [""] * (len(wanted) - len(texts))
    return [
        entry._replace(title=title or entry.title)
        for entry, title in zip(wanted, texts, strict=True)
    ]


def _export(scope: Scope, source: PartSource, parts: list[SessionPart], *, dry_run: bool) -> int:
    """Append the parts that are not exported yet in one write, and print the session of each."""
    fresh = [part for part in parts if part.key not in source.exported]
    seqs: list[int] = []
    if fresh and not dry_run:
        # They belong to the session in which the command runs, if any.
        kind, sid = "session.exported", scope.current
        seqs = scope.append(*(scope.event(kind, sid, key=part.key, **part.body) for part in fresh))
    new_sids = {part.key: f"{source.sid}.{seq}" for part, seq in zip(fresh, seqs, strict=False)}
    rows = [(part, source.exported.get(part.key) or new_sids.get(part.key, "")) for part in parts]
    facts = {
        "session": source.sid,
        "dry_run": dry_run,
        "appended": seqs,
        "exported": [
            {
                "session": sid or None,
                "new": part.key in new_sids,
                "observations": part.group.observations,
                "events": len(part.group.seqs),
                **part.body,
                "seqs": ",".join(spans(part.group.seqs)),
            }
            for part, sid in rows
        ],
    }
    lines = [_row(part, sid, new=part.key in new_sids) for part, sid in rows]
    return scope.show(facts, lines or ["nothing was chosen, nothing is exported"])


def _row(part: SessionPart, sid: str, *, new: bool) -> str:
    what = f"{one_line(part.group.title)} ({plural(part.group.observations, 'observation')})"
    if new:
        return f"exported as {sid}: {what}"
    return f"exported before as {sid}: {what}" if sid else f"would be exported: {what}"


def _show_groups(scope: Scope, source: PartSource, groups: list[Group]) -> int:
    """Print the groups, and how to export them."""
    facts = [
        {
            "number": at,
            **group._asdict(),
            "seqs": ",".join(spans(group.seqs)),
            "prompts": [prompt[:200] for prompt in group.prompts[:5]],
            "exported": _exported_as(source, group) or None,
        }
        for at, group in enumerate(groups, 1)
    ]
    example = "1 exports it" if len(groups) == 1 else "1,2 exports those"
    lines = ["", f"Nothing is written yet: --pick {example}"]
    shown = {"session": source.sid, "groups": facts}
    return scope.show(shown, lines if groups else [_nothing_text(source)])


def _exported_as(source: PartSource, group: Group) -> str:
    return source.exported.get(key_of(source.sid, group), "")


def _lines(scope: Scope, source: PartSource, groups: list[Group]) -> list[str]:
    """Return the groups as a table."""
    rows = [
        (
            f"{at}.",
            group.title,
            group.why,
            group.observations,
            group.failures or "",
            len(group.files) or "",
            local_time(group.started),
            "yes" if _exported_as(source, group) else "",
        )
        for at, group in enumerate(groups, 1)
    ]
    heads = ("", "group", "by", "calls", "failed", "files", "from", "exported")
    if not any(row[-1] for row in rows):
        rows, heads = [row[:-1] for row in rows], heads[:-1]  # type: ignore[misc,assignment]
    return table(rows, scope.columns, heads=heads, flexible=1, right=(0, 3, 4, 5))


def _nothing_text(source: PartSource) -> str:
    what = f"session {source.sid} has nothing to export: no hook recorded a tool call in it"
    return f"{what}; to read it: journal show {short_id(source.sid)}"
