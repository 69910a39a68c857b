"""The command `journal show`.

Invariant: the only file it writes is that of `--html`.
"""

import os
import sys
from typing import Any

from msgspec import to_builtins

from cli.error import FINDINGS, OK, only_one, warn
from cli.past.facts import resume_facts
from cli.past.get import one_session
from cli.render.html import write_page
from cli.render.local_time import zoned_time
from cli.render.pager import page
from cli.render.text import emit, emit_json
from cli.scope import Scope
from cli.show import html, markdown, terminal
from journal.errors import UsageError
from journal.history.conversations.model import Conversation, Skipped
from journal.history.conversations.source import conversation_of


def show(
    scope: Scope,
    *,
    selector: list[str],
    tools: bool,
    as_markdown: bool,
    html_file: str,
    force: bool,
) -> int:
    """Show one session."""
    only_one({"--markdown": as_markdown, "--html": html_file, "--json": scope.json})
    if force and not html_file:
        raise UsageError("--force is for --html", "add --html FILE")
    past = one_session(scope, " ".join(selector))
    found = conversation_of(
        past.digest,
        os.path.join(scope.home, past.project),
        scope.by_session,
        project=past.project if scope.json else scope.name_of(past.project),
        details=tools or bool(html_file),
    )
    if scope.json:
        emit_json(as_data(found))
    elif html_file:
        full = os.path.abspath(scope.path(html_file))
        made = f"Made by journal, {zoned_time(scope.now)}"
        write_page(full, html.page(found, made, tools=tools), replace=force)
        emit([f"Written: {full}"])
    elif as_markdown:
        emit(markdown.lines_of(found, tools=tools))
    else:
        columns = scope.columns if sys.stdout.isatty() else 0
        page(terminal.lines_of(found, scope.style, columns, tools=tools), scope.env)
    if not found.skipped.damaged:
        return OK
    warn("warning: the stored copy of this conversation is damaged, so this is not all of it")
    return FINDINGS


def as_data(found: Conversation) -> dict[str, Any]:
    """Return a conversation as a JSON object; entries have only the fields that are set."""
    data: dict[str, Any] = dict.fromkeys(found.__struct_fields__)
    data |= to_builtins(found)
    data["entries"] = to_builtins(found.entries)
    data |= resume_facts(found.resume)
    data |= {name: getattr(found, name) for name in ("whole", "tokens", "files", "decisions")}
    data["skipped"] = {name: getattr(found.skipped, name) for name in Skipped.__struct_fields__}
    return data
