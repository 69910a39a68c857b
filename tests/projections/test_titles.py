"""What a session is called: one rule, whoever asks."""

from __future__ import annotations

from typing import Any

import pytest

from projections.digest import title_of
from projections.session import Session
from projections.session import title_of as title_of_session
from projections.titles import with_title
from tests.projections.digested import SUMMED, fed, one, prompt

CUSTOM = {"type": "session.titled", "title": "Mine", "source": "custom"}
AI = {"type": "session.titled", "title": "The client's", "source": "ai"}
NAMED = {"type": "session.started", "source": "clear", "title": "Carried over"}
EXTRACTED = {**SUMMED, "title": "Extracted", "engine": "extractive"}
UNIT = {"type": "unit.started", "unit": "u1", "title": "Totals"}
ASKED = prompt("Hi! Fix the rounding in the cart. Then tell me.")


@pytest.mark.parametrize(
    ("events", "title", "source"),
    [
        pytest.param([ASKED], "Fix the rounding in the cart.", "request", id="request"),
        pytest.param([prompt("fix it")], "fix it", "prompt", id="prompt"),
        pytest.param([prompt("go on"), prompt("fix it")], "go on", "prompt", id="the first"),
        pytest.param([prompt("go"), prompt("fix it"), prompt("run tests")], "fix it", "prompt",
                     id="one word gives way"),
        pytest.param([prompt("hi there"), prompt("ok."), prompt("fix it")], "fix it", "prompt",
                     id="greetings are none"),
        pytest.param([prompt("はい"), prompt("続けて"), prompt("続きをやって")], "続きをやって",
                     "prompt", id="Japanese word gives way"),
        pytest.param([prompt("go"), prompt("next")], "go", "prompt", id="only words"),
        pytest.param([prompt("commit"), EXTRACTED, prompt("fix it")], "Extracted", "extract",
                     id="extract over word"),
        pytest.param([prompt("go on"), ASKED], "Fix the rounding in the cart.", "request",
                     id="request over prompt"),
        pytest.param([ASKED, {"type": "command.expanded", "name": "review"}],
                     "Fix the rounding in the cart.", "request", id="request over a later command"),
        pytest.param([{"type": "command.expanded", "name": "journal:note", "args": "all tests"},
                      prompt("fix it")], "fix it", "prompt", id="prompt over a few arguments"),
        pytest.param([ASKED, SUMMED], "Summed up", "summary", id="summary over request"),
        pytest.param([SUMMED, ASKED], "Summed up", "summary", id="summary stays"),
        pytest.param([prompt("go on"), EXTRACTED], "Extracted", "extract", id="extract over prompt"),
        pytest.param([EXTRACTED, ASKED], "Fix the rounding in the cart.", "request",
                     id="request over extract"),
        pytest.param([UNIT, EXTRACTED, prompt("go on")], "Totals", "work", id="unit over extract"),
        pytest.param([UNIT, ASKED], "Fix the rounding in the cart.", "request",
                     id="request over unit"),
        pytest.param([{**UNIT, "agent": "x"}, prompt("go on")], "go on", "prompt",
                     id="unit of a subagent"),
        pytest.param([ASKED, SUMMED, AI], "The client's", "ai", id="ai over summary"),
        pytest.param([AI, SUMMED], "The client's", "ai", id="ai stays"),
        pytest.param([AI, CUSTOM, SUMMED], "Mine", "custom", id="custom over ai"),
        pytest.param([CUSTOM, AI], "Mine", "custom", id="custom stays"),
        pytest.param([NAMED, AI], "Carried over", "custom", id="named by the client"),
        pytest.param([AI, {**AI, "title": "Later"}], "Later", "ai", id="the later of a kind"),
        pytest.param([CUSTOM, {**CUSTOM, "title": "  "}], "Mine", "custom", id="blank is none"),
        pytest.param(
            [prompt("カートの端数処理を直してください。あとテストも。")],
            "カートの端数処理を直してください。", "request", id="Japanese",
        ),
        pytest.param(
            [prompt("안녕하세요. 장바구니 합계를 고쳐 주세요. 테스트도요.")],
            "장바구니 합계를 고쳐 주세요.", "request", id="Korean",
        ),
        pytest.param([prompt("Implement the following plan:\n\n# Discount codes\n\n## Context")],
                     "Discount codes", "request", id="plan"),
        pytest.param([prompt("[Image #1] [Image #2] Paint the barn like this, please")],
                     "Paint the barn like this, please", "request", id="below images"),
        pytest.param([prompt("[Image #1]"), prompt("fix it")], "fix it", "prompt",
                     id="only an image"),
        pytest.param([prompt("Paint [Image #1] like the barn, please")],
                     "Paint [Image #1] like the barn, please", "request", id="image in a sentence"),
        pytest.param([prompt("x" * 500)], "x" * 79 + "…", "prompt", id="bounded"),
        pytest.param([prompt("```\ncode\n```\nWhy does this fail, please?")],
                     "Why does this fail, please?", "request", id="code before it"),
    ],
)  # fmt: skip
def test_rank(events: list[dict[str, Any]], title: str, source: str) -> None:
    """A person's title ranks first; then the client's, a model's, the request, work, a prompt."""
    found = fed(*events)
    assert (found.session.title, found.session.title_source) == (title, source)
    assert title_of(found) == title_of_session(found.session) == title


