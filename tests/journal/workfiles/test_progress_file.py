"""The Markdown form of a skill's progress: hand-written files are read, rendered ones round-trip."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from journal.workfiles.progress_file import changes, facts_of, file_name, parse, render
from projections.progress import Phase, State
from tests.support.rows import each

ANY = st.text(st.characters(exclude_categories=("Cs",)), max_size=60)
LINES = st.lists(
    st.sampled_from(["## Completed phases", "### Phase 2 (x)", "```", "~~~", "# h", "\\# h", "\\\\",
                     "**Skill**: evil", "text", "", "  ## deep", "<!--", "---", "===", "\\```"]),
    max_size=8,
).map("\n".join)  # fmt: skip
STATES = st.builds(
    State,
    skill=ANY, phase=ANY, name=ANY, output=ANY, next=ANY,
    phases=st.lists(st.builds(Phase, phase=ANY, name=ANY, summary=ANY | LINES), max_size=5),
)  # fmt: skip


@given(STATES)
@example(State(skill="s", phases=[Phase("1", "a", "```\nopen"), Phase("2", "b", "# x")]))
@example(State(phases=[Phase(phase="#", name="", summary="0")]))
@example(State(skill="s", phase="3", name="of 5 — (x)", phases=[Phase("", "((", "y")]))
def test_what_is_written_is_read(state: State) -> None:
    """A rendered state parses to the same: every field as one line, every summary in full."""
    facts = facts_of(state)
    read = parse(render(state))
    if read is None:
        assert not any(facts[name] for name in ("skill", "phase", "next", "phases"))
        return
    assert read == facts


@given(STATES)
def test_an_untouched_file_tells_nothing(state: State) -> None:
    """A file compared with itself has no changes; compared with none, all its phases are changes."""
    read = parse(render(state))
    if read is not None:
        assert changes(read, read, "p") == []
        changed = changes(None, read, "p")
        assert [body["phase"] for body in changed if body.get("summary")] == [
            item["phase"][:24] for item in read["phases"]
        ][-len(changed) :]


HAND = """# CPM Session State

**Skill**: cpm:discover
**Phase**: 3 of 6 — Scope
**Output target**: docs/plans/01.md

## Completed Phases

### Phase 1: Why
Because of *this*.
#### Phase 9: not one

```
# not a heading
## nor this
```

### 2. Who
Developers.

## Next Action
Ask what is
out of scope.
"""


def test_a_file_written_by_hand_is_read() -> None:
    """Other spellings of fields, phases and the next action are read, and code stays in a summary."""
    assert parse(HAND) == {
        "skill": "cpm:discover", "phase": "3", "name": "Scope", "output": "docs/plans/01.md",
        "next": "Ask what is out of scope.",
        "phases": [
            {"phase": "1", "name": "Why",
             "summary": "Because of *this*.\n#### Phase 9: not one\n\n```\n# not a heading\n## nor this\n```"},
            {"phase": "2", "name": "Who", "summary": "Developers."},
        ],
    }  # fmt: skip
    assert parse(HAND.replace("\n", "\r\n")) == parse(HAND)


PHASES = [
    pytest.param("3 — Scope", "3", "Scope", id="dash"),
    pytest.param("3 - Scope", "3", "Scope", id="hyphen"),
    pytest.param("3: Scope", "3", "Scope", id="colon"),
    pytest.param("3 (Scope)", "3", "Scope", id="parentheses"),
    pytest.param("Phase 3 (Scope)", "3", "Scope", id="the-word"),
    pytest.param("3/5 Scope", "3/5", "Scope", id="fraction"),
    pytest.param("3", "3", "", id="number-alone"),
    pytest.param("Scope review", "", "Scope review", id="name-alone"),
    pytest.param("三 — 範囲", "三", "範囲", id="cjk"),
]


@pytest.mark.parametrize("text, number, name", PHASES)
def test_a_phase_is_read_in_any_spelling(text: str, number: str, name: str) -> None:
    """Number and name of the phase are read, however they are separated."""
    for line in (f"**Phase**: {text}", f"- **Phase:** {text}", f"Phase: {text}"):
        facts = parse(f"**Skill**: s\n{line}\n")
        assert facts is not None
        assert (facts["phase"], facts["name"]) == (number, name)


@pytest.mark.parametrize("text", ["", "# Notes\n\nfree text\n", "\0", "## Completed phases\n"])
def test_another_text_is_no_progress_file(text: str) -> None:
    """A text without any of the fields is no progress file; with one field it is."""
    assert parse(text) is None
    assert parse("**Skill**: s\n\n" + text) is not None


def test_an_edit_tells_the_new_phases_and_then_the_head() -> None:
    """An unchanged phase is not recorded again; the current phase carries the head."""
    before = parse(HAND)
    after = parse(
        HAND.replace("Developers.", "Developers and writers.").replace("3 of 6", "4 of 6")
    )
    assert after is not None
    changed = changes(before, after, "p.md")
    assert [(body.get("phase"), body.get("summary")) for body in changed] == [
        ("2", "Developers and writers."), ("4", None),
    ]  # fmt: skip
    assert changed[-1]["next"] == "Ask what is out of scope."
    done = parse(HAND.replace("**Phase**: 3 of 6 — Scope", "**Phase**: 2 — Who"))
    assert done is not None
    merged = changes(None, done, "p.md")
    assert merged[-1]["summary"] == "Developers."
    assert merged[-1]["output"] == "docs/plans/01.md"


NAMES = ["../../etc/passwd", "a/b", "a b", "", "x" * 65, "ä", "a\0b", ".", "a.b", "~root", "$(id)"]


@each("sid", NAMES)
def test_an_id_never_becomes_a_path(sid: str) -> None:
    """An id with other characters is replaced by its digest; a plain one stays readable."""
    name = file_name(sid)
    assert name.startswith(".cpm-progress-")
    assert name.isascii()
    assert "/" not in name
    assert len(name) == len(".cpm-progress-.md") + 16
    assert file_name("abc-123") == ".cpm-progress-abc-123.md"
