"""Laws of all messages: the reasons explain shows agree with what the messages say."""

from __future__ import annotations

from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from journal.config.schema import DEFAULTS
from journal.events.base import Unknown
from journal.events.registry import decode
from journal.log.record import type_of
from projections import messages
from projections.fold import Fold
from projections.messages import MESSAGES, answer, combined, explain
from projections.messages.message import TEXT_LIMIT, Answer, width
from projections.views import HOOK_PROJECTIONS, Views
from tests.projections.drawn import LINES
from tests.projections.timeline import timeline
from tests.support.examples import examples

SPEAKING = """a 09:00 start startup
a 09:01 decide use decimal
a 09:01 note something
a 09:02 reading 125000
a 09:02 prompt x
a 09:03 reading 160000
a 09:03 tool Bash x
a 09:04 stage started sprint
a 09:05 stop
a 09:05 suggested x
a 09:06 compact auto
a 09:07 start compact
b 09:08 start startup
b 09:08 tool Edit cart.py
b 09:08 stop
b 09:09 stop
b 09:10 queued b text
b 09:11 prompt x"""


def explained(lines: list[str], changed: dict[str, object]) -> list[tuple[object, ...]]:
    """Explain every event of some lines: (type, result of each message, answer)."""
    fold = Fold(HOOK_PROJECTIONS)
    flat = {**DEFAULTS, **changed}
    found = []
    for seq, line in timeline("\n".join(lines)):
        fold.feed([(seq, line)])
        kind = type_of(line)
        event = decode(line, kind)
        if not isinstance(event, Unknown):
            views = Views(**fold.states)
            found.append((kind, list(explain(views, event, flat)), answer(views, event, flat)))
    return found


SWITCHES = st.dictionaries(
    st.sampled_from(["pressure.advice", "recovery.enabled", "compound.suggest", "start.announce",
                     "related.enabled", "related.prompts", "precompact.guidance"]),
    st.booleans(),
)  # fmt: skip


@given(LINES, SWITCHES)
@example(SPEAKING.split("\n"), {})
@examples(150)
def test_a_silent_message_says_why(lines: list[str], changed: dict[str, object]) -> None:
    """A silent message's last reason is the check that failed; a message that speaks has none."""
    for kind, items, _ in explained(lines, changed):
        for item in items:
            passed = [reason.passed for reason in item.reasons]
            if item.answer is not None:
                assert False not in passed, (kind, item.message)
            else:
                assert passed.count(False) == (
                    1 if item.message and passed else passed.count(False)
                )
                assert not item.message or not passed or passed[-1] is False, (kind, item.message)
            for reason in item.reasons:
                assert reason.what
                assert reason.value, (item.message, reason.what)
                assert all(key in DEFAULTS for key in reason.keys), reason.keys


@given(LINES, SWITCHES)
@example(SPEAKING.split("\n"), {})
@examples(80)
def test_the_answer_is_what_is_explained(lines: list[str], changed: dict[str, object]) -> None:
    """Explain and answer use one order and one size limit, and each text has its record."""
    order = ["", *MESSAGES]
    for kind, items, said in explained(lines, changed):
        names = [item.message for item in items]
        assert names == sorted(names, key=order.index)
        again = combined(items)
        assert (said is None) == (again is None)
        if said is None or again is None:
            continue
        assert _texts(said) == _texts(again)
        assert width(said.context) + width(said.message) <= TEXT_LIMIT
        recorded = [event for event in said.events if event["type"] != "checkpoint.saved"]
        speaking = [item for item in items if item.answer is not None]
        assert len(recorded) >= len([item for item in speaking if item.message != "config_problem"])
        if kind == "turn.ended":
            assert len(speaking) == 1


def _texts(said: Answer) -> tuple[object, ...]:
    return said.context, said.message, said.plain, said.block, said.events


def test_the_story_makes_most_of_them_speak() -> None:
    """The sibling of the laws: these events do make most messages speak."""
    spoken = {
        item.message
        for _, items, _ in explained(SPEAKING.split("\n"), {"precompact.guidance": True})
        for item in items
        if item.answer is not None
    }
    assert spoken >= {
        "start_listing", "pressure_warning", "stage_gate", "recovery", "summary_guidance",
        "compound_reminder", "queued_pack",
    }  # fmt: skip


def test_each_message_has_a_file() -> None:
    """Each registered message has its own module, and the package docstring names each of them."""
    folder = Path(messages.__file__).parent
    for name in [*MESSAGES, "answers_off"]:
        assert (folder / f"{name}.py").is_file()
        assert f"    {name} " in (messages.__doc__ or "")
