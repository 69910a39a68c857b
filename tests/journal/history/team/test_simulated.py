"""Twenty homes export to a bucket: whatever happens to them, its totals are those of the homes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from journal.history.export.columns import TIMES
from journal.history.tables.database import History
from journal.history.team.columns import current
from tests.journal.history.export.test_engines import store
from tests.support.journals import Journals
from tests.tools import engines

__all__ = ["store"]

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[4]
TO = "s3://team/history"
# Programs that run `journal` while something goes wrong or is different.
KILLED = """
import os, signal
from journal.history.team.store import Store
real = Store.append
def append(self, table, rows, marks):
    if table == "usage":
        os.kill(os.getpid(), signal.SIGKILL)
    real(self, table, rows, marks)
Store.append = append
"""
RENAMED = "import os; os.uname = lambda: os.uname_result(('Linux', 'renamed', '6', '1', 'x'))\n"
OLDER = """
from journal.history.team import columns
real = columns.team_columns
columns.team_columns = lambda table: [item for item in real(table) if item[0] != "author"]
"""
RUN = "import sys; from cli.__main__ import main; sys.argv = ['journal', *sys.argv[1:]]; sys.exit(main())"


def events(number: int, count: int) -> list[dict[str, object]]:
    """Return a session with `count` tool calls and replies, and a compaction."""
    sid = f"{number:08d}-0000-4000-8000-000000000001"
    found = [{"type": "session.started", "source": "startup"},
             {"type": "prompt.submitted", "text": "secret text", "origin": "human", "size": 11},
             {"type": "compact.started", "trigger": "auto", "tokens": 9},
             {"type": "compact.finished", "summary": "All.", "size": 4}]  # fmt: skip
    for at in range(count):
        found.append(
            {"type": "tool.finished", "tool": "Edit", "target": "/home/ann/x.py", "ms": at}
        )
        found.append({"type": "usage.recorded", "message": f"m{number}-{at}", "key": f"u{number}-{at}",
                      "model": "claude-sonnet-4-5", "input_tokens": at, "output_tokens": 3 * at})  # fmt: skip
    return [{**event, "sid": sid} for event in found]


class Bucket:
    """The homes and the bucket they export to."""

    def __init__(self, top: Path, url: str) -> None:
        self.top = top
        self.url = url
        self.env = {
            **os.environ, "AWS_ENDPOINT_URL": url, "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "y",
            "AWS_REGION": "us-east-1", "HOME": str(top), "CLAUDE_CONFIG_DIR": str(top / "claude"),
            "PYTHONPATH": str(ROOT),
        }  # fmt: skip

    def home(self, number: int) -> Path:
        """Return a home's directory."""
        return self.top / f"home-{number}"

    def write(self, number: int, count: int, project: str = "shop", more=()) -> None:
        """Write a project's log; all projects of the same name have one repository."""
        home = self.home(number)
        home.mkdir(exist_ok=True, mode=0o700)
        name = f"{project}-{number:08d}"
        Journals.of(str(home)).write([*events(number, count), *more], name)
        (home / name / "repo").write_text(f"github.com/team/{project}")

    def export(self, number: int, *words: str, before: str = "", code: int = 0) -> str:
        """Export a home in a process of its own; return its output."""
        ran = self.tries(number, *words, before=before)
        assert ran.returncode == code, ran.stderr
        return ran.stdout

    def fails(self, number: int, to: str = TO) -> str:
        """Export a home to a failing store; return its stderr."""
        ran = self.tries(number, to=to)
        assert ran.returncode == 3, (ran.stdout, ran.stderr)
        assert "Traceback" not in ran.stderr
        return ran.stderr

    def tries(self, number: int, *words: str, before: str = "", to: str = TO):
        """Export a home in a process of its own; return the process."""
        return self.journal(number, "export", "--to", to, *words, before=before)

    def journal(self, number: int, *words: str, before: str = ""):
        """Run a command on a home in a process of its own; return the process."""
        env = {**self.env, "JOURNAL_HOME": str(self.home(number))}
        return subprocess.run([sys.executable, "-c", before + RUN, *words], env=env, cwd=self.top,
                              capture_output=True, text=True, check=False)  # fmt: skip

    def expected(self) -> dict[str, int]:
        """Return the number of rows of each table over all homes, and the tokens."""
        found = dict.fromkeys([*TIMES, "tokens"], 0)
        for home in sorted(self.top.glob("home-*")):
            history = History(str(home))
            for table in TIMES:
                history.make([table])
                found[table] += history.engine.run(f"select count(*) from {table}").all()[0][0]
            sums = "select coalesce(sum(output_tokens), 0) from usage"
            found["tokens"] += int(history.engine.run(sums).all()[0][0])
            history.close()
        return found

    def queries(self) -> dict[str, str]:
        """Return the SQL for the same numbers over the tables."""
        found = {table: f"select count(*) from ({current(table)}) c" for table in TIMES}
        found["tokens"] = f"select coalesce(sum(output_tokens), 0) from ({current('usage')}) c"
        return found

    def in_place(self) -> dict[str, int]:
        """Return the numbers of the tables in the bucket, read by the product."""
        there = self.opened()
        return {
            name: int(there.rows("usage" if name == "tokens" else name, sql)[0][0])
            for name, sql in self.queries().items()
        }

    def opened(self):
        """Return the tables, opened directly from the store and not through a proxy."""
        from journal.history.team.store import Store

        return Store(TO, "/", {**self.env, "AWS_ENDPOINT_URL": self.url})

    def count(self, table: str) -> int:
        """Return the number of rows of a table, including those that were replaced."""
        there = self.opened()
        return int(there.rows(table, f"select count(*) from {table}")[0][0])

    def copied(self) -> Path:
        """Copy the tables out of the bucket; return the folder of the copy."""
        for page in self.client.get_paginator("list_objects_v2").paginate(Bucket="team"):
            for entry in page["Contents"]:
                path = self.top / "copy" / entry["Key"]
                path.parent.mkdir(parents=True, exist_ok=True)
                self.client.download_file("team", entry["Key"], str(path))
        return self.top / "copy" / "history"


