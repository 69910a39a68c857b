"""Which sentence of an answer states the finding: a table of rules for any language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.finding import best_findings, findings_in, least_beside
from projections.prose import sentences
from tests.projections.digested import fed, prompt
from tests.projections.test_summary import END, rows

ANSWERS = {
    "a cause": (
        "Why does the login loop?",
        "I looked at the redirect. The root cause is a stale cookie in session.py. Shall I fix it?",
        "The root cause is a stale cookie in session.py.",
    ),
    "an answer to a question": (
        "How long do we keep tokens?",
        "For 14 days. Anything else?",
        "For 14 days.",
    ),
    "words of the question": (
        "find where the discount is rounded",
        "Let me look at it. The discount is rounded twice in cart.py. Tests follow.",
        "The discount is rounded twice in cart.py.",
    ),
    "German": (
        "Warum ist der Export langsam?",
        "Ich sehe nach. Die Ursache ist ein fehlender Index auf orders. Soll ich ihn anlegen?",
        "Die Ursache ist ein fehlender Index auf orders.",
    ),
    "Japanese": (
        "在庫がマイナスになるのはなぜですか",
        "調べました。原因は引き当てが二重に走ることです。修正しますか？",  # noqa: RUF001
        "原因は引き当てが二重に走ることです。",
    ),
    "Korean": (
        "왜 합계가 틀리나요?",
        "확인했습니다. 원인은 세금을 두 번 더하는 것입니다. 고칠까요?",
        "원인은 세금을 두 번 더하는 것입니다.",
    ),
    "Chinese": (
        "为什么部署失败？",  # noqa: RUF001
        "我看了日志。原因是磁盘已满。要清理吗？",  # noqa: RUF001
        "原因是磁盘已满。",
    ),
    "a language of no table": (
        "Miksi tilaus_id puuttuu raportista?",
        "Tarkistin asian. Versio 4 poisti kentän tilaus_id raportista. Jatkanko?",
        "Versio 4 poisti kentän tilaus_id raportista.",
    ),
}


@pytest.mark.parametrize("case", ANSWERS.values(), ids=ANSWERS.keys())
def test_the_sentence_that_answers(case: tuple[str, str, str]) -> None:
    """The answering sentence is among the best; a greeting, a plan and an offer are not."""
    asked, answer, expected = case
    found = [one.text for one in best_findings(findings_in(answer, asked))]
    assert expected in found
    assert not any(text.endswith(("?", "？")) for text in found)  # noqa: RUF001


@pytest.mark.parametrize(
    "answer",
    [
        "Done.",
        "I'll look at the tests next.",
        "Shall I go on because of that?",
        "",
        "完了しました。",
    ],
)
def test_what_says_nothing(answer: str) -> None:
    """A plan, an offer and a plain ending are not findings."""
    assert findings_in(answer, "fix the cart") == []


def test_an_early_answer_outlives_later_ones() -> None:
    """The summary has the sentence of the second turn, although another message came last."""
    events = [
        prompt("Why is the total off by a cent?"),
        {
            "type": "turn.ended",
            "message": "It is off because round() rounds half to even in cart.py.",
        },
        *({"type": "turn.ended", "message": f"Step {n} is pushed."} for n in range(6)),
        {"type": "turn.ended", "message": "Done. All is pushed."},
        END,
    ]
    found = rows(*events)["Found"]
    assert "It is off because round() rounds half to even in cart.py." in found
    assert len(fed(*events).findings) <= 2


@given(st.text(max_size=300), st.text(max_size=100))
def test_any_text(answer: str, asked: str) -> None:
    """Whatever the texts, findings are sentences of at most 300 characters."""
    assert all(len(one.text) <= 300 for one in findings_in(answer, asked))


SENTENCES = st.lists(
    st.sampled_from((
        "The root cause is a stale cookie in session.py.", "It was due to the cache.",
        "Rounding happens twice in cart.py.", "All is pushed.", "For 14 days.",
        "The discount turned out to be 3 % off.",
    )), max_size=5,
).map(" ".join)  # fmt: skip
QUESTIONS = st.sampled_from(("", "Why is the discount off?", "find the stale cookie", "go on"))


@given(st.lists(st.tuples(SENTENCES, QUESTIONS), max_size=6))
def test_rivals_change_no_choice(turns: list[tuple[str, str]]) -> None:
    """Dropping candidates that cannot win leaves the same result, answer after answer."""
    all_of, best = [], []
    for answer, asked in turns:
        all_of = best_findings([*all_of, *findings_in(answer, asked)])
        best = best_findings([*best, *findings_in(answer, asked, least_beside(best))])
        assert best == all_of


@given(st.lists(st.tuples(SENTENCES, QUESTIONS), max_size=6))
def test_the_last_answer_first(turns: list[tuple[str, str]]) -> None:
    """Going back through the answers finds the same, where no sentence comes twice."""
    seen: set[str] = set()
    forward, backward, distinct = [], [], []
    for answer, asked in turns:
        parts = [part for part in sentences(answer) if not (part in seen or seen.add(part))]
        distinct.append((" ".join(parts), asked))
    for answer, asked in distinct:
        forward = best_findings([*forward, *findings_in(answer, asked)])
    for answer, asked in reversed(distinct):
        least = least_beside(backward, earlier=True)
        backward = best_findings([*findings_in(answer, asked, least), *backward])
    assert backward == forward
