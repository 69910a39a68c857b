"""`journal setup`: plugin directory, registration with the client, status line, one fed hook call.

Invariant: everything that could make it refuse is checked before the first change; doing it twice
leaves what doing it once leaves, and an update replaces what an older one left.
"""

from __future__ import annotations

import os

from cli.install import client, interpreter, plugin, probe, record, source, statusline
from cli.install.model import MARKETPLACE, PLUGIN, SetupOptions, SetupResult
from cli.install.settings import Settings, digest, write_whole
from journal.errors import JournalError
from journal.home import client_dir, ensure_directory, journal_home

__all__ = ["setup"]

_ID = f"{PLUGIN}@{MARKETPLACE}"


def setup(options: SetupOptions) -> SetupResult:
    """Install. Never raises for what a person can mend: such a step is `failed` with a remedy."""
    result = SetupResult()
    result.attempt(lambda: _Setup(options, result).run())
    return result


def settings_path(options: SetupOptions) -> str:
    """Return the file the client writes for this scope."""
    if options.scope == "project":
        return os.path.join(os.path.abspath(options.project), ".claude", "settings.json")
    return os.path.join(client_dir(options.env), "settings.json")


def statusline_path(options: SetupOptions) -> str:
    """Return the file of the status line: in a project the unshared one (local paths)."""
    if options.scope == "project":
        return os.path.join(os.path.dirname(settings_path(options)), "settings.local.json")
    return settings_path(options)


