"""Find the repositories of projects whose sessions all ended before the journal stored them."""

import os
from collections.abc import Iterable, Mapping

from journal.history.conversations.resume import Transcripts
from journal.history.importer.owners import first_cwd
from journal.home import project_of
from journal.identity import remember_repo, stored_repo


def find_repos(home: str, projects: Iterable[str], env: Mapping[str, str]) -> None:
    """Store the repositories of projects whose directory a transcript names."""
    unknown = {name for name in projects if stored_repo(os.path.join(home, name)) is None}
    if not unknown:
        return
    folders = {os.path.dirname(path): path for path in Transcripts(env).paths.values()}
    for path in folders.values():  # all transcripts of a folder are of one directory
        project = project_of(first_cwd(path), {**env, "CLAUDE_PROJECT_DIR": ""})
        if project.root and project.name in unknown:
            remember_repo(os.path.join(home, project.name), project.root)
