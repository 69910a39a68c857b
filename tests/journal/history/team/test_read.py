"""Reports read the tables of every version, and only the rows that pass the filter."""

from __future__ import annotations

import pytest

from journal.history.team import columns, read, store
from tests.journal.history.team.conftest import STREAM, ask
from tests.journal.history.test_hook_calls import NO_CALLS

pytestmark = pytest.mark.team


def test_versions_share_tables(team, monkeypatch):
    """Versions with fewer columns create, read, extend and replace the tables of a newer one."""
    real = columns.team_columns

    def older(table: str) -> list[tuple[str, str]]:
        return [item for item in real(table) if item[0] not in ("hook_call", "tokens")]

    def use(version) -> None:
        for module in (columns, read, store):
            monkeypatch.setattr(module, "team_columns", version)

    def agree() -> None:
        for name in ("hooks", "compactions"):
            here = ask(team, "stats", name, "--all-projects")
            assert here == ask(team, "team", name, "--at", str(team.there)), name

    use(older)
    team.journals.write(STREAM, "shop-00000001")
    team.export()
    use(real)
    agree()  # an older version's tables
    assert ask(team, "team", "sessions", "--at", str(team.there))
    ended = [*NO_CALLS, {"type": "turn.ended", "us": 9}]
    team.journals.write([*STREAM, *ended], "shop-00000001")
    team.export()
    agree()  # rows of both versions
    use(older)
    team.export("--compact")
    team.journals.write([*STREAM, *ended, {"type": "turn.ended"}], "shop-00000001")
    assert team.export()["rows"]["events"] == 1
    use(real)
    agree()  # the older version's after the newer one's
    changed = [*STREAM[:-1], {"type": "session.ended", "reason": "clear"}, *ended]
    team.journals.write([*changed, {"type": "turn.ended"}], "shop-00000001")
    assert team.export()["replaced"] == ["shop-00000001"]
    agree()


@pytest.mark.parametrize(
    ("given", "condition"),
    [({}, "true"), ({"since": "2026-11-21"}, "true"), ({"repo": "a"}, "repo = 'a'"),
     ({"person": "o'x", "origin": "b"}, "person = 'o''x' and origin_id = 'b'")],
)  # fmt: skip
def test_a_filter_names_its_rows(given, condition):
    """Each member with a value is a condition, quoted; the time is compared by the reports."""
    assert read.TeamFilter(**given).condition == condition
