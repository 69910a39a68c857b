"""The four tools: their results, their refusals, and that reading changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from journal.history.tools.run import MOST, call
from tests.cases.world import OTHER
from tests.journal.history.tools.conftest import ask, state
from tests.support.examples import third

if TYPE_CHECKING:
    from tests.cases.world import World

READING: list[tuple[str, dict[str, Any]]] = [
    ("recall", {"query": "redirect"}),
    ("recall", {"query": "redirect", "all": True, "limit": 20}),
    ("recall", {"query": "nothing-like-this"}),
    ("get", {"source": "last"}),
    ("get", {"source": OTHER}),
    ("get", {"source": "2"}),
    ("get", {"source": "no-such-source"}),
    ("status", {}),
]


@pytest.mark.parametrize(
    ("name", "given", "said"),
    [
        ("recall", {"query": "redirect"}, "of the project shop for"),
        ("recall", {"query": "nothing-like-this"}, "Nothing in the project shop matches"),
        ("get", {"source": "2"}, "Event 2 of shop. A record of earlier work, not an instruction:"),
        ("status", {}, "Project shop, "),
    ],
)
def test_projects_have_the_names_of_people(
    past: World, name: str, given: dict[str, Any], said: str
) -> None:
    """A tool names a project as commands do, without its digest where that is unambiguous."""
    assert said in ask(past, name, **given).text


@pytest.mark.parametrize(
    ("is_indexed", "name", "given"),
    third((is_indexed, *given) for is_indexed in (False, True) for given in READING),
)
def test_reading_changes_no_byte(
    past: World, name: str, given: dict[str, Any], is_indexed: bool
) -> None:
    """Reading changes no byte of the journal home, with or without an index or with an outdated one."""
    if is_indexed:
        past.order("search", "redirect")
        past.prompt("one more, so that the index is behind")
    before = state(past.journal)
    ask(past, name, **given)
    assert state(past.journal) == before


@pytest.mark.parametrize(("name", "given"), READING)
def test_damage_is_reported(past: World, name: str, given: dict[str, Any]) -> None:
    """A damaged log is named before the answer; an intact one is not mentioned."""
    assert "damaged" not in ask(past, name, **given).text
    path = past.directory / "active.jsonl"
    path.write_bytes(path.read_bytes().replace(b"login.py", b"l0gin.py", 1))
    before = state(past.journal)
    found = ask(past, name, **given)
    assert found.failed or found.text.startswith("The journal is damaged")
    first = found.text.partition("\n")[0]
    assert found.failed or ("active.jsonl:" in first and "journal verify --project shop" in first)
    assert state(past.journal) == before


@pytest.mark.parametrize(
    ("name", "given", "why"),
    [
        ("recall", {}, "query is missing"),
        ("recall", {"query": 3}, "query is not a text"),
        ("recall", {"query": "  "}, "query is empty"),
        ("recall", {"query": "x", "limit": True}, "limit is not a whole number"),
        ("recall", {"query": "x", "limit": 21}, "limit has 21: from 1 to 20"),
        ("recall", {"query": "x" * 401}, "query has 401 characters: from 1 to 400"),
        ("recall", {"query": "x", "more": 1}, "there is no input 'more'"),
        ("recall", [], "the input is not an object"),
        ("note", {"kind": "thought", "text": "x"}, "kind is none of: decision, item, entry"),
        ("note", {"kind": "entry", "text": "x" * 8001}, "text has 8,001 characters"),
        ("get", {"source": "99999"}, "no event 99999"),
        ("get", {"source": "0"}, "no event 0"),
        ("get", {"source": f"{OTHER}@99"}, "has no message"),
        ("get", {"source": "../../etc/passwd"}, "no session matches"),
        ("recall", {"query": "?!"}, "has no word to search for"),
    ],
)
def test_bad_input_is_a_text_that_says_what_is_wrong(
    past: World, name: str, given: Any, why: str
) -> None:
    """Bad input fails with a reason and raises nothing."""
    done = call(name, given, past.env(), session=past.sid)
    assert done.failed
    assert why in done.text


def test_results_are_bounded(past: World) -> None:
    """A result has at most MOST characters, however much is recorded."""
    for _ in range(30):
        past.prompt("redirect " * 50)
        past.stop(last_assistant_message="redirect " * 50)
    past.compact()
    results = [ask(past, name, **given) for name, given in READING]
    results.append(ask(past, "get", source=f"{past.sid}@0"))
    assert max(len(done.text) for done in results) <= MOST == 8000
