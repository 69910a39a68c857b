"""Any answer fits the client's schema and limit."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from hooks.output import render
from projections.messages.message import Answer
from tests.contract.output_schema import LIMIT, problems
from tests.support.examples import examples

SPEAKING = ("SessionStart", "UserPromptSubmit", "UserPromptExpansion", "PostToolUse",
            "PostToolUseFailure", "Stop", "PreCompact")  # fmt: skip
texts = st.one_of(
    st.just(""),
    st.text(min_size=1, max_size=30),
    st.builds(
        lambda part, count: part * count,
        st.sampled_from(["x", '"', "\\", "\n", "\x01", "é", "😀", "\ud800", "a b ", "</x>"]),
        st.integers(1, 20_000),
    ),
)


@given(st.sampled_from(SPEAKING), texts, texts, texts, texts, st.booleans())
@examples(150)
def test_an_answer_of_any_size(
    hook: str, context: str, message: str, plain: str, block: str, blocks: bool
) -> None:
    """However long its texts are, the output is valid, complete, and says where it was cut."""
    may_block = blocks and hook in ("UserPromptSubmit", "PostToolUse", "Stop")
    answer = Answer(context=context, message=message, block=block if may_block else "",
                    plain="p" + plain if plain else "")  # fmt: skip
    out = render(hook, answer)
    printed = out.encode("utf-8", "replace").decode()
    assert problems(hook, printed) == []
    if hook != "PreCompact" and len(context) + len(message) + len(answer.block) < 500:
        output = json.loads(printed) if printed else {}
        shown = output.get("hookSpecificOutput", {}).get("additionalContext", "")
        assert len(shown) == len(context)


def test_what_is_cut_says_so() -> None:
    """A cut text keeps its beginning, uses nearly all the room, and ends with a note of the cut."""
    for text in ("x" * 20_000, '"' * 20_000, "\x01" * 20_000):
        out = render("SessionStart", Answer(context=text))
        context = json.loads(out)["hookSpecificOutput"]["additionalContext"]
        assert context.startswith(text[:100])
        assert context.endswith("[cut here by the journal]")
        assert LIMIT - 200 < len(out) <= LIMIT