@pytest.mark.parametrize(
    ("events", "title"),
    [
        ([prompt("/clear")], "/clear"),
        ([prompt("/clear"), prompt("after it")], "after it"),
        ([prompt("/journal:get last")], "/journal:get last"),
        ([prompt("hello there"), UNIT], "Totals"),
        ([prompt("hello there")], "hello there"),
    ],
)
def test_without_a_request(events: list[dict[str, Any]], title: str) -> None:
    """Where nothing was asked for, the work names a session, else its first prompt."""
    assert title_of(fed(*events)) == title


def test_where_nothing_was_said() -> None:
    """A session without any text is called by its id and day; views leave its title empty."""
    found = one("08123456-aaaa 09:00 start", "08123456-aaaa")
    assert title_of(found) == "Session 08123456 2026-11-21"
    assert title_of_session(found.session) == ""


@pytest.mark.parametrize(
    ("command", "args", "title"),
    [
        ("journal:dev-cycle", "add discount codes to the cart", "add discount codes to the cart"),
        ("journal:dev-cycle", "", "Round prices half up per line"),
        ("fix-issue", "12 rounding of prices", "/fix-issue 12 rounding of prices"),
    ],
)
def test_a_session_begun_with_a_command(command: str, args: str, title: str) -> None:
    """A session begun with a command is titled by its subject, not by the typed argument."""
    began = {"type": "command.expanded", "name": command, "args": args}
    found = fed(began, prompt("go on"), prompt("Round prices half up per line"))
    assert title_of(found) == title


def test_a_title_before_the_session() -> None:
    """A title may come before the first event; the session still begins with that event."""
    session = fed({**AI, "ts": "2026-11-20T09:00:00.000Z"}, NAMED, ASKED).session
    assert session.title == "Carried over"
    assert session.started == "2026-11-21T09:02:00.000Z"


@pytest.mark.parametrize(
    ("one", "other", "title"),
    [
        (("request", "2"), ("ai", "1"), "other"),
        (("ai", "1"), ("request", "2"), "one"),
        (("ai", "1"), ("ai", "2"), "other"),
        (("ai", "2"), ("ai", "1"), "one"),
        (("request", "2"), ("request", "3"), "one"),
        (("", ""), ("prompt", "1"), "other"),
        (("prompt", "1"), ("", ""), "one"),
    ],
)
def test_the_better_of_two(one: tuple[str, str], other: tuple[str, str], title: str) -> None:
    """Of two records of a session the title that ranks higher counts, of one kind the later."""
    first, second = (
        Session(title=name if source else "", title_source=source, title_at=at)
        for name, (source, at) in (("one", one), ("other", other))
    )
    assert with_title(first, second).title == (title if first.title or second.title else "")


def withdrawn(*texts: str, kind: str = "prompts.withdrawn") -> dict[str, Any]:
    """Build the event of what is not in the conversation."""
    return {"type": kind, "withdrawn": list(texts)}


@pytest.mark.parametrize("kind", ["prompts.withdrawn", "compact.gathered"])
def test_a_request_that_was_taken_back_is_no_title(kind: str) -> None:
    """The first request that is in the conversation is the title; later ones do not replace it."""
    wrong, right = "Delete the parser and use BETA.", "Write the tests of the parser."
    events = [prompt(wrong), prompt("go on"), prompt(right), withdrawn(wrong, "go on", kind=kind)]
    digest = fed(*events, prompt("Then release the whole thing."))
    assert (title_of(digest), digest.session.prompt) == (right, right)
    assert wrong not in digest.prompts


def test_a_title_that_is_no_request_stays() -> None:
    """Taking a request back changes no title that the person or Claude Code gave."""
    assert title_of(fed(ASKED, CUSTOM, withdrawn(ASKED["text"]))) == "Mine"
