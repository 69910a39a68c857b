"""The check of a tool's input against its schema."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from journal.history.tools.run import described, problem

KEYWORDS = frozenset((
    "type", "properties", "required", "additionalProperties", "description", "enum", "minLength",
    "maxLength", "minimum", "maximum",
))  # fmt: skip
"""Keywords of JSON Schema that `problem` checks."""


def test_the_schemas_use_what_the_check_knows() -> None:
    """Every keyword used in a schema is one that the check enforces."""

    def keywords(schema: dict[str, Any]) -> set[str]:
        inner = schema.get("properties", {}).values()
        return set(schema).union(*map(keywords, inner))

    assert [tool["name"] for tool in described()] == ["recall", "get", "note", "status"]
    assert [tool["name"] for tool in described() if not tool["readOnly"]] == ["note"]
    for tool in described():
        assert keywords(tool["inputSchema"]) <= KEYWORDS
        assert tool["inputSchema"]["additionalProperties"] is False


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=8,
    ),
    st.sampled_from(described()),
)
def test_any_value_is_checked(value: Any, tool: dict[str, Any]) -> None:
    """For any input the check returns a text."""
    assert isinstance(problem(tool["inputSchema"], value), str)
