"""The text of `journal status`, from its data.

Pure: data in, lines out. Invariant: no line is wider than the columns it was given, except for a
path, which stays whole to be copied.
"""

from typing import Any

from cli.render.local_time import local_time, zoned_time
from cli.render.text import short_id
from cli.scope import Scope
from journal.clock import millis
from journal.history.moved import moved_note
from journal.text import ago, clip, one_line, padded, percent, plural, wrapped
from projections.headroom import headroom_text

_LABEL = 12
_MIB = 1024 * 1024
_TOLD = {True: "; Claude got back what it dropped", False: "; no recovery text yet", None: ""}
_COLOURS = {"findings": "red", "unknown": "yellow"}

Row = tuple[str, str]


def lines(data: dict[str, Any], scope: Scope) -> list[str]:
    """Return the lines of the whole status."""
    rows: list[Row] = [*_journal(data, scope), *_pressure(data), *_compound(data)]
    return _laid_out([*rows, *_sessions(data), *_client(data)], scope)


def brief(data: dict[str, Any], scope: Scope) -> list[str]:
    """Return the lines that matter now: damage, context left in open sessions, unfinished work."""
    rows = [
        row for row in _journal(data, scope) if row[0] in ("findings", "unknown", "transcripts")
    ]
    if data["sessions"]["open"]:
        rows += [row for row in _pressure(data) if row[0] == "pressure"]
    if data["compound"]["entries"]:
        rows += _compound(data)[:2]
    rows += [row for row in _sessions(data) if row[0] == "work"]
    return _laid_out(rows, scope)


def _laid_out(rows: list[Row], scope: Scope) -> list[str]:
    columns = scope.columns
    out = []
    for name, text in rows:
        whole = name == "journal"  # a path
        body = [one_line(text)] if whole else wrapped(one_line(text), max(8, columns - _LABEL))
        head = padded(name, _LABEL)
        for at, line in enumerate(body):
            lead = scope.style("bold", head) if not at else " " * _LABEL
            out.append((lead + scope.style(_COLOURS.get(name, ""), line)).rstrip())
    return out


def _journal(data: dict[str, Any], scope: Scope) -> list[Row]:
    now = data["now"]
    events = f"{data['events']:,}"
    if data["events"]:
        first = data["first"] or ""
        since = zoned_time(first) if local_time(first) else "an unknown time"
        events += f" since {since}; the last, #{data['seq']:,} "
        events += f"{data['last_type']}, {_ago(data['at'], now)}"
    rows = [("project", scope.name_of(data["project"])), ("journal", data["journal"])]
    rows.append(("events", events))
    rows += _imported(data)
    rows += [("moved", moved_note(data["home"], directory)) for directory in data["moved_from"]]
    findings = ", ".join(f"{count} {name}" for name, count in data["findings"].items())
    rows += [("findings", f"damaged: {text}; run: journal verify") for text in data["damage"]]
    rows += [("losses", text) for text in data["losses_known"]]
    if findings and data["complete"]:
        rows.append(("findings", f"{findings}; nothing is lost"))
    if data["unknown_types"]:
        named = ", ".join(f"{count} {kind}" for kind, count in data["unknown_types"].items())
        rows.append(("unknown", f"events that this version does not know: {named}"))
    return rows


def _imported(data: dict[str, Any]) -> list[Row]:
    """Return the rows on imported events, and on transcripts that Claude Code will delete soon."""
    found, losses = data["imported"], data["losses"]
    rows = []
    if found["events"]:
        text = f"{found['events']:,} events of {plural(found['sessions'], 'session')}"
        size = f"{found['stored'] / _MIB:,.1f}"
        if found["stored"] and size == "0.0":
            size = "less than 0.1"
        stored = f"{size} of at most {found['limit'] // _MIB:,} MiB"
        rows.append(("imported", f"{text} from transcripts; conversations stored: {stored}"))
    if losses["sessions"]:
        text = f"{plural(losses['sessions'], 'session')} would lose text that is stored nowhere: "
        is_due = losses["first"] <= data["now"]
        when = "at its next start" if is_due else f"on {local_time(losses['first'])[:10]}"
        text += f"Claude Code deletes transcripts after {losses['days']} days, the next {when}."
        rows.append(("transcripts", f"{text} Run: journal import"))
    return rows


def _pressure(data: dict[str, Any]) -> list[Row]:
    if not data["pressure"]:
        return [("pressure", "unknown: no session yet")]
    rows = []
    many = len(data["pressure"]) > 1
    for sid, gauge in data["pressure"].items():
        lead = f"{short_id(sid)}: " if many else ""
        compacted = data["compactions"].get(sid, {}).get("done", False)
        rows.append(("pressure", lead + _reading(gauge, data["now"], compacted=compacted)))
        if gauge.get("point"):
            rows.append(("", _point(gauge)))
    levels = data["levels"]
    info, urgent = (percent(100 * levels[name]) for name in ("info", "urgent"))
    rows.append(("levels", f"info at {info}, urgent at {urgent} of the compaction threshold"))
    return rows


