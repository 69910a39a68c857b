"""Remove what setup installed, and check whether anything is left: `journal uninstall`.

Invariant: the journal itself stays. A settings file that has not changed since setup is restored
byte for byte; from one that has changed, only our entries are removed.
"""

import atexit
import contextlib
import os
import shlex
import shutil
import sys
from functools import partial

from cli.install import client, code_copy, jsontext, on_path, record, statusline
from cli.install.model import ID, MARKETPLACE, SetupOptions, SetupResult, SetupStep
from cli.install.settings import Settings, digest, write_whole
from journal.files import is_inside
from journal.home import client_dir, journal_home
from journal.installation import removal_command

_OPEN = "restart sessions that are already open: their hooks fail until then"


def uninstall(options: SetupOptions) -> SetupResult:
    """Remove. A part that fails does not stop the others; its step says what to do."""
    result = SetupResult()
    result.attempt(lambda: _Uninstall(options, result).run())
    return result


class _Uninstall:
    def __init__(self, options: SetupOptions, result: SetupResult) -> None:
        self.options = options
        self.result = result
        self.home = journal_home(options.env)
        self.record = record.load(self.home)
        self.line = statusline.load(self.home)
        self.client = client.find(options.client, options.env, os.path.abspath(options.project))
        self.paths = dict.fromkeys([*self.record.files, options.settings_path])
        settings = {path: Settings(path) for path in self.paths}
        self.other = client.other_marketplace(
            self.home, self.client, [each.values for each in settings.values()]
        )
        # The client's cache of our marketplace, which it only marks for removal.
        self.cached = os.path.join(client_dir(options.env), "plugins", "cache", MARKETPLACE)
        self.venv = os.path.join(self.home, "venv")  # of a plugin that Claude Code installed
        # Whether files are as setup left them; read before the client rewrites them.
        self.untouched = {
            path: digest(settings[path].data) == known.after
            for path, known in self.record.files.items()
        }

    def run(self) -> None:
        """Remove part by part, then check."""
        for path, what in record.damaged(self.home).items():
            if os.path.lexists(path):
                remedy = f"compare your settings with it, then: rm -r {shlex.quote(path)}"
                self.result.add(f"{what} is damaged", "failed", path, remedy)
            else:
                self.result.add(f"{what} is gone", "skipped", path)
        self.result.attempt(self.unregister)
        for path in self.paths:
            self.result.attempt(partial(self.restore, path))
        self.result.attempt(self.remove_files)
        self.result.attempt(self.remove_environments)
        self.result.attempt(self.report_package)
        self.result.attempt(self.report_journal)
        if not self.options.dry_run:
            self.result.checked = self.check()

    def add(self, done: str, planned: str, where: str, remedy: str = "") -> bool:
        """Append what is done or, in a dry run, what would be; return whether to do it now."""
        dry = self.options.dry_run
        self.result.add(planned if dry else done, "planned" if dry else "done", where, remedy)
        return not dry

    def unregister(self) -> None:
        """Remove the plugin and our marketplace from the client."""
        scopes = self.record.scopes
        if self.other and not scopes:
            what = f"Claude Code has the plugin from {self.other}, and it stays"
            self.result.add(what, "unchanged", remedy=f"to remove it: claude plugin uninstall {ID}")
            return
        if self.client is None and not scopes and not self.is_named():
            path = self.options.settings_path
            self.result.add("not installed in Claude Code", "unchanged", path)
            return
        if self.client is None:
            self.result.to_type = (
                f"/plugin uninstall {ID}",
                *([] if self.other else [f"/plugin marketplace remove {MARKETPLACE}"]),
            )
            self.result.add("claude is not on PATH: type the lines in Claude Code", "skipped")
            return
        if not scopes and not self.client.plugin(ID):
            self.result.add("not installed in Claude Code", "unchanged", self.client.path)
            return
        for scope, project in scopes or [[self.options.client_scope, ""]]:
            command = f"claude plugin uninstall {ID} ({scope})"
            if self.add(command, command, self.client.path, _OPEN):
                there = client.Client(self.client.path, self.client.env, project or self.client.cwd)
                there.run("plugin", "uninstall", ID, "--scope", scope)
                if not self.other:
                    there.run("plugin", "marketplace", "remove", MARKETPLACE)

    def is_named(self) -> bool:
        """Return whether a settings file or the client's cache has the plugin."""
        named = any(Settings(path).has_plugin for path in self.paths)
        return named or os.path.lexists(self.cached)

    def restore(self, path: str) -> None:
        """Restore one settings file: exactly, or without our entries."""
        settings = Settings(path)
        known = self.record.files.get(path)
        before = record.read_copy(self.home, known) if known else None
        if known and known.before and before is None:
            known = None  # the copy is gone: our own entries can still be removed
        elif known and not known.before:
            before = b""
        if known and self.untouched[path]:
            data, how = (before if known.before else None), "as they were, byte for byte"
        else:
            ours = statusline.ours(settings, self.line)
            text = settings.without_ours(ours, before, plugin=not self.other)
            data = None if settings.data is None else settings.encoded(text)
            if known and not known.before and not jsontext.parse(text):
                data = None  # the file came with the plugin
            how = "without what setup added (the rest was changed since)"
        if data == settings.data or not self.add(
            f"settings {how}", f"restore the settings {how}", path
        ):
            return
        if data is None:
            os.unlink(os.path.realpath(path))
        else:
            settings.refuse_unwritable()
            write_whole(path, data)

    def remove_files(self) -> None:
        """Remove command and man page, the client's copy of the plugin and what setup kept."""
        for path in on_path.links(self.home, self.options.env):
            if self.add("link removed", "remove the link", path):
                os.unlink(path)
        there = os.path.isdir(self.cached) and not os.path.islink(self.cached)
        what = "Claude Code's copy of the plugin"
        own = there and not self.other
        if own and self.add(f"{what} removed", f"remove {what}", self.cached):
            shutil.rmtree(self.cached)
        if self.options.dry_run or any(step.status == "failed" for step in self.result.steps):
            return  # what another try needs stays
        record.remove(self.home)
        if os.path.exists(statusline.path(self.home)):
            os.unlink(statusline.path(self.home))

    def remove_environments(self) -> None:
        """Remove the copies and the environment of a plugin; last, if we run in one of them."""
        code_copy.refuse_foreign(self.home)
        venv = self.venv
        ours = os.path.isfile(os.path.join(venv, ".journal-run")) and not os.path.islink(venv)
        for path in (
            code_copy.link(self.home),
            code_copy.directory(self.home),
            *([venv] if ours else []),
        ):
            if not os.path.lexists(path) or not self.add("removed", "remove", path):
                continue
            if os.path.islink(path):
                os.unlink(path)
            elif is_inside(sys.prefix, path):
                atexit.register(_remove_last, path)
            else:
                shutil.rmtree(path)

    def report_package(self) -> None:
        """Append how to remove the package that this command runs from, if there is one."""
        if command := removal_command():
            remedy = f"to remove it as well: {command}"
            self.result.add("the package context-journal stays", "unchanged", sys.prefix, remedy)

    def report_journal(self) -> None:
        """Report where the journal is, which stays, and how large it is."""
        if not os.path.isdir(self.home):
            self.result.add("there is no journal", "unchanged", self.home)
            return
        removed = {code_copy.link(self.home), code_copy.directory(self.home), self.venv}
        removed |= {*record.paths(self.home), statusline.path(self.home)}
        stays = [each.path for each in os.scandir(self.home) if each.path not in removed]
        if not stays:
            planned = "remove the journal home: there is no journal yet"
            if self.add("there was no journal yet", planned, self.home):
                with contextlib.suppress(OSError):  # not yet empty: the copy that runs goes last
                    os.rmdir(self.home)
            return
        size = _size(self.home, removed)
        remedy = f"to delete it as well: rm -r {shlex.quote(self.home)}"
        self.result.add(f"the journal stays ({size})", "unchanged", self.home, remedy)

    def check(self) -> list[SetupStep]:
        """Check every file setup writes: `done` is clean, `failed` is not."""
        own = () if self.other else (self.cached,)
        rows: list[tuple[str, str, str, object]] = [  # what, where, remedy, whether it is left
            ("removed", path, f"remove it: rm -r {shlex.quote(path)}", os.path.lexists(path))
            for path in (code_copy.link(self.home), *own, *record.paths(self.home))
        ]
        for path in self.paths:
            settings = Settings(path)
            named = settings.has_plugin and not self.other
            ours = statusline.is_ours(settings.values.get("statusLine"))
            rows.append(("no journal plugin", path, f"remove {ID} from it", named))
            rows.append(("no journal status line", path, "remove statusLine from it", ours))
        if self.client is not None and not self.other:
            remedy, left = f"run: claude plugin uninstall {ID}", self.client.plugin(ID)
            rows.append(("not in the client's list", self.client.path, remedy, left))
        return [
            SetupStep(what, "failed" if left else "done", where, remedy if left else "")
            for what, where, remedy, left in rows
        ]


def _size(top: str, without: set[str]) -> str:
    total = 0
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if os.path.join(folder, name) not in without]
        for path in {os.path.join(folder, name) for name in names} - without:
            with contextlib.suppress(OSError):
                total += os.lstat(path).st_size
    return f"{total / 1e6:.1f} MB" if total >= 100_000 else f"{total} bytes"


def _remove_last(path: str) -> None:
    """Remove a copy at the end of a process that runs from it, and a home that is empty then."""
    shutil.rmtree(path, ignore_errors=True)
    with contextlib.suppress(OSError):
        os.rmdir(os.path.dirname(path))
