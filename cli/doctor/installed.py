"""Check how the journal is installed: plugin, interpreter, packages, client, switches, status line.

The last check shows whether the module records, and whether our formula gives the compaction
threshold that Claude Code reports; it needs readings in the log. Invariant: the checks are about
what Claude Code will run, read from where it is registered.
"""

import json
import os
import shlex
import subprocess
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from cli.doctor.installation import Check, Installation, Status, folder_of
from cli.doctor.stored import last_records
from cli.install import client, code_copy, interpreter, probe, record, source, statusline
from cli.install.model import ID
from journal.client_version import tested, tested_range
from journal.errors import JournalError
from journal.files import is_inside
from journal.log.record import ACTIVE
from journal.text import plural
from journal.transcript.threshold import CLIENT, FORMULA

_MODULE = "module"
_READINGS = 20  # last readings in which to look for one by the module
_SLOW = 4.0  # interpreter starts; a capture costs about 2
_READY = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from hooks.packages import ready; sys.exit(not ready())"
)


def plugin(install: Installation) -> Iterator[Check]:
    """Check that the client has the plugin, once, and runs the copy that setup made."""
    for path, values in install.settings:
        if "hooks/run.py" in json.dumps(values.get("hooks", {})):
            what = "settings contain the journal's hooks too: each hook runs twice"
            yield Check("plugin", "warn", what, path, "remove them from hooks in that file")
    own = []
    for entry in install.entries:
        if entry["id"] == ID:
            own.append(entry)
            continue
        what = "is installed beside this one: each hook runs twice"
        remedy = f"run: claude plugin uninstall {entry['id']}"
        yield Check("plugin", "warn", what, str(entry["id"]), remedy)
    if install.client and not own:
        where = "from there" if install.other else "to Claude Code"
        how = f"claude plugin install {ID}" if install.other else "journal setup"
        what = "not installed: hooks run only with claude --plugin-dir"
        remedy = f"to add it {where}: {how}"
        yield Check("plugin", "warn" if install.set_up else "note", what, install.other, remedy)
    for entry in own:
        yield _entry(install, entry)
    if not install.client:
        yield _unseen(install)


def _entry(install: Installation, entry: dict[str, Any]) -> Check:
    folder = folder_of(entry)
    if entry.get("enabled") is False:
        remedy = f"run: claude plugin enable {ID}"
        if install.unreadable:
            remedy = f"correct {install.unreadable[0].path} first, then: journal doctor"
        return Check("plugin", "warn", "installed but disabled: hooks do not run", folder, remedy)
    if install.other:
        if client.is_gone(install.other):
            what = "installed from a directory that no longer exists"
            remedy = "run: claude plugin marketplace remove context-journal, then: journal setup"
            return Check("plugin", "fail", what, install.other, remedy)
        what = f"installed by Claude Code from {install.other}, which also updates it"
        version = entry.get("folderVersion") or entry.get("version")
        if not version or version == install.version:
            return Check("plugin", "ok", what, folder)
        what = f"version {version} was {what}; this command is version {install.version}"
        remedy = f"to update the command: {shlex.quote(os.path.join(folder, 'bin/journal'))} setup"
        return Check("plugin", "note", what, folder, remedy)
    if not install.set_up:
        what = "installed, but its files no longer exist: hooks do not run"
        return Check("plugin", "fail", what, folder, "to make them again: journal setup")
    return _copy(install, f"set up for {entry.get('scope', 'user')}")


def _unseen(install: Installation) -> Check:
    """Return the result for a machine without Claude Code on PATH."""
    if not install.set_up:
        what = "not set up: hooks run only with claude --plugin-dir"
        return Check("plugin", "note", what, source.TOP, "to set it up: journal setup")
    return _copy(install, "set up; without claude it is unknown whether Claude Code loads it")


