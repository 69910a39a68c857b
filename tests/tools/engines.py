"""Query other engines, each in a process of its own: ClickHouse (chdb) and Spark (local mode)."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_CLICKHOUSE = """
import json, sys
from chdb import session
given = json.load(sys.stdin)
s = session.Session(given["top"] + "/clickhouse?user_files_path=" + given["top"] + "/")
s.query("create database d")
s.query("use d")
for name, source in given["views"].items():
    s.query(f"create view {name} as select * from {source}")
print(json.dumps({name: json.loads(str(s.query(sql, "JSONCompact")))["data"]
                  for name, sql in given["queries"].items()}))
"""
_SPARK = """
import json, sys
from pyspark.sql import SparkSession
given = json.load(sys.stdin)
s = (SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
     .config("spark.sql.shuffle.partitions", "1").getOrCreate())
for name, view in given["views"].items():
    if view["files"]:
        reader = s.read.option("basePath", view["base"])
        frame = (reader.schema(view["schema"]) if view["schema"] else reader).parquet(*view["files"])
    else:
        frame = s.createDataFrame([], view["schema"])
    frame.createOrReplaceTempView(name)
print(json.dumps({name: [list(row) for row in s.sql(sql).collect()]
                  for name, sql in given["queries"].items()}, default=float))
"""


def delta_source(there: Path) -> dict[str, Any]:
    """Return base, files and columns of a Delta table, as `spark` takes them.

    Spark's own reader of Delta is not in the package.
    """
    from deltalake import DeltaTable

    table = DeltaTable(str(there))
    columns = json.loads(table.schema().to_json())["fields"]
    kinds = [(item["name"], item["type"]) for item in columns]
    schema = ", ".join(f"`{name}` {kind if isinstance(kind, str) else 'array<string>'}"
                       for name, kind in kinds)  # fmt: skip
    return {"base": str(there), "files": table.file_uris(), "schema": schema}


def spark(cwd: Path, views: Mapping[str, Any], queries: Mapping[str, str]) -> dict[str, Any]:
    """Return the rows of queries; `views`: name → base, files and schema ("": that of the files)."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if not shutil.which("java"):
        pytest.skip("Spark needs Java, which is not installed")
    return _run(_SPARK, cwd, views=views, queries=queries)


def clickhouse(cwd: Path, views: Mapping[str, str], queries: Mapping[str, str]) -> dict[str, Any]:
    """Return the rows of queries; `views`: name → table function; files must be below `cwd`."""
    pytest.importorskip("chdb", reason="chdb is not installed")
    return _run(_CLICKHOUSE, cwd, top=str(cwd), views=views, queries=queries)


def _run(program: str, cwd: Path, **given: Any) -> dict[str, Any]:
    ran = subprocess.run([sys.executable, "-c", program], input=json.dumps(given), cwd=cwd,
                         capture_output=True, text=True, check=False, timeout=600)  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    rows: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return rows
