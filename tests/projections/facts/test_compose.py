"""A text of bounded size: each part's first items come before any tail; omissions are counted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from projections.facts.compose import TextPart, compose


def note(left: list[tuple[str, int]]) -> str:
    """Return the note about omitted items."""
    return "[left: " + ", ".join(f"{count} {name}" for name, count in left) + "]"


def parts_of(sizes: list[int], *, urgent: int = -1) -> list[TextPart]:
    """Build parts with so many items of ten characters each."""
    return [
        TextPart(f"p{at}", f"head {at}", [f"item {at} {n:03}" for n in range(size)], first=2,
             urgent=at == urgent)
        for at, size in enumerate(sizes)
    ]  # fmt: skip


def test_every_part_gets_its_first_items_before_any_tail() -> None:
    """A long first part does not displace the other parts."""
    text = compose(parts_of([50, 3, 3]), 250, 1000, len, note)
    assert "item 1 001" in text
    assert "item 2 001" in text
    assert text.endswith("p0]")


def test_what_is_left_out_is_counted() -> None:
    """Shown and omitted items add up to all items."""
    parts = parts_of([40, 7])
    text = compose(parts, 200, 1000, len, note)
    assert f"{40 - parts[0].shown} p0" in text
    assert text.count("item ") == parts[0].shown + parts[1].shown


def test_an_urgent_part_goes_beyond_the_usual_room() -> None:
    """Only an urgent part may use the space between the usual size and the limit."""
    usual = compose(parts_of([150]), 200, 1000, len, note)
    urgent = compose(parts_of([150], urgent=0), 200, 1000, len, note)
    assert len(usual) < 300 < 900 < len(urgent) <= 1000


def test_the_rest_of_a_part_comes_after_the_firm_items_of_all() -> None:
    """Items beyond `firm` are placed only in what all other parts left free, also at the start."""
    parts = parts_of([6, 6])
    parts[0].firm = 1
    compose(parts, 85, 1000, len, note)
    assert (parts[0].shown, parts[1].shown) == (1, 4)
    parts = parts_of([6, 6])
    parts[0].firm = 1
    compose(parts, 400, 1000, len, note)
    assert (parts[0].shown, parts[1].shown) == (6, 6)


def test_a_round_places_a_line_of_names() -> None:
    """Short names need little room, so a round places several of them beside one long item."""
    names, lines = parts_of([30, 30])
    names.joiner = ", "
    compose([names, lines], 300, 1000, len, note)
    assert names.shown > 2 * lines.shown > 4


def test_nothing_is_left_out_where_there_is_room() -> None:
    """If everything fits there is no note."""
    assert "left" not in compose(parts_of([2, 2]), 500, 1000, len, note)


@given(st.lists(st.integers(0, 40), max_size=8), st.integers(50, 400), st.integers(450, 900))
def test_the_limit_holds(sizes: list[int], soft: int, limit: int) -> None:
    """No text is longer than its limit, whatever the parts."""
    assert len(compose(parts_of(sizes, urgent=0), soft, limit, len, note)) <= limit
