"""One call of the status line: record Claude Code's reading, and return the line to print.

Invariant: it never raises. An unknown reading, or one that the log has already, is not appended;
no part of the environment is.
"""

from __future__ import annotations

import os

from hooks import errors
from hooks.status_line import previous
from hooks.status_line.text import Facts, compose
from journal.client_version import tested
from journal.codec import loads
from journal.transcript.statusline import Reading, read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hooks.context import Context

COLUMNS = 80


def show(raw: bytes, env: Mapping[str, str]) -> str:
    """Return what goes to stdout: the output of the user's own status line, with ours below it.

    raw: the client's JSON. env: JOURNAL_HOME, COLUMNS, NO_COLOR and the like.
    """
    process = previous.start(env)
    try:
        own = _own_line(raw, env)
    except Exception as error:  # noqa: BLE001 (a line whatever happens)
        errors.note(env, "statusline", error)
        own = f"journal off: {type(error).__name__}"
    theirs = previous.output_of(process, raw) if process else ""
    return "".join(f"{part}\n" for part in (theirs, own) if part)


def _own_line(raw: bytes, env: Mapping[str, str]) -> str:
    try:
        data = loads(raw)
    except ValueError:
        data = None
    reading = read(data)
    facts = Facts()
    if reading is None:
        facts.state = "? (the client's input cannot be read)"
    else:
        _fill(facts, reading, env)
    if not facts.is_shown:
        return ""
    given = env.get("COLUMNS", "")
    columns = int(given) if given.isascii() and given.isdigit() and len(given) < 5 else COLUMNS
    return compose(facts, columns or COLUMNS, colour=not env.get("NO_COLOR"))


def _cost(reading: Reading, context: Context) -> str:
    """Return what today and the current block cost, "" if that cannot be stored (a full disk)."""
    from hooks.status_line.cost import spent
    from journal.errors import JournalOffError
    from journal.home import ensure_directory

    try:
        ensure_directory(context.home)
        return spent(context.home, reading, context.now)
    except (OSError, JournalOffError) as error:
        context.note("statusline", error)
        return ""


def _fill(facts: Facts, reading: Reading, env: Mapping[str, str]) -> None:
    """Record the reading in the journal, and set the facts to show."""
    from hooks.context import Context
    from hooks.status_line.sample import take
    from journal.checkpoint import load_hints
    from journal.errors import JournalOffError
    from journal.transcript.threshold import compaction_threshold
    from projections.prefilter import HINTS, level

    facts.model = reading.display_name or reading.model
    facts.tokens = reading.tokens
    if tested(reading.version) is False:
        facts.untested = reading.version
    where = reading.cwd if os.path.isabs(reading.cwd) else reading.project_dir
    context = Context(env, where)
    settings = context.settings
    facts.is_shown = bool(settings["statusline.show"])
    hints = load_hints(context.directory, HINTS)[0]
    session = hints.get("pressure", {}).get(reading.session_id, {})
    argument = session.get("autocompact") or 0
    point = compaction_threshold(reading.model, env, settings, reading.window, argument)
    facts.point = hints.get("points", {}).get(str(point.tokens), point.tokens)
    facts.compacts = point.enabled
    facts.level = level(
        reading.tokens, facts.point, settings["pressure.info"], settings["pressure.urgent"]
    )
    if settings["statusline.cost"]:
        facts.cost = _cost(reading, context)
    facts.stage = str(hints.get("stages", {}).get(reading.session_id, ""))
    if not context.records:
        facts.state = "off: capture.level is off"
        return
    try:
        seq = take(reading, context, point)
    except JournalOffError as error:
        facts.state = f"off: {error.what}"
        context.note("statusline", error)
    else:
        facts.state = f"#{seq}" if seq else "empty"
