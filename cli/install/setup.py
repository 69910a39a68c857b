"""`journal setup`: a copy of the code, Claude Code's registration, status line, command, man page.

Invariant: everything that can fail is checked before Claude Code's settings change; running it
twice has the same result as running it once; a marketplace that the user added stays.
"""

import os
import shlex
import shutil
import subprocess
import sys

from cli.install import client, code_copy, interpreter, on_path, probe, record, source
from cli.install import statusline as line
from cli.install.model import ID, SetupOptions, SetupResult
from cli.install.settings import Settings, digest, write_whole
from journal.errors import JournalError
from journal.home import ensure_directory, journal_home


def setup(options: SetupOptions) -> SetupResult:
    """Install. An error that a person can correct is a step `failed` with a remedy, not raised."""
    result = SetupResult()
    result.attempt(lambda: _Setup(options, result).run())
    return result


class _Setup:
    def __init__(self, options: SetupOptions, result: SetupResult) -> None:
        self.options = options
        self.result = result
        self.home = journal_home(options.env)
        self.path = options.settings_path
        self.client = client.find(options.client, options.env, os.path.abspath(options.project))
        self.copy = code_copy.CodeCopy(self.home)
        self.line = line.load(self.home)
        self.with_line = options.statusline or (self.line is not None and options.scope == "user")

    def run(self) -> None:
        """Take all steps in order; the first one only checks."""
        settings = self.check()
        if self.options.dry_run:
            self.plan()
            return
        ensure_directory(self.home)
        self.copy_code()
        installed = self.store_baseline(settings)
        try:
            self.register(installed)
            self.set_status_line()
        finally:
            if self.path in installed.files:
                installed.files[self.path].after = digest(Settings(self.path).data)
            record.save(self.home, installed)
        on_path.link(self.home, self.options.env, self.result)
        on_path.link_page(self.home, self.options.env, self.result)
        named = "".join(Settings(path).text for path in installed.files)
        for path in self.copy.prune(named):
            self.result.add("older copy removed", "done", path)
        self.check_home()

    def check(self) -> Settings:
        """Check what can make setup fail; raise JournalError before anything has changed."""
        code_copy.refuse_foreign(self.home)
        for path, what in record.damaged(self.home).items():
            remedy = f"move it away, and compare {self.path} with it: "
            remedy += shlex.join(["mv", path, f"{path}.old"])
            if os.path.lexists(path):
                raise JournalError(path, f"{what} is damaged", remedy)
        settings = Settings(self.path)
        other = self.line.settings if self.line else self.path
        if self.with_line and other != self.path and line.is_installed(self.home):
            what = f"the status line is already installed in {other}"
            raise JournalError(self.path, what, "run journal uninstall first")
        if self.client or self.with_line:
            settings.refuse_unwritable()
        others = [settings.values, Settings(self.options.user_settings_path).values]
        self.other = client.other_marketplace(self.home, self.client, others)
        if client.is_gone(self.other):
            what = "Claude Code has the plugin from this directory, which no longer exists"
            remedy = "run: claude plugin marketplace remove context-journal, then this again"
            raise JournalError(self.other, what, remedy)
        return settings

    def plan(self) -> None:
        """Append the steps that would be taken."""
        name = os.path.basename(self.copy.top)
        what = f"keep {name}" if self.copy.complete else f"copy the code and packages: {name}"
        self.result.add(what, "planned", self.copy.top)
        if self.client:
            for arguments in self.registration():
                self.result.add(f"claude {' '.join(arguments)}", "planned", self.client.path)
        elif not self.other:
            self.show_lines()
        self.set_status_line()
        on_path.plan(self.home, self.options.env, self.result)

    def copy_code(self) -> None:
        """Create the copy, test its hook, and only then activate it."""
        made = self.copy.create()
        cost = probe.feed(self.copy.plugin)
        used = self.copy.activate()
        extras = f" with the extras {', '.join(self.copy.extras)}" if self.copy.extras else ""
        what = f"copy of journal {source.version()}{extras}"
        self.result.add(what, "done" if made or used else "unchanged", self.copy.top)
        self.result.add(f"a hook call takes {cost}", "done", self.copy.plugin)

    def store_baseline(self, settings: Settings) -> record.Record:
        """Store a byte copy of the settings file as it is without our entries."""
        installed = record.load(self.home)
        known = installed.files.get(settings.path)
        if known and known.after == digest(settings.data):
            return installed  # unchanged since the last setup, whose copy is still the right one
        ours = line.ours(settings, self.line)
        before = record.read_copy(self.home, known) if known and known.before else None
        clean = settings.data and settings.encoded(
            settings.without_ours(ours, before, plugin=not self.other)
        )
        installed.files[settings.path] = record.store_copy(self.home, settings.path, clean)
        record.save(self.home, installed)
        return installed

    def registration(self) -> list[tuple[str, ...]]:
        """Return the client's subcommands that make the plugin known and installed."""
        scope = ("--scope", self.options.client_scope)
        install = ("plugin", "install", ID, *scope)
        if not self.other:
            where = code_copy.link(self.home)
            return [("plugin", "marketplace", "add", where, *scope), install]
        return [] if self.client and self.client.plugin(ID) else [install]

    def register(self, installed: record.Record) -> None:
        """Install the plugin with the client, or show what to type in it."""
        if self.other:
            what = f"Claude Code has the plugin from {self.other} and keeps it up to date"
            self.result.add(what, "unchanged")
            self.prepare_python()
        if self.client is None:
            if not self.other:
                self.show_lines()
            return
        remedy = "type in Claude Code: " + " and ".join(self.lines())
        commands = self.registration()
        for arguments in commands:
            self.client.run_checked(*arguments, remedy=remedy)
        project = os.path.abspath(self.options.project) if self.options.scope == "project" else ""
        pair = [self.options.client_scope, project]
        if commands and pair not in installed.scopes:
            installed.scopes.append(pair)
        if any(entry.get("enabled") is False for entry in self.client.plugin(ID)):
            what = f"{ID} is installed but disabled"
            raise JournalError(self.client.path, what, f"run: claude plugin enable {ID}")
        if commands:
            what = f"{ID} installed for {self.options.scope}"
            self.result.add(what, "done", self.client.path)

    def prepare_python(self) -> None:
        """Install packages for the `python3` that runs that plugin's hooks, if it needs others."""
        python = shutil.which("python3", path=self.options.env.get("PATH", os.defpath)) or ""
        _, version = interpreter.describe(python) if python else ("", "")
        own = ".".join(map(str, sys.version_info[:2]))
        if version.rpartition(".")[0] == own:
            return  # it uses the copy's packages
        script = source.path("cli", "install", "environment.py")
        where = os.path.join(self.home, "venv")
        argv = [python, "-E", "-P", script, "find", source.TOP, where, "run", ""]
        ran = subprocess.run(argv, capture_output=True, text=True, check=False)  # noqa: S603
        what = f"packages for {python or 'python3'}, which runs the hooks of that plugin"
        if ran.returncode:
            raise JournalError(python or "python3", (ran.stderr.strip() or "is missing"))
        self.result.add(what, "done", where)

    def lines(self) -> tuple[str, str]:
        """Return the two lines to type inside the client."""
        return f"/plugin marketplace add {code_copy.link(self.home)}", f"/plugin install {ID}"

    def show_lines(self) -> None:
        """Show the two lines to type, because there is no client to run."""
        self.result.to_type = self.lines()
        self.result.add("claude is not on PATH: type the two lines in Claude Code", "skipped")

    def set_status_line(self) -> None:
        """Set our status line, which calls the one that was set before."""
        if not self.with_line:
            return
        settings = Settings(self.path)
        if not self.options.statusline and not line.is_ours(settings.values.get("statusLine")):
            self.result.add("another status line is set: it stays as it is", "skipped", self.path)
            return
        script = os.path.join(self.copy.plugin, "hooks", "statusline.py")
        command = line.command(self.copy.python, script)
        text, previous = line.with_command(settings, self.home, command)
        data = settings.encoded(text)
        if data == settings.data and previous == line.load(self.home):
            self.result.add("status line", "unchanged", self.path)
            return
        if self.options.dry_run:
            self.result.add("set statusLine", "planned", self.path)
            return
        # First what uninstall needs, then the setting: a kill in between loses nothing.
        line.save(self.home, previous)
        write_whole(self.path, data)
        around = " around the one that was there" if previous.previous is not None else ""
        self.result.add(f"status line set{around}", "done", self.path)

    def check_home(self) -> None:
        """Warn if the hooks would write to another journal home."""
        env = {name: text for name, text in self.options.env.items() if name != "JOURNAL_HOME"}
        default = journal_home(env)
        if self.home != default:
            remedy = f"set it for Claude Code too, or its hooks write to {default}"
            self.result.add("JOURNAL_HOME is set here", "skipped", self.home, remedy)
