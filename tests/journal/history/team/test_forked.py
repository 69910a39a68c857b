"""An export with one library in memory at a time adds the same rows."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.journal.history.export.conftest import EVENTS
from tests.journal.history.team.conftest import MORE, same

pytestmark = pytest.mark.team
ROOT = Path(__file__).resolve().parents[4]
OTHER = "77777777-0000-4000-8000-000000000001"
FORKED = """
import sys
from cli.__main__ import main
sys.argv = ["journal", "export", "--to", sys.argv[1], "--format", "delta", "--json"]
code = main()
print(code, *sorted({"_duckdb", "deltalake"} & set(sys.modules)), file=sys.stderr)
"""


def forked(team) -> tuple[dict[str, object], str]:
    """Export in a process of its own; return the output, and exit code and libraries it has loaded."""
    ran = subprocess.run([sys.executable, "-c", FORKED, str(team.there)], capture_output=True, text=True,
                         check=False, env={**team.journals.workspace.env, "PYTHONPATH": str(ROOT)})  # fmt: skip
    return json.loads(ran.stdout), ran.stderr.splitlines()[-1]


def test_one_library_in_memory_at_a_time(team):
    """An export that goes on where the last one ended adds the same rows without DuckDB or delta-rs."""
    team.journals.write(EVENTS, "shop-00000001")
    assert forked(team)[1] == "0 _duckdb deltalake"  # this home remembers nothing yet
    assert forked(team) == (forked(team)[0] | {"rows": {}}, "0")
    team.journals.write(MORE, "shop-00000001")
    done, loaded = forked(team)
    assert (done["rows"]["events"], done["rows"]["tools"], loaded) == (2, 1, "0")
    assert done["projects"] == ["shop-00000001"]
    same(team)
    assert team.one("tools", counted=False) == 3
    folder = next((team.journals.home / "cache" / "export").iterdir())
    assert [path for path in folder.iterdir() if path.is_dir()] == []
    team.journals.write([*MORE[:3], {"type": "tool.finished", "tool": "Grep"}], "shop-00000001")
    done, loaded = forked(team)  # another log than the one exported
    assert (done["replaced"], loaded) == (["shop-00000001"], "1 _duckdb deltalake")
    same(team, code=1)


@pytest.mark.parametrize("is_forked", [False, True])
def test_a_home_restored_with_its_caches(team, is_forked):
    """Rows of events that a restored home has lost are replaced, even before a new event."""
    home, backup = team.journals.home, team.journals.workspace.top / "backup"
    team.journals.write(EVENTS, "shop-00000001")
    team.export()
    shutil.copytree(home, backup)
    team.journals.write(MORE, "shop-00000001")
    team.export()
    shutil.rmtree(home)
    backup.rename(home)
    done = forked(team)[0] if is_forked else team.export()
    assert done["replaced"] == ["shop-00000001"]
    same(team)
    assert team.export()["rows"] == {}


def test_one_library_at_a_time_after_forget(team):
    """Rows of what was forgotten stay away, also if the export needs one library at a time."""
    team.journals.write(EVENTS, "shop-00000001")
    team.export()
    sid = team.rows("sessions", "session")[0][0]
    team.export("--forget", f"session:{sid}")
    other = {"type": "tool.finished", "tool": "Grep", "sid": OTHER}
    team.journals.write([*MORE, other], "shop-00000001")
    done, loaded = forked(team)
    assert (done["rows"]["tools"], loaded) == (1, "0")
    assert team.rows("tools", "tool") == [("Grep",)]
