"""If the store fails, a sentence says what to do, the exit code is 3, and the tables stay intact."""

from __future__ import annotations

import pytest

from journal.history.export.columns import TIMES
from tests.journal.history.export.test_engines import store
from tests.journal.history.team.proxy import CUT, LOST, Proxy
from tests.journal.history.team.test_simulated import TO, bucket

__all__ = ["bucket", "store"]

pytestmark = pytest.mark.long


@pytest.fixture
def proxied(bucket):
    """Yield a bucket behind a proxy, with one export in it and new events to export."""
    proxy = Proxy(bucket.env["AWS_ENDPOINT_URL"])
    bucket.proxy = proxy
    bucket.env["AWS_ENDPOINT_URL"] = proxy.url
    bucket.write(1, 2)
    bucket.export(1)
    bucket.write(1, 5)
    yield bucket
    proxy.close()


def commits(table: str):
    """Return a predicate for the requests that commit to a table."""
    return lambda method, path: method == "PUT" and f"/{table}/_delta_log/" in path


FAULTS = {
    "a clock that is wrong": ("RequestTimeTooSkewed", lambda _method, _path: True, "clock is wrong"),
    "nothing may be read": ("AccessDenied", lambda _method, _path: True, "access is denied"),
    "nothing may be written": ("AccessDenied", lambda method, _path: method == "PUT", "access is denied"),
    "an unknown key": ("InvalidAccessKeyId", lambda _method, _path: True, "access is denied"),
    "a cut before the first commit": (CUT, commits("sessions"), "cannot be reached"),
    "a cut before the last commit": (CUT, commits("events"), "cannot be reached"),
    "a cut in a file of rows": (
        CUT, lambda method, path: method == "PUT" and ".parquet" in path, "cannot be reached"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_what_goes_wrong_is_said(proxied, name):
    """The export fails with the message, tables stay readable, and the next export has exact totals."""
    answer, is_hit, words = FAULTS[name]
    before = proxied.in_place()
    proxied.proxy.fault = lambda method, path: answer if is_hit(method, path) else ""
    said = proxied.fails(1)
    proxied.proxy.fault = lambda _method, _path: ""
    assert words in said, said
    now = proxied.in_place()
    assert all(before[table] <= now[table] for table in before)
    assert now["events"] == before["events"]
    proxied.export(1)
    assert proxied.in_place() == proxied.expected()


def test_a_commit_whose_answer_is_lost(proxied):
    """If the store commits but its answer is lost, no row is doubled, then or later."""
    lost = []

    def fault(method: str, path: str) -> str:
        if commits("tools")(method, path) and not lost:
            lost.append(path)
            return LOST
        return ""

    proxied.proxy.fault = fault
    proxied.tries(1)
    assert lost
    proxied.proxy.fault = lambda _method, _path: ""
    proxied.export(1)
    expected = proxied.expected()
    assert proxied.in_place() == expected
    assert proxied.count("tools") == expected["tools"]


def test_no_bucket(proxied):
    """A missing bucket and an unreachable store each have their message."""
    assert "there is no such bucket" in proxied.fails(1, to="s3://nobody/x")
    proxied.env["AWS_ENDPOINT_URL"] = "http://127.0.0.1:9"
    assert "cannot be reached" in proxied.fails(1)


def test_requests(proxied):
    """Without new events an export makes at most 3 requests; with some, at most 2 PUTs a table."""
    proxied.export(1)
    proxied.proxy.requests.clear()
    assert "added 0 rows" in proxied.export(1)
    assert len(proxied.proxy.requests) <= 3 * len(TIMES)
    assert len(proxied.proxy.requests) <= 3  # in all: the home remembers how far it has exported
    proxied.write(1, 6)
    proxied.proxy.requests.clear()
    proxied.export(1)
    made = [method for method, _path in proxied.proxy.requests]
    assert made.count("PUT") <= 2 * len(TIMES)


READS = {
    "a cut while rows are read": (CUT, ".parquet", "cannot be reached"),
    "rows that may not be read": ("AccessDenied", ".parquet", "access is denied"),
    "tables that may not be read": ("AccessDenied", "", "access is denied"),
}


@pytest.mark.parametrize("name", READS)
def test_reports_say_what_goes_wrong(proxied, name):
    """With a failing store `journal team` prints the same sentences; otherwise it prints the report."""
    answer, where, words = READS[name]
    proxied.proxy.fault = lambda method, path: answer if method == "GET" and where in path else ""
    ran = proxied.journal(1, "team", "compactions", "--at", TO)
    assert (ran.returncode, "Traceback" in ran.stderr) == (3, False), ran.stderr
    assert words in ran.stderr
    proxied.proxy.fault = lambda _method, _path: ""
    ran = proxied.journal(1, "team", "compactions", "--at", TO)
    assert (ran.returncode, "1 compaction" in ran.stdout) == (0, True), ran.stderr
