"""The queries of docs/team.md give the same rows, unchanged, in DuckDB, Spark and ClickHouse."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import duckdb
import pytest

from tests.tools import engines

pytestmark = pytest.mark.long
PAGE = Path(__file__).parents[4] / "docs" / "team.md"
TABLES = ("compactions", "usage", "stages", "tools", "sessions")
QUERIES = dict(re.findall(r"```sql\n-- all: (.*?)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL))


def plain(rows) -> list[list[object]]:
    """Return rows as JSON has them, all numbers as floats."""
    return [[float(v) if isinstance(v, (int, float)) and not isinstance(v, bool) else v for v in row]
            for row in json.loads(json.dumps(rows, default=float))]  # fmt: skip


@pytest.fixture
def expected(both):
    """Export two homes of one repository; return them and the rows that DuckDB gives for each query."""
    for name in ("shop-00000001", "till-00000002"):
        (both.journals.home / name / "repo").write_text("github.com/shop/cart")
    both.export("--forget", "origin:none")
    shutil.rmtree(both.there)
    both.export()
    found = {}
    with duckdb.connect() as database:
        for table in TABLES:
            source = f"read_parquet({engines.delta_source(both.there / table)['files']}, hive_partitioning=true)"
            database.execute(f"create view {table} as select * from {source}")
        for name, query in QUERIES.items():
            found[name] = plain(database.execute(query).fetchall())
    assert len(found) == 4
    assert all(found.values())
    return both, found


def test_clickhouse(expected):
    """ClickHouse, reading the Delta tables itself, gives the same rows."""
    team, found = expected
    views = {table: f"deltaLakeLocal('{team.there}/{table}')" for table in TABLES}
    rows = engines.clickhouse(team.there.parent, views, QUERIES)
    for name, expected_rows in found.items():
        numbers = [[float(v) if isinstance(v, str) and re.fullmatch(r"-?[\d.]+", v) else v for v in row]
                   for row in rows[name]]  # fmt: skip
        assert plain(numbers) == expected_rows, name


def test_spark(expected):
    """Spark, reading the files that the tables' logs name, gives the same rows."""
    team, found = expected
    views = {table: engines.delta_source(team.there / table) for table in TABLES}
    rows = engines.spark(team.there.parent, views, QUERIES)
    assert {name: plain(found_rows) for name, found_rows in rows.items()} == found
