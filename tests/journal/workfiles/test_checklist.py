"""Task lists: which lines are items, which events an edit causes, and ticking one box."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.workfiles.checklist import MOST, changes, items_of, parse, started, tick
from projections.unit import ChecklistItem, Unit

LISTS = [
    pytest.param("- [ ] one\n- [x] two\n", [("one", False), ("two", True)], id="bullets"),
    pytest.param("* [X] one\n+ [ ] two\n", [("one", True), ("two", False)], id="other-bullets"),
    pytest.param("1. [ ] one\n2) [x] two\n", [("one", False), ("two", True)], id="numbers"),
    pytest.param("- [ ] a\n  - [x] b\n    1. [ ] c\n",
                 [("a", False), ("b", True), ("c", False)], id="nested"),
    pytest.param("- [ ] a\r\n- [x] b\r\n", [("a", False), ("b", True)], id="crlf"),
    pytest.param("- [x] 사용자 조회\n- [ ] 更新メソッド\n", [("사용자 조회", True), ("更新メソッド", False)],
                 id="cjk"),
    pytest.param("# T\n\ntext\n\n- [ ] a   b\n", [("a b", False)], id="among-prose"),
    pytest.param("- [ ]\ta\n", [("a", False)], id="tab"),
    pytest.param("\ufeff- [x] a\n", [("a", True)], id="byte-order-mark"),
]  # fmt: skip

NOT_LISTS = [
    pytest.param("```\n- [ ] a\n```\n", id="fence"),
    pytest.param("- x\n\n  ~~~\n  - [ ] a\n  ~~~\n", id="fence-in-an-item"),
    pytest.param("<!--\n- [ ] a\n-->\n", id="comment"),
    pytest.param("    - [ ] a\n", id="indented-code"),
    pytest.param("- [y] a\n- [] b\n- [ ]c\n- [ ]\n", id="no-box"),
    pytest.param("[ ] a\n", id="no-bullet"),
    pytest.param("-[ ] a\n1.[ ] b\n", id="no-blank"),
]


def render(items: list[tuple[str, bool]]) -> str:
    """Render items as a task list."""
    return "".join(f"- [{'x' if done else ' '}] {text}\n" for text, done in items)


@pytest.mark.parametrize("text, items", LISTS)
def test_items_are_read_with_their_state(text: str, items: list) -> None:
    """Every task item is read with its state, at any depth and in any notation."""
    assert parse(text) == items


@pytest.mark.parametrize("text", NOT_LISTS)
def test_what_is_no_item_is_not_counted(text: str) -> None:
    """Code, comments and malformed boxes are not items; an item after them is."""
    assert parse(text) == []
    assert parse(text + "\n\n- [x] real\n") == [("real", True)]


TEXTS = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1, max_size=40)
ITEMS = st.lists(
    st.tuples(TEXTS.map(lambda text: " ".join(text.split())).filter(bool), st.booleans()),
    max_size=20,
)


@given(ITEMS)
def test_what_is_written_is_read(items: list) -> None:
    """Parsing a rendered list gives the same items, for any texts."""
    assert parse(render(items)) == items


@given(ITEMS)
def test_items_are_told_apart(items: list) -> None:
    """All items of a checklist have different names, and none is lost under the limit."""
    known = items_of(items)
    assert len({name for name, _ in known}) == len(known) == len(items)


@given(ITEMS.filter(bool), st.data())
def test_a_tick_sets_one_box(items: list, data: st.DataObject) -> None:
    """Ticking an item changes its state and no other part of the text."""
    at = data.draw(st.integers(0, len(items) - 1))
    text = "# Plan\r\n\r\n" + render(items).replace("\n", "\r\n")
    name = items_of(items)[at][0]
    after = tick(text, name, done=not items[at][1])
    want = [(item, (not done) if at == place else done) for place, (item, done) in enumerate(items)]
    assert parse(after) == want
    assert len(after) == len(text)
    assert tick(text, name + " gone", done=True) == text


def _unit(**items: bool) -> Unit:
    return Unit(unit="u", title="T", file="f.md",
                items=[ChecklistItem(text=text, done=done) for text, done in items.items()])  # fmt: skip


CHANGES = [
    pytest.param([("a", False), ("b", True)], [], id="nothing-changed"),
    pytest.param([("a", True), ("b", True)], [("a", True)], id="checked"),
    pytest.param([("a", False), ("b", False)], [("b", False)], id="opened-again"),
    pytest.param([("a", False), ("b", True), ("c", False)], [("c", False)], id="new-item"),
    pytest.param([("b", True), ("a", False)], [], id="only-moved"),
    pytest.param([], [], id="half-written-file"),
]


@pytest.mark.parametrize("items, told", CHANGES)
def test_an_edit_tells_what_changed(items: list, told: list) -> None:
    """Each changed box and each new item gives one event; any other edit gives none."""
    events = changes(_unit(a=False, b=True), items)
    assert [(event["item"], event["done"]) for event in events] == told
    assert {event["type"] for event in events} <= {"unit.item.checked"}


def test_items_that_are_gone_no_longer_count() -> None:
    """If an item was removed, the unit starts again with the others, in the file's states."""
    events = changes(_unit(a=False, b=True, c=True), [("b", False), ("c", True)])
    assert events[0] == {
        "type": "unit.started", "unit": "u", "title": "T", "file": "f.md",
        "items": ["[ ] b", "[x] c"],
    }  # fmt: skip
    assert events[1:] == [{"type": "unit.item.checked", "unit": "u", "item": "b", "done": False}]


def test_a_long_list_goes_into_several_records() -> None:
    """Items that do not fit the first record follow singly; items past the limit are not followed."""
    items = items_of([(f"作業項目の説明 {'長' * 60} {n}", n % 2 == 0) for n in range(150)])
    assert len(items) == MOST
    first, *rest = started("u", items, title="T")
    assert 0 < len(first["items"]) < MOST
    assert len(first["items"]) + len(rest) == MOST
    assert sum(len(text.encode()) for text in first["items"]) < 12_000
    assert len(items_of([("x" * 1000, True)])[0][0]) == 160
