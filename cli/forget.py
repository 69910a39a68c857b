"""`journal redact | gc`: remove stored texts; both only count without --yes.

Invariant: the secret is neither an argument nor printed.
"""

import os
import sys
from typing import Any

from cli.error import FINDINGS, OK, one_of, only_one, warn
from cli.import_.command import run_import
from cli.render.text import table
from cli.scope import Scope
from journal.errors import UsageError
from journal.history.forget.collect import CLASSES, FILES, RECORDS, Collected, collect, setting_of
from journal.history.forget.redact import Redaction, redact_home
from journal.history.forget.replace import Pattern, Replacer, Rules, Secret
from journal.history.forget.stored import projects_of
from journal.home import client_dir
from journal.text import plural

_MOST = 128 * 1024  # characters of a secret; finding a longer one would take minutes


def redact(scope: Scope, *, pattern: str, rules: bool, from_file: str, yes: bool) -> int:
    """Count or replace the occurrences of a secret."""
    only_one({"--pattern": pattern, "--rules": rules, "--from": from_file})
    only = _projects(scope)
    replacer: Replacer
    if rules:
        replacer = Rules()
    else:
        replacer = Pattern(pattern) if pattern else Secret(_secret(scope, from_file))
    scope.reads()  # "nothing found" says little about a damaged log
    if yes and scope.settings["import.auto"] and not scope.no_import:
        # First import: what is imported later is stored with the secret.
        run_import(scope, "", "", only=None if scope.every else scope.project)
    done = redact_home(scope.home, only, scope.iso, replacer, dry=not yes)
    data = _redaction_data(done, yes=yes)
    scope.show(data, _redaction_lines(scope, data, done))
    return FINDINGS if done.failed or (done.total and not yes) else OK


def gc(scope: Scope, *, classes: list[str], older_than: int, yes: bool) -> int:
    """Count or remove old texts, class by class."""
    for name in classes:
        one_of("class", name, CLASSES)
    if older_than and not classes:
        raise UsageError("--older-than needs --class", f"one of {', '.join(CLASSES)}")
    projects = _projects(scope)
    days = {name: older_than or scope.settings[setting_of(name)] for name in classes or CLASSES}
    days = {name: age for name, age in days.items() if age}
    if not days.keys().isdisjoint(RECORDS):
        scope.reads()
    done = collect(scope.home, projects, scope.iso, days, dry=not yes)
    data = {
        "dry_run": not yes,
        "classes": [
            {
                "class": name,
                "days": days.get(name) or None,
                "removed": done.get(name, Collected()).number,
                "bytes": done.get(name, Collected()).saved,
            }
            for name in CLASSES
        ],
    }
    return scope.show(data, _collected_lines(scope, done, days, yes=yes))


def _projects(scope: Scope) -> list[str]:
    """Return the journals to change. Raise JournalError if the project has none."""
    if scope.every:
        return projects_of(scope.home)
    scope.must_exist()
    return [scope.project.name]


def _secret(scope: Scope, from_file: str) -> str:
    """Read the secret from a file, from stdin, or from the user without showing it."""
    if scope.is_inside:
        warn("Claude Code records the commands that it runs: run this one in your own terminal")
    if from_file:
        path = scope.path(from_file)
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read(_MOST + 1)
    elif sys.stdin.isatty():
        from getpass import getpass

        text = getpass("Secret to remove (not shown): ")
    else:
        text = sys.stdin.read(_MOST + 1)
    if len(text) > _MOST:
        raise UsageError(
            f"a secret has at most {_MOST:,} characters",
            "give its secret part alone, or --pattern with what stands around it",
        )
    return text.removesuffix("\n").removesuffix("\r")


def _redaction_data(done: Redaction, *, yes: bool) -> dict[str, Any]:
    return {
        "dry_run": not yes,
        "total": done.total,
        "records": {
            os.path.join(log, name): count
            for log, segments in done.records.items()
            for name, count in segments.items()
        },
        "files": done.files,
        "dropped": len(done.dropped),
        "failed": done.failed,
    }


def _redaction_lines(scope: Scope, data: dict[str, Any], done: Redaction) -> list[str]:
    rows = [(path, f"{n:,}") for path, n in {**data["records"], **data["files"]}.items()]
    lines = table(rows, scope.columns, heads=("FILE", "LINES"), flexible=0, right=(1,))
    places = f"{plural(done.total, 'line')} in {plural(len(rows), 'file')}"
    derived = plural(len(done.dropped), "derived file")
    if data["dry_run"]:
        found = f"{places} would change; {derived} would be rebuilt" if rows else "nothing found"
        more = "; --yes changes them, which cannot be undone" if rows else ""
        more = "; an earlier run was interrupted: --yes finishes it" if done.resumed else more
        lines.append(f"{found}{more}")
    else:
        lines.append(f"{places} changed; {derived} deleted, and rebuilt when needed")
        lines.append(
            f"Not changed: Claude Code's own transcripts below {client_dir(scope.env)}, backups, "
            "exports (the next journal export updates them). If a running session repeats the "
            "secret, it is recorded again. The file system may keep the old bytes until it reuses "
            "the space. Rotate the secret."
        )
    return lines + [f"may still hold it: {path}: {what}" for path, what in done.failed.items()]


def _collected_lines(
    scope: Scope, done: dict[str, Collected], days: dict[str, int], *, yes: bool
) -> list[str]:
    rows = []
    for name in CLASSES:
        found = done.get(name, Collected())
        age = plural(days[name], "day") if name in days else "forever"
        unit = "file" if name in FILES else "record"
        count = plural(found.number, unit) if name in days else "-"
        rows.append((name, age, count, f"{found.saved:,}" if name in days else "-"))
    verb = "REMOVED" if yes else "WOULD REMOVE"
    heads = ("CLASS", "KEPT", verb, "BYTES")
    lines = table(rows, scope.columns, heads=heads, flexible=0, right=(3,))
    if not days:
        text = "Nothing would be removed. Set gc.*_days, or give --class and --older-than."
    elif yes:
        text = "Sessions, compactions and counts are as before; emptied records keep their seqs."
    else:
        text = "--yes removes them. BYTES of records are before compression."
    return [*lines, text]
