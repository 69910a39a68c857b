"""A session that was only imported is found, shown, and resumed in the real client."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import pytest

from .client import REPO, Client, new_id

if TYPE_CHECKING:
    from pathlib import Path

    from .api import Api

pytestmark = pytest.mark.client


def journal(client: Client, *words: str) -> Any:
    """Run a journal command in the project; return its JSON."""
    code, out, err = client.run(
        [sys.executable, "-m", "cli", *words, "--json"], PYTHONPATH=str(REPO)
    )
    assert code == 0, err
    return json.loads(out)


@pytest.mark.long
def test_the_line_of_a_hit_resumes_the_session(tmp_path: Path, api: Api, executable: Path) -> None:
    """The line search prints resumes the session in a shell: the next request has the old one."""
    client = Client(tmp_path, api.url, executable, plugins=())
    sid = new_id()
    api.script("The gateway limit is ANSWER-55 per minute.")
    client.say("What is the limit of the gateway? ASKED-44", sid)
    journal(client, "import")
    (hit,) = journal(client, "search", "gateway", "limit")
    shown = journal(client, "show", sid)
    assert hit["resume"] == shown["resume"] == f"cd {client.project} && claude --resume {sid}"
    assert [entry["text"] for entry in shown["entries"]] == [
        "What is the limit of the gateway? ASKED-44", "The gateway limit is ANSWER-55 per minute.",
    ]  # fmt: skip
    own = tmp_path / "bin"
    own.mkdir()
    (own / "claude").symlink_to(executable)
    path = f"{own}:{client.environment()['PATH']}"
    seen = len(api.talk)
    command = f"{hit['resume']} -p 'and per hour?'"
    code, _, err = client.run(["/bin/sh", "-c", f"cd / && {command}"], PATH=path)
    assert code == 0, err
    assert len(api.talk) > seen
    for part in ("ASKED-44", "ANSWER-55", "and per hour?"):
        assert part in api.last.text, part
