"""Remove what setup installed, and check whether anything is left: `journal uninstall`.

Invariant: the journal itself stays. A settings file nobody changed since setup is put back byte for
byte; from one that was changed only what is ours is taken out.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys

from cli.install import client, jsontext, plugin, record, statusline
from cli.install.installing import settings_path, statusline_path
from cli.install.model import MARKETPLACE, PLUGIN, SetupOptions, SetupResult, SetupStep, Status
from cli.install.settings import Settings, digest, write_whole
from journal.home import client_dir, journal_home

__all__ = ["uninstall"]

_ID = f"{PLUGIN}@{MARKETPLACE}"


def uninstall(options: SetupOptions) -> SetupResult:
    """Remove. Each part is tried although another failed; what failed says how to go on."""
    result = SetupResult()
    result.attempt(lambda: _Uninstall(options, result).run())
    return result


class _Uninstall:
    def __init__(self, options: SetupOptions, result: SetupResult) -> None:
        self.options = options
        self.result = result
        self.home = journal_home(options.env)
        self.top = plugin.directory(self.home)
        self.record = record.load(self.home)
        self.line = statusline.load(self.home)
        self.client = client.find(options.client, options.env, os.path.abspath(options.project))
        self.paths = dict.fromkeys(
            [*self.record.files, settings_path(options), statusline_path(options)]
        )
        # Looked at before the client rewrites them: has anybody changed them since setup?
        self.untouched = {
            path: digest(Settings(path).data) == known.after
            for path, known in self.record.files.items()
        }

    def run(self) -> None:
        """Remove part by part, then check."""
        for part in (
            self.unregister,
            self.restore_settings,
            self.remove_directories,
            self.remove_environment,
            self.report_journal,
        ):
            self.result.attempt(part)
        if not self.options.dry_run:
            self.result.checked = self.check()

    def add(self, what: str, where: str, *, done: bool = True) -> None:
        """Append a step, as planned in a dry run."""
        status: Status = "planned" if self.options.dry_run else "done"
        self.result.add(what, status if done else "unchanged", where)

    def unregister(self) -> None:
        """Take the plugin and its marketplace out of the client."""
        if self.client is None:
            self.result.to_type = (
                f"/plugin uninstall {_ID}",
                f"/plugin marketplace remove {MARKETPLACE}",
            )
            self.result.add("claude is not on PATH: type the lines in Claude Code", "skipped")
            return
        installed = any(entry.get("id") == _ID for entry in self.client.plugins())
        if not installed and not self.record.scopes:
            self.add("not installed in the client", self.client.path, done=False)
            return
        for scope, project in self.record.scopes or [[self.options.scope, ""]]:
            self.add(f"claude plugin uninstall {_ID} ({scope})", self.client.path)
            if self.options.dry_run:
                continue
            there = client.Client(self.client.path, self.client.env, project or self.client.cwd)
            there.run("plugin", "uninstall", _ID, "--scope", scope)
            there.run("plugin", "marketplace", "remove", MARKETPLACE)

    def restore_settings(self) -> None:
        """Put the settings files back: exactly, or without what is ours."""
        for path in self.paths:
            self.restore(path)

    def restore(self, path: str) -> None:
        """One settings file."""
        settings = Settings(path)
        known = self.record.files.get(path)
        before = record.copied(self.home, known) if known else None
        if known and known.before and before is None:
            known = None  # the copy is gone: what is ours can still be taken out
        elif known and not known.before:
            before = b""
        if known and self.untouched[path]:
            data, how = (before if known.before else None), "as it was, byte for byte"
        else:
            line = self.line if self.line and self.line.settings == path else None
            text = settings.without_ours((line.installed, line.text) if line else None, before)
            data = None if settings.data is None else settings.encoded(text)
            if known and not known.before and not jsontext.parse(text):
                data = None  # the file came with the plugin
            how = "without our keys (it was changed since setup)"
        if data == settings.data:
            return
        self.add(f"settings {how}", path)
        if self.options.dry_run:
            return
        if data is None:
            os.unlink(os.path.realpath(path))
        else:
            settings.refuse_unwritable()
            write_whole(path, data)

    def remove_directories(self) -> None:
        """Remove the plugin directory, the client's copy of it and what setup kept."""
        if os.path.lexists(self.top):
            self.add("plugin directory removed", self.top)
            if not self.options.dry_run:
                plugin.remove(self.home)
        copy = self.cached()
        if os.path.isdir(copy) and not os.path.islink(copy):
            self.add("the client's copy of the plugin removed", copy)
            if not self.options.dry_run:
                shutil.rmtree(copy)
        if self.options.dry_run or any(step.status == "failed" for step in self.result.steps):
            return  # what another try needs stays
        record.remove(self.home)
        if os.path.exists(statusline.path(self.home)):
            os.unlink(statusline.path(self.home))

    def cached(self) -> str:
        """Where the client caches plugins of our marketplace (it marks it for removal later)."""
        return os.path.join(client_dir(self.options.env), "plugins", "cache", MARKETPLACE)

    def remove_environment(self) -> None:
        """Remove the environment `bin/journal` made in the journal home; last, if we run in it."""
        venv = os.path.join(client_dir(self.options.env), "journal", "venv")
        if not os.path.isfile(os.path.join(venv, ".journal-run")) or os.path.islink(venv):
            return
        self.add("environment of the command line removed", venv)
        if self.options.dry_run:
            return
        if os.path.realpath(sys.prefix) == os.path.realpath(venv):
            atexit.register(shutil.rmtree, venv, ignore_errors=True)
        else:
            shutil.rmtree(venv)

    def report_journal(self) -> None:
        """Say where the journal stays, and how big it is."""
        if not os.path.isdir(self.home):
            self.result.add("there is no journal", "unchanged", self.home)
            return
        if not os.listdir(self.home) and not self.options.dry_run:
            os.rmdir(self.home)
            self.result.add("there was no journal yet", "done", self.home)
            return
        size = _size(self.home, {self.top, record.paths(self.home)[1]})
        remedy = f"to delete it as well: rm -r {self.home}"
        self.result.add(f"the journal stays ({size})", "unchanged", self.home, remedy)

    def check(self) -> list[SetupStep]:
        """Look again everywhere setup writes: `done` is clean, `failed` is not."""
        found: list[SetupStep] = []

        def saw(what: str, where: str, remedy: str, *, clean: bool) -> None:
            found.append(
                SetupStep(what, "done" if clean else "failed", where, "" if clean else remedy)
            )

        for path in (self.top, self.cached(), *record.paths(self.home)):
            saw("removed", path, f"remove it: rm -r {path}", clean=not os.path.lexists(path))
        for path in self.paths:
            values = Settings(path).values
            clean = _ID not in values.get("enabledPlugins", {})
            clean &= MARKETPLACE not in values.get("extraKnownMarketplaces", {})
            saw("no plugin of ours", path, f"take {_ID} out of it", clean=clean)
            ours = statusline.is_ours(values.get("statusLine"))
            saw("no status line of ours", path, "take statusLine out of it", clean=not ours)
        if self.client is not None:
            left = [entry for entry in self.client.plugins() if entry.get("id") == _ID]
            remedy = f"run: claude plugin uninstall {_ID}"
            saw("not in the client's list", self.client.path, remedy, clean=not left)
        return found


def _size(top: str, without: set[str]) -> str:
    total = 0
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in without]
        for name in names:
            try:
                total += os.lstat(os.path.join(folder, name)).st_size
            except OSError:
                continue
    return f"{total / 1e6:.1f} MB" if total >= 100_000 else f"{total} bytes"
