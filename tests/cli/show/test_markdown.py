"""A conversation as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cli.show.markdown import quotation
from tests.cli.conftest import workspace as workspace  # noqa: PLC0414 (a fixture)
from tests.journal.history.conversations.lines import SID

if TYPE_CHECKING:
    from tests.cli.conftest import Workspace


def test_markdown_keeps_its_structure(imported: Workspace) -> None:
    """Texts are quotations: HTML and pictures in them take no effect, code stays as it is."""
    out = imported.journal("show", SID, "--markdown").out
    assert "&lt;script>" in out
    assert r"!\[x]" in out
    assert "> total <b>" in out
    assert [row for row in out.splitlines() if row.startswith("# ")] == [out.splitlines()[0]]


_PIECES = st.lists(
    st.sampled_from(["`", "``", "```", "~~~", "\n", "\n\n", "  ", "    ", "- ", "> ", "|", "\\", "# h",
                     "\n|-|-|\n", "<script>", "<img src=x>", "![a](x)", "[a]: /u", "---", "word"]),
    max_size=9,
).map("".join)  # fmt: skip


@given(_PIECES)
@example("1. Do this:\n   ```\n   a\n   ```\n\n<script>")
@example("\\`<script>`")
@example("- ```\n<script>")
@example("a\n    ~~~\n<script>")
def test_a_text_cannot_end_its_quotation(text: str) -> None:
    """No fence, list, table or backtick of a text lets its HTML or an image take effect."""
    tokens = (
        MarkdownIt("commonmark").enable("table").parse("\n".join(["# t", "", *quotation(text)]))
    )
    inline = [child.type for token in tokens for child in token.children or ()]
    assert not {"html_inline", "image"} & {*inline}
    assert [token.type for token in tokens if not token.level and token.nesting >= 0] in (
        ["heading_open", "blockquote_open"],
        ["heading_open"],
    )
    assert "html_block" not in [token.type for token in tokens]


def test_code_in_a_quotation_stays_as_it_is() -> None:
    """Code that every reader takes for code is not escaped: in a fence, also of a list, and inline."""
    text = "Use `a<b>` or ``c`<d>``.\n\n1. So:\n   ```html\n   <e>\n   ```\n\n- ~~~\n"
    assert list(quotation(text)) == [
        "> Use `a<b>` or ``c`<d>``.", ">", "> 1. So:", ">    ```html", ">    <e>", ">    ```", ">",
        r"> - \~\~\~",
    ]  # fmt: skip