def _copy(install: Installation, what: str) -> Check:
    """Return the result for setup's copy, which may be older than the code that runs here."""
    wanted, used = code_copy.CodeCopy(install.home).top, code_copy.copy_in_use(install.home)
    if os.path.realpath(wanted) == used:
        return Check("plugin", "ok", f"version {install.version}, {what}", used)
    what = f"differs from this installation ({os.path.basename(wanted)}): hooks run the copy"
    return Check("plugin", "warn", what, used, "to replace the copy: journal setup")


def hook_interpreter(install: Installation) -> list[Check]:
    """Check that the hooks' interpreter exists, is new enough and is not a shim."""
    python = install.command[0]
    name = "interpreter"
    _, version = interpreter.describe(python)
    if not version:
        what = "does not start: hooks record nothing"
        return [Check(name, "fail", what, python, "run: journal setup")]
    if tuple(int(part) for part in version.split(".")[:2]) < (3, 11):
        what = f"is Python {version}: hooks need 3.11 or newer and record nothing"
        remedy = "put a newer python3 on PATH, then run: journal setup"
        return [Check(name, "fail", what, python, remedy)]
    if interpreter.is_shim(python):
        what = f"Python {version} behind a shim, which takes longer to start than a hook to run"
        return [Check(name, "warn", what, python, "run: journal setup")]
    return [Check(name, "ok", f"Python {version}", python)]


def hook_run(install: Installation) -> list[Check]:
    """Check that a hook call records an event, and how long it takes."""
    try:
        cost = probe.feed(install.top, install.env.get("PATH", os.defpath))
    except JournalError as error:
        return [Check("hook", "fail", error.what, error.path, error.remedy or "run: journal setup")]
    slow = cost.ratio > _SLOW
    remedy = "run journal doctor again when the machine is idle; then check the interpreter"
    where = install.command[-1]
    return [Check("hook", "warn" if slow else "ok", str(cost), where, remedy if slow else "")]


def packages(install: Installation) -> list[Check]:
    """Check that the interpreter has the packages that messages need."""
    argv = [install.command[0], "-I", "-S", "-c", _READY, install.top]
    try:
        done = interpreter.run(argv, env=install.env)
    except (OSError, subprocess.TimeoutExpired):
        return []  # `hook_interpreter` reports it
    if done.returncode:
        what = "msgspec is missing: hooks record events, but send no messages"
        status: Status = "warn" if install.set_up or install.entries else "note"
        return [Check("packages", status, what, install.command[0], "run: journal setup")]
    return [Check("packages", "ok", "complete; hooks can send messages", install.command[0])]


def client_version(install: Installation) -> list[Check]:
    """Check that Claude Code is installed, in a version that the tests have run with."""
    if install.client is None:
        remedy = "add claude to PATH, or name it: --client PATH"
        return [Check("client", "note", "claude is not on PATH", remedy=remedy)]
    version = install.client.version()
    if not version:
        remedy = "reinstall Claude Code"
        return [Check("client", "warn", "does not print its version", install.client.path, remedy)]
    if tested(version):
        return [Check("client", "ok", f"{version}, tested", install.client.path)]
    what = f"{version}; tested with {tested_range()}: hooks may behave differently"
    remedy = "check below that events still arrive"
    return [Check("client", "note", what, install.client.path, remedy)]


def hooks_on(install: Installation) -> list[Check]:
    """Check that no setting turns hooks off."""
    found = [("disableAllHooks", path, values) for path, values in install.settings]
    if not any(ID in values.get("enabledPlugins", {}) for _, values in install.managed):
        found += [("allowManagedHooksOnly", path, values) for path, values in install.managed]
    rows = [
        Check("hooks", "fail", f"{switch} is set: hooks do not run", path, f"remove {switch} there")
        for switch, path, values in found
        if values.get(switch) is True
    ]
    for error in install.unreadable:
        what = f"a settings file {error.what}; no setting in it counts"
        rows.append(Check("hooks", "fail", what, error.path, "correct it by hand"))
    return rows or [Check("hooks", "ok", "no setting turns them off")]


