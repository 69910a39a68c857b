"""The harness itself: what the client does by its protocol, seen through a plugin without effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from .api import call
from .client import new_id

if TYPE_CHECKING:
    from .api import Api
    from .client import Client
    from .probe import Probe

pytestmark = pytest.mark.client


def test_hooks_see_a_turn_with_tools(client: Client, api: Api, probe: Probe) -> None:
    """Every step of a turn reaches the plugin, and its context reaches the next request."""
    client.plugins = (probe.folder,)
    probe.tell("PostToolUse", "MARK-7")
    api.script(
        call("Bash", command="echo hi", description="say hi"),
        call("Bash", command="exit 3", description="fail"),
        "All done.",
    )
    done = client.say("please work", sid=new_id())
    print(probe.names)
    assert done.result == "All done."
    assert len(api.talk) == 3
    assert [r.count("MARK-7") for r in api.talk] == [0, 1, 1]
    assert "PostToolUseFailure" in probe.names
