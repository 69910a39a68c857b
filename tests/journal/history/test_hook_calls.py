"""What the calls of hooks took, per session and per hook."""

from __future__ import annotations

from statistics import median

from hypothesis import given
from hypothesis import strategies as st

from journal.history.hook_calls import HookCalls, hook_calls
from journal.history.tables.database import History
from tests.support.examples import LEAST, examples
from tests.support.journals import Journals

KINDS = {"tool.finished": "PostToolUse", "turn.ended": "Stop", "session.ended": "SessionEnd"}
CALL = st.tuples(
    st.sampled_from(["a", "b"]),
    st.sampled_from([*KINDS, "checkpoint.saved"]),
    st.one_of(st.none(), st.integers(1, 90_000)),
    st.booleans(),
)


def summed(calls: list[tuple[str, str, int | None, bool]]) -> tuple[object, ...]:
    """Return the figures of some calls."""
    took = sorted(us for _, _, us, _ in calls if us is not None)
    high = took[-(-len(took) * 95 // 100) - 1] if took else None
    figures = (sum(took), median(took), high) if took else (None, None, None)
    return len(calls), len(took), *figures, sum(short for *_, short in calls)


@given(st.lists(CALL, max_size=50))
@examples(100, sample=LEAST)
def test_figures_are_those_of_the_calls(tmp_path_factory, calls) -> None:
    """Every event that is a call counts for its session and its hook, with its time if known."""
    journals = Journals.of(str(tmp_path_factory.mktemp("home")))
    journals.write([
        {"type": kind, "sid": sid, **({"us": us} if us else {}), **({"short": True} if short else {})}
        for sid, kind, us, short in calls
    ])  # fmt: skip
    history = History(str(journals.home))
    found = hook_calls(history)
    history.close()
    counted = [call for call in calls if call[1] in KINDS]
    expected = [
        HookCalls(sid, None, *summed([call for call in counted if call[0] == sid]))._replace(
            median=None, p95=None
        )
        for sid in {call[0] for call in counted}
    ]
    expected += [
        HookCalls(None, KINDS[kind], *summed([call for call in counted if call[1] == kind]))
        for kind in {call[1] for call in counted}
    ]
    assert {item[:2]: item for item in found} == {item[:2]: item for item in expected}


NO_CALLS: list[dict[str, object]] = [
    {"type": "session.ended", "inferred": True},
    {"type": "compact.finished", "part": 2, "summary": "more"},
    {"type": "compact.summarized", "part": 3, "summary": "more"},
    {"type": "tool.finished", "tool": "Bash", "via": "reconciled"},
    {"type": "prompt.submitted", "text": "x", "via": "reconciled"},
]
CALLS = {
    "session.ended": "SessionEnd", "compact.finished": "PostCompact",
    "compact.summarized": "SubagentStop", "tool.finished": "PostToolUse",
    "prompt.submitted": "UserPromptSubmit",
}  # fmt: skip


def test_only_calls_count(tmp_path) -> None:
    """An inferred end, a further part of a summary and what was reconciled are no calls."""
    journals = Journals.of(str(tmp_path))
    journals.write([{"sid": "a", **event} for event in NO_CALLS])
    journals.write([{"sid": "b", "type": kind, "us": 5} for kind in CALLS])
    history = History(str(journals.home))
    found = {item.hook or item.session: item.calls for item in hook_calls(history)}
    (table,) = history.query("select session, hook, calls from hooks")
    rows = table.all()
    history.close()
    assert found == {"b": len(CALLS), **dict.fromkeys(CALLS.values(), 1)}
    assert sorted(rows) == sorted(("b", hook, 1) for hook in CALLS.values())