def status_line(install: Installation) -> list[Check]:
    """Check that the status line records the client's own readings."""
    name = "status line"
    remedy = "run: journal setup --statusline"
    set_in = [(path, own["statusLine"]) for path, own in install.settings if "statusLine" in own]
    previous = statusline.load(install.home)
    if not set_in or not any(statusline.is_ours(value) for _, value in set_in):
        if install.unreadable:
            what = "unknown, because a settings file cannot be read"
            return [Check(name, "warn", what, install.unreadable[0].path, "correct it by hand")]
        if previous:
            what = "was replaced since setup: readings come only from transcripts"
            return [Check(name, "warn", what, previous.settings, remedy)]
        what = "not set up: readings come only from transcripts"
        return [Check(name, "note", what, remedy=remedy)]
    path, value = set_in[0]
    if not statusline.is_ours(value):
        what = "another one is set here; it overrides the journal's"
        return [Check(name, "warn", what, path, "remove statusLine there")]
    script = statusline.script(value)
    if not os.path.isfile(script):
        return [Check(name, "fail", "its program no longer exists", script, remedy)]
    if not install.set_up or not is_inside(script, code_copy.copy_in_use(install.home)):
        return [Check(name, "warn", "belongs to another installation", path, remedy)]
    if previous is None:
        stored = statusline.path(install.home)
        what = "set up, but what was set before cannot be read: it is neither shown nor restored"
        return [Check(name, "warn", what, stored, f"{_anew(stored)} --statusline")]
    return [Check(name, "ok", "set up", path)]


def copies(install: Installation) -> Iterator[Check]:
    """Check that uninstall can put back what setup found."""
    for path, what in record.damaged(install.home).items():
        found = f"{what} cannot be read: journal uninstall removes only its own entries"
        yield Check("uninstall", "warn", found, path, _anew(path))


def _anew(path: str) -> str:
    """Return the command to run so that setup records again: it overwrites no damaged record."""
    if not os.path.lexists(path):
        return "run: journal setup"
    return f"run: mv {shlex.quote(path)} {shlex.quote(path + '.old')} && journal setup"


def module(install: Installation) -> list[Check]:
    """Check that the module records; return nothing without readings."""
    if not install.scope.settings["capture.warm"]:
        what = "off (capture.warm): command hooks record everything, more slowly"
        return [Check(_MODULE, "note", what)]
    path = os.path.join(install.directory, ACTIVE)
    found = [item for item in last_records(path) if item.get("type") == "pressure.sampled"]
    found = found[-_READINGS:]
    if not found:
        return []
    warm = [reading for reading in found if reading.get("source") == "client"]
    if not warm:
        count = plural(len(found), "reading")
        what = f"recorded none of the last {count}: command hooks record, more slowly"
        remedy = "it needs more than one turn, and Claude Code 2.1.287 or newer that loads modules"
        if install.managed:
            path = install.managed[0][0]
            remedy = "nothing is lost: with managed settings, it skips the modules of plugins"
        return [Check(_MODULE, "note", what, path, remedy)]
    return [_formula(warm, path)]


def _formula(readings: list[dict[str, Any]], path: str) -> Check:
    """Compare the formula with the newest reading that has Claude Code's own threshold."""
    for reading in reversed(readings):
        terms = {str(term[0]): term for term in reading.get("terms", ()) if len(term) == 3}
        if terms.get("compaction threshold", ["", "", ""])[2] != CLIENT:
            continue
        point = int(reading.get("point") or 0)
        if FORMULA not in terms:
            what = f"records; Claude Code compacts at {point:,} tokens, as the formula says"
            return Check(_MODULE, "ok", what, path)
        what = f"Claude Code compacts at {point:,} tokens, the formula says {terms[FORMULA][1]}"
        return Check(_MODULE, "warn", what, path, "without the module, pressure would be wrong")
    return Check(_MODULE, "ok", "records", path)


CHECKS: tuple[Callable[[Installation], Iterable[Check]], ...] = (
    plugin,
    hook_interpreter,
    hook_run,
    packages,
    client_version,
    hooks_on,
    status_line,
    copies,
)