class _Setup:
    def __init__(self, options: SetupOptions, result: SetupResult) -> None:
        self.options = options
        self.result = result
        self.home = journal_home(options.env)
        self.top = plugin.directory(self.home)
        self.source = source.find()
        self.python = interpreter.real()
        self.client = client.find(options.client, options.env, os.path.abspath(options.project))

    def run(self) -> None:
        """Take all steps in order; the first group changes nothing."""
        settings = self.check()
        wanted = plugin.files(self.source, self.python)
        if self.options.dry_run:
            self.plan(wanted)
            return
        ensure_directory(self.home)
        changed = plugin.materialise(self.home, wanted)
        self.result.add(
            f"plugin {self.source.version} in place", "done" if changed else "unchanged", self.top
        )
        kept = self.store_baselines(settings)
        try:
            self.register()
            self.set_status_line()
        finally:
            self.store_digests(kept)
        self.try_hook()

    def check(self) -> dict[str, Settings]:
        """Read everything that may stand in the way. JournalError, and nothing has changed."""
        _, version = interpreter.describe(self.python)
        if not version:
            raise JournalError(self.python, "does not start as an interpreter", "reinstall Python")
        self.result.add(f"interpreter {version}", "unchanged", self.python)
        plugin.refuse_foreign(self.home)
        paths = dict.fromkeys([settings_path(self.options)])
        if self.with_status_line():
            line = statusline_path(self.options)
            paths[line] = None
            before = statusline.load(self.home)
            if before and before.settings != line:
                what = f"the status line is already installed in {before.settings}"
                raise JournalError(line, what, "run journal uninstall first")
            if not os.path.isfile(self.source.statusline):
                raise JournalError(self.source.statusline, "is missing", "install anew")
        settings = {path: Settings(path) for path in paths}
        for each in settings.values():
            if self.client or self.with_status_line():
                each.refuse_unwritable()
        return settings

    def with_status_line(self) -> bool:
        """Asked for now, or earlier and to be kept up to date."""
        return self.options.statusline or (
            statusline.load(self.home) is not None and self.options.scope == "user"
        )

    def plan(self, wanted: dict[str, tuple[bytes, int]]) -> None:
        """Say what would be done."""
        write, stale = plugin.differing(self.home, wanted)
        what = f"write {len(write)} files and remove {len(stale)}" if write or stale else "keep"
        self.result.add(f"{what} (plugin {self.source.version})", "planned", self.top)
        if self.client:
            for arguments in self.registration():
                self.result.add(f"claude {' '.join(arguments)}", "planned", self.client.path)
        else:
            self.ask_to_type()
        if self.with_status_line():
            self.result.add("set statusLine", "planned", statusline_path(self.options))
        self.result.add("feed a session's start and end through the hook", "planned", self.top)

    def store_baselines(self, settings: dict[str, Settings]) -> record.Record:
        """Keep a byte copy of each settings file as it is without anything of ours."""
        kept = record.load(self.home)
        line = statusline.load(self.home)
        for path, each in settings.items():
            known = kept.files.get(path)
            if known and known.after == digest(each.data):
                continue  # untouched since the last setup: the copy of then stays the right one
            ours = (line.installed, line.text) if line and line.settings == path else None
            before = record.copied(self.home, known) if known and known.before else None
            clean = each.data and each.encoded(each.without_ours(ours, before))
            kept.files[path] = record.Baseline(record.copy(self.home, path, clean), "")
        record.save(self.home, kept)
        return kept

    def store_digests(self, kept: record.Record) -> None:
        """Note what setup left, so that uninstall can tell whether somebody changed it since."""
        project = os.path.abspath(self.options.project) if self.options.scope == "project" else ""
        pair = [self.options.scope, project]
        if pair not in kept.scopes:
            kept.scopes.append(pair)
        for path in (settings_path(self.options), statusline_path(self.options)):
            if path in kept.files:
                kept.files[path].after = digest(Settings(path).data)
        record.save(self.home, kept)

    def registration(self) -> tuple[tuple[str, ...], ...]:
        """Return the client's subcommands that make the plugin known and installed."""
        scope = ("--scope", self.options.scope)
        return (
            ("plugin", "marketplace", "add", self.top, *scope),
            ("plugin", "install", _ID, *scope),
        )

    def register(self) -> None:
        """Register with the client, or say what to type in it."""
        if self.client is None:
            self.ask_to_type()
            return
        remedy = "type in Claude Code: " + " and ".join(self.lines())
        for arguments in self.registration():
            self.client.must(*arguments, remedy=remedy)
        found = [entry for entry in self.client.plugins() if entry.get("id") == _ID]
        if found and any(entry.get("enabled") is False for entry in found):
            what = f"{_ID} is installed but disabled"
            raise JournalError(self.client.path, what, f"run: claude plugin enable {_ID}")
        self.result.add(f"{_ID} installed for {self.options.scope}", "done", self.client.path)

    def lines(self) -> tuple[str, str]:
        """Return the two lines to type inside the client."""
        return f"/plugin marketplace add {self.top}", f"/plugin install {_ID}"

    def ask_to_type(self) -> None:
        """No client: hand the two lines to the person."""
        self.result.to_type = self.lines()
        self.result.add("claude is not on PATH: type the two lines in Claude Code", "skipped")

    def set_status_line(self) -> None:
        """Wire the lean entry, keeping the line of before inside."""
        if not self.with_status_line():
            return
        path = statusline_path(self.options)
        settings = Settings(path)
        if not self.options.statusline and not statusline.is_ours(
            settings.values.get("statusLine")
        ):
            self.result.add("another status line is set: left as it is", "skipped", path)
            return
        line = statusline.command(self.python, self.source.statusline)
        text, kept = statusline.with_command(settings, self.home, line)
        data = settings.encoded(text)
        if data == settings.data and kept == statusline.load(self.home):
            self.result.add("status line", "unchanged", path)
            return
        # First what uninstall needs, then the setting: a kill in between loses nothing.
        statusline.save(self.home, kept)
        write_whole(path, data)
        around = " around the one that was there" if kept.previous is not None else ""
        self.result.add(f"status line set{around}", "done", path)

    def try_hook(self) -> None:
        """End with one session's start and end through the command as the client will run it."""
        found = probe.feed(self.top)
        self.result.add(f"hook fed: {found.cost}", "done", self.source.hook)
        default = journal_home(
            {name: text for name, text in self.options.env.items() if name != "JOURNAL_HOME"}
        )
        if self.home != default:
            self.result.add(
                "JOURNAL_HOME is set here",
                "skipped",
                self.home,
                "set it for Claude Code too, or its hooks write to " + default,
            )
