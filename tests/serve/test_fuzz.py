"""The API against requests made from its own OpenAPI: whatever comes, no 500 and the stated shape.

Bounded: so many examples for each address, the same ones at every run.
"""

from __future__ import annotations

import pytest

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")
pytestmark = [
    pytest.mark.page,
    # Of the tool's own libraries; what the server does is not silenced.
    pytest.mark.filterwarnings("ignore::DeprecationWarning:(schemathesis|jsonschema|httpx).*"),
]
