"""A session that was only imported is offered at the next start on its branch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .client import REPO, Client, new_id
from .test_resumed import journal

if TYPE_CHECKING:
    from pathlib import Path

    from .api import Api

pytestmark = pytest.mark.client


@pytest.mark.long
def test_the_next_start_on_its_branch_has_it(tmp_path: Path, api: Api, executable: Path) -> None:
    """It is the first offer, with its branch; once hooks have seen it too, it is listed once."""
    client = Client(tmp_path, api.url, executable, plugins=())
    elsewhere, here, fresh = new_id(), new_id(), new_id()
    client.say("Rename the ledger columns", elsewhere)
    client.git("checkout", "-q", "-b", "fix-rounding")
    client.say("Round the invoice totals ASKED-17", here)
    assert {item["session"] for item in journal(client, "sessions")} == set()
    journal(client, "import")
    client.plugins = (REPO,)
    client.say("good morning", fresh)
    (text,) = [
        told for told in client.context_texts(fresh, "SessionStart") if "Past sessions" in told
    ]
    first = next(line for line in text.splitlines() if line.startswith("- "))
    assert here[:8] in first
    assert "fix-rounding" in first
    assert text in api.last.text
    client.say("and half up?", here)
    journal(client, "import")
    counted = {item["session"]: item["prompts"] for item in journal(client, "sessions")}
    assert counted == {elsewhere: 1, here: 2, fresh: 1}
