"""The API against requests made from its own OpenAPI: whatever comes, no 500 and what it states.

Bounded: so many examples for each address, the same ones at every run.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from cli.serve.token import ENV
from tests.cli.serve.conftest import TOKEN, serving
from tests.support.examples import scaled

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace

pytest.importorskip("nicegui", reason="the extra `ui` is not installed")
pytest.importorskip("schemathesis", reason="schemathesis is not installed")
pytestmark = pytest.mark.page

EXAMPLES = scaled(6, 2)
SEED = 20261121
CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance",
    "response_headers_conformance", "response_schema_conformance", "negative_data_rejection",
    "missing_required_header", "unsupported_method", "allow_header_conformance", "ignored_auth",
)  # fmt: skip
# Not among them: that whatever fits the schema is accepted. 30 February fits its pattern.


def fuzzed(address: str, where: Path, *words: str) -> tuple[int, str]:
    """Run the tool against a server; return its code and output."""
    script = Path(sys.executable).with_name("schemathesis")
    done = subprocess.run(
        [str(script), "run", f"{address}/openapi.json", "-n", str(EXAMPLES), "--seed", str(SEED),
         "--no-color", "--checks", ",".join(CHECKS), *words],
        cwd=where, capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("writes", [True, False], ids=["with the token", "without"])
def test_no_request_breaks_the_api(played: Workspace, tmp_path: Path, writes: bool) -> None:
    """Every answer is documented in the OpenAPI, whoever asks; the journal stays intact."""
    with serving(played, "--port", "0", **{ENV: TOKEN}) as (process, lines):
        address = lines[0].removeprefix("Past sessions: ").partition("/#")[0]
        before = played.segment.read_bytes()
        words = ("-H", f"Authorization: Bearer {TOKEN}") if writes else ()
        code, said = fuzzed(address, tmp_path, *words)
        assert process.poll() is None
        process.terminate()
        errors = process.communicate(timeout=60)[1]
    assert code == 0, said[-6000:]
    count = re.search(r"(\d+) generated", said)
    assert count is not None
    assert int(count[1]) > 7 * EXAMPLES
    assert "unexpected" not in errors
    assert played.journal("verify", "--strict").code == 0
    if not writes:
        assert played.segment.read_bytes() == before