def _reading(gauge: dict[str, Any], now: str, *, compacted: bool) -> str:
    nothing = "no warning since the compaction" if compacted else "no warning yet"
    warned = f", warned: {gauge['told']}" if gauge.get("told") else f", {nothing}"
    if not gauge["known"]:
        last = f"; the last reading was {gauge['tokens']:,} tokens" if gauge["tokens"] else ""
        return f"unknown: {gauge['unknown'] or 'no reading'}{last}{warned}"
    tokens = f"{gauge['tokens']:,} tokens"
    source = f"{gauge['source']}, {_ago(gauge['read_at'], now)}"
    if gauge["pressure"] is None:
        return f"{tokens} ({source}), compaction threshold unknown{warned}"
    left = headroom_text(gauge["left"], compacts=gauge["auto_compact"])
    level = f": level {gauge['level']}" if gauge["level"] != "none" else ""
    return f"{left}, {tokens} ({source}){level}{warned}"


def _point(gauge: dict[str, Any]) -> str:
    head = f"compaction threshold {gauge['point']:,} by {gauge['point_source']}"
    if not gauge["formula_used"] and gauge["point_formula"]:
        head += f", formula {gauge['point_formula']:,}"
    if not gauge["auto_compact"]:
        head += ", no automatic compaction"
    terms = []
    for name, value, provenance in (term.values() for term in gauge["terms"]):
        shown = f"{int(value):,}" if value.isascii() and value.isdigit() else value
        terms.append(f"{name} {shown} ({provenance})")
    return f"{head}: {', '.join(terms)}" if terms else head


def _compound(data: dict[str, Any]) -> list[Row]:
    view, now = data["compound"], data["now"]
    if view["entries"] is None:
        log = "none (.claude/context/progress.md does not exist)"
    else:
        log = f"{plural(view['entries'], 'entry', 'entries')} in {view['path']}"
        if view["headings"]:
            log += f", newest: {view['headings'][0]}"
    ran = (
        f"last compound #{view['ran']}, {_ago(view['ran_at'], now)}"
        if view["ran"]
        else "/journal:compound has not run yet"
    )
    notes = f" ({plural(view['noted'], 'note')})" if view["noted"] else ""
    unsaved = plural(view["unpromoted"], "entry", "entries")
    rows = [("work log", log), ("compound", f"{unsaved} not saved yet{notes}; {ran}")]
    since = view.get("compound_since_compact")
    if since is not None and view.get("compact"):
        rows.append(("", f"{'a' if since else 'no'} compound since the last compaction"))
    stock = data["learnings"]
    if stock is None:
        rows.append(("learnings", "none (no learnings file)"))
    else:
        average = f", {stock.average} confirmations on average" if stock.average else ""
        rows.append(("learnings", f"{stock.total}, {stock.unverified} unverified{average}"))
    return rows


def _sessions(data: dict[str, Any]) -> list[Row]:
    now, sessions = data["now"], data["sessions"]
    rows: list[Row] = []
    for sid, compaction in data["compactions"].items():
        trigger, seq, done = compaction["trigger"], compaction["seq"], compaction["done"]
        how = f"{trigger or 'unknown'} #{seq}, {_ago(compaction['at'], now)}"
        told = _TOLD[compaction["told"]]
        rows.append(
            ("compaction", f"{short_id(sid)}: {how}, {'done' if done else 'attempted'}{told}")
        )
    if not data["compactions"]:
        here = sum(item["compactions"] for item in sessions["shown"])  # of transcripts
        where = "open sessions" if sessions["open"] else "the latest session"
        where = "this session" if data["session"] else where
        found = f" in {where}; {sessions['compactions']:,} in all: journal stats compactions"
        more = found if sessions["compactions"] else ""
        rows.append(("compaction", f"{here or 'none'}{more}"))
    for sid, work in data["work"].items():
        rows.append(("work", f"{short_id(sid)}: {_work(work)}"))
    rows.append(("sessions", f"{sessions['known']} known, {len(sessions['open'])} open"))
    for item in sessions["shown"]:
        title = item["title"] or ""
        facts = (
            f"{short_id(item['session'])} {item['state']}, {plural(item['prompts'], 'prompt')}, "
        )
        facts += f"{plural(item['tools'], 'tool call')}, last {_ago(item['last'], now)}"
        rows.append(("", facts + (f": {clip(title, 60)}" if title else "")))
    return rows


def _work(work: dict[str, Any]) -> str:
    parts = []
    if stage := work.get("stage"):
        state = "finished" if stage["finished"] else stage["status"]
        parts.append(f"stage {stage['stage']} of {stage['cycle'] or 'its cycle'} {state}")
    if skill := work.get("skill"):
        parts.append(f"{skill['skill']}, phase {skill['phase']}")
    if unit := work.get("unit"):
        parts.append(f"unit {unit['unit']}, {unit['done']} of {unit['total']} done")
    return "; ".join(parts)


def _client(data: dict[str, Any]) -> list[Row]:
    client, config = data["client"], data["config"]
    tested = f"tested with {client['tested_range']}"
    version = client["version"] or "version unknown"
    note = "tested" if client["tested"] else tested
    problems = config["problems"]
    bad = f"{plural(problems, 'problem')}; journal config shows them" if problems else "no problem"
    bridge = "installed" if config["statusline"] else "not installed (journal setup --statusline)"
    return [
        ("client", f"{version}; {note}"),
        ("status line", bridge),
        ("config", f"{bad}; capture {config['capture']}"),
    ]


def _ago(ts: str | None, now: str) -> str:
    return ago(millis(ts or ""), millis(now) or 0)
