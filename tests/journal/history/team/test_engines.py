"""The queries of docs/team.md, unchanged, in DuckDB, Spark and ClickHouse: the same rows."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from tests.cli.test_team import both

__all__ = ["both"]

pytestmark = pytest.mark.long
PAGE = Path(__file__).parents[4] / "docs" / "team.md"
TABLES = ("compactions", "usage", "stages", "tools", "sessions")
QUERIES = dict(re.findall(r"```sql\n-- all: (.*?)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL))


def files(there, table: str) -> list[str]:
    """Return the files of a table as its log names them."""
    from deltalake import DeltaTable

    return DeltaTable(str(there / table)).file_uris()


def plain(rows) -> list[list[object]]:
    """Return rows as JSON has them, numbers alike."""
    return [[float(v) if isinstance(v, (int, float)) and not isinstance(v, bool) else v for v in row]
            for row in json.loads(json.dumps(rows, default=float))]  # fmt: skip


@pytest.fixture
def expected(both):
    """Two homes' rows of one repository; gives the place and the rows of each query by DuckDB."""
    for name in ("shop-00000001", "till-00000002"):
        (both.asked.home / name / "repo").write_text("github.com/shop/cart")
    both.export("--forget", "origin:none")
    shutil.rmtree(both.there)
    both.export()
    found = {}
    with duckdb.connect() as database:
        for table in TABLES:
            source = f"read_parquet({files(both.there, table)}, hive_partitioning=true)"
            database.execute(f"create view {table} as select * from {source}")
        for name, query in QUERIES.items():
            found[name] = plain(database.execute(query).fetchall())
    assert len(found) == 4
    assert all(found.values())
    return both, found


def run(program: str, there, *words: str) -> str:
    """Run a program of another engine in its own process; return its last line."""
    ran = subprocess.run([sys.executable, "-c", program, str(there), *words], capture_output=True, text=True,
                         check=False, timeout=600, cwd=there)  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    return ran.stdout.splitlines()[-1]


def test_clickhouse(expected):
    """ClickHouse reads the Delta tables itself."""
    pytest.importorskip("chdb", reason="chdb is not installed")
    team, found = expected
    program = (
        "import json, sys\nfrom chdb import session\ns = session.Session(sys.argv[1] + '-session?user_files_path=' + sys.argv[1] + '/')\n"
        "s.query('create database d')\ns.query('use d')\n"
        "for t in json.loads(sys.argv[2]):\n"
        "    s.query(f\"create view {t} as select * from deltaLakeLocal('{sys.argv[1]}/{t}')\")\n"
        "print(json.dumps({n: json.loads(str(s.query(q, 'JSONCompact')))['data']"
        " for n, q in json.loads(sys.argv[3]).items()}))"
    )
    rows = json.loads(run(program, team.there, json.dumps(TABLES), json.dumps(QUERIES)))
    for name, expected_rows in found.items():
        numbers = [[float(v) if isinstance(v, str) and re.fullmatch(r"-?[\d.]+", v) else v for v in row]
                   for row in rows[name]]  # fmt: skip
        assert plain(numbers) == expected_rows, name


def test_spark(expected):
    """Spark, over the files that the tables' logs name: its reader of Delta is not in the package."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if not shutil.which("java"):
        pytest.skip("Spark needs Java, which is not installed")
    team, found = expected
    program = (
        "import json, sys\nfrom pyspark.sql import SparkSession\n"
        "s = SparkSession.builder.master('local[1]').config('spark.ui.enabled', 'false').getOrCreate()\n"
        "for t, files in json.loads(sys.argv[2]).items():\n"
        "    s.read.option('basePath', f'{sys.argv[1]}/{t}').parquet(*files).createOrReplaceTempView(t)\n"
        "print(json.dumps({n: [list(r) for r in s.sql(q).collect()]"
        " for n, q in json.loads(sys.argv[3]).items()}, default=float))"
    )
    named = {table: files(team.there, table) for table in TABLES}
    rows = json.loads(run(program, team.there, json.dumps(named), json.dumps(QUERIES)))
    assert {name: plain(found_rows) for name, found_rows in rows.items()} == found
