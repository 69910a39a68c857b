"""Other engines and a bucket give the same numbers for the export as `journal sql`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.tools import engines

pytestmark = pytest.mark.long
ROOT = Path(__file__).parents[4]
HERE = (
    "select model, count(*) responses, sum(output_tokens) output from usage group by 1 order by 1"
)


def documented(engine: str, workspace: object) -> str:
    """Return the query that docs/export.md shows for an engine."""
    text = (ROOT / "docs" / "export.md").read_text(encoding="utf-8")
    query = text.partition(f"```sql\n-- {engine}\n")[2].partition("```")[0]
    assert query
    return query.replace("DIR", str(workspace))


@pytest.fixture
def lake(journals):
    """Export two projects over two months; return the home with the rows of `journal sql`."""
    usage = [
        {"type": "usage.recorded", "message": f"m{n}", "model": f"claude-{n % 3}",
         "output_tokens": n * n, "input_tokens": n,
         "ts": f"2026-{10 + n % 2}-{1 + n % 28:02d}T10:00:00.000Z"}
        for n in range(500)
    ]  # fmt: skip
    journals.write(usage[:300], "shop-00000001", "imported")
    journals.write(usage[300:], "till-00000002", "imported")
    journals.there = journals.workspace.top / "lake"
    result = journals.workspace.journal("export", "--to", str(journals.there))
    assert result.code == 0, result.err
    journals.expected = [tuple(row.values()) for row in journals.sql(HERE)]
    assert len(journals.expected) == 3
    return journals


def test_duckdb(lake):
    """DuckDB reads the folder and gives the expected rows."""
    import duckdb

    assert duckdb.sql(documented("duckdb", lake.there)).fetchall() == lake.expected


def test_spark(lake):
    """Spark reads the folder, finds the partitions and gives the expected rows."""
    folder = str(lake.there / "usage")
    views = {"usage": {"base": folder, "files": [folder], "schema": ""}}
    queries = {
        "rows": documented("spark", ""),
        "months": "select distinct month from usage order by 1",
    }
    found = engines.spark(lake.workspace.top, views, queries)
    assert [tuple(row) for row in found["rows"]] == lake.expected
    assert [str(month)[:7] for (month,) in found["months"]] == ["2026-10", "2026-11"]


def test_clickhouse(lake):
    """ClickHouse reads the files and gives the expected rows."""
    found = engines.clickhouse(
        lake.workspace.top, {}, {"rows": documented("clickhouse", lake.there)}
    )
    assert [(row[0], int(row[1]), int(row[2])) for row in found["rows"]] == lake.expected


@pytest.fixture
def store(tmp_path):
    """Run a local object store; yield its URL."""
    pytest.importorskip("moto.server", reason="moto[server] is not installed")
    log = (tmp_path / "moto.log").open("wb")
    program = ("from moto.server import ThreadedMotoServer as S; import time\n"
               "s = S(ip_address='127.0.0.1', port=0); s.start()\n"
               "print('PORT', s.get_host_and_port()[1], flush=True); time.sleep(600)")  # fmt: skip
    ran = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=log)
    assert ran.stdout
    told = next((line.split()[1] for line in ran.stdout if line.startswith(b"PORT ")), b"")
    if not told:
        ran.wait()
        log.close()
        pytest.fail((tmp_path / "moto.log").read_text()[-2000:])
    url = f"http://127.0.0.1:{int(told)}"
    for _ in range(100):
        try:
            urlopen(url, timeout=1).close()
            break
        except OSError:
            time.sleep(0.1)
    yield url
    ran.kill()
    ran.wait()
    ran.stdout.close()
    log.close()


def test_a_bucket(lake, store):
    """A bucket gets the same files, unchanged ones are not written again, and the numbers agree."""
    pytest.importorskip("s3fs", reason="s3fs is not installed")
    keys = {"AWS_ENDPOINT_URL": store, "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "y",
            "AWS_DEFAULT_REGION": "us-east-1"}  # fmt: skip
    before = {name: os.environ.get(name) for name in keys}
    os.environ.update(keys)
    try:
        import s3fs

        fs = s3fs.S3FileSystem(endpoint_url=store, use_listings_cache=False)
        fs.mkdir("team")
        words = ("export", "--to", "s3://team/history", "--format", "parquet", "--json")
        first = lake.workspace.journal(*words, **keys)
        assert first.code == 0, first.err
        again = json.loads(lake.workspace.journal(*words, **keys).out)
        assert (again["written"], again["kept"]) == ([], len(json.loads(first.out)["written"]))
        for path in fs.find("team/history/usage"):
            here = lake.workspace.top / "back" / path.partition("history/")[2]
            here.parent.mkdir(parents=True, exist_ok=True)
            here.write_bytes(fs.cat_file(path))
        missing = lake.workspace.journal(
            "export", "--to", "s3://no-such-bucket/x", "--format", "parquet", **keys
        )
        assert (missing.code, "cannot be reached or written" in missing.err) == (3, True)
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    import duckdb

    assert duckdb.sql(documented("duckdb", lake.workspace.top / "back")).fetchall() == lake.expected