@pytest.fixture
def bucket(tmp_path, store):
    """Return a bucket without tables."""
    pytest.importorskip("deltalake", reason="the extra team is not installed")
    import boto3

    client = boto3.client("s3", endpoint_url=store, aws_access_key_id="x",
                          aws_secret_access_key="y", region_name="us-east-1")  # fmt: skip
    client.create_bucket(Bucket="team")
    made = Bucket(tmp_path, store)
    made.client = client
    return made


def test_twenty_homes(bucket):
    """Homes are killed, renamed, restored, deleted, late or older, four at a time: totals are exact."""
    everybody = range(20)
    for number in everybody:
        bucket.write(number, number + 1)
    bucket.write(7, 4, "till")
    before = {3: KILLED, 11: OLDER}
    codes = {3: -9}
    with ThreadPoolExecutor(4) as pool:
        list(
            pool.map(
                lambda n: bucket.export(n, before=before.get(n, ""), code=codes.get(n, 0)),
                everybody,
            )
        )
    shutil.copytree(bucket.home(5), bucket.top / "backup")
    late = {"type": "tool.finished", "tool": "Read", "ts": "2026-03-01T00:00:00.000Z"}
    for number in (3, 4, 5, 6):
        bucket.write(number, 30, more=[late])
    shutil.rmtree(bucket.home(7) / "till-00000007")
    again = {4: RENAMED}
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: bucket.export(n, before=again.get(n, "")), everybody))
    shutil.rmtree(bucket.home(5))
    (bucket.top / "backup").rename(bucket.home(5))
    bucket.write(5, 8)
    assert "not the one exported before" in bucket.export(5)
    bucket.export(0, "--forget", "project:till-00000007")
    assert bucket.in_place() == bucket.expected()
    bucket.export(0, "--compact")
    assert "added 0 rows" in bucket.export(19)
    expected = bucket.expected()
    assert bucket.in_place() == expected
    copy = bucket.copied()
    assert in_duckdb(bucket) == expected
    for path in copy.rglob("*"):
        assert not path.is_file() or b"/home/ann" not in path.read_bytes()
    assert in_clickhouse(bucket) == expected
    assert in_spark(bucket, copy) == expected


def in_clickhouse(bucket) -> dict[str, int]:
    """Return ClickHouse's numbers, from the bucket."""
    at = bucket.env["AWS_ENDPOINT_URL"] + "/team/history"
    views = {table: f"deltaLake('{at}/{table}', 'x', 'y')" for table in TIMES}
    return only(engines.clickhouse(bucket.top, views, bucket.queries()))


def in_spark(bucket, copy: Path) -> dict[str, int]:
    """Return Spark's numbers, from the files that the tables' logs name."""
    views = {table: engines.delta_source(copy / table) for table in TIMES}
    return only(engines.spark(bucket.top, views, bucket.queries()))


def only(found) -> dict[str, int]:
    """Return the one number of each query."""
    return {name: int(rows[0][0]) for name, rows in found.items()}


def in_duckdb(bucket) -> dict[str, int]:
    """Return DuckDB's numbers, from the bucket, which it reads as `docs/team.md` shows."""
    import duckdb
    from deltalake import DeltaTable

    options = {name: bucket.env[name] for name in bucket.env if name.startswith("AWS_")}
    with duckdb.connect() as database:
        for table in TIMES:
            there = DeltaTable(
                f"{TO}/{table}", storage_options={**options, "AWS_ALLOW_HTTP": "true"}
            )
            database.register(table, there.to_pyarrow_dataset())
        return only({n: database.execute(q).fetchall() for n, q in bucket.queries().items()})
