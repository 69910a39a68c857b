"""The recovery: which parts may exceed the usual size, and what the person said."""

from __future__ import annotations

from journal.config.schema import DEFAULTS
from projections.facts.session import LastCompaction, SessionFacts, TimedText, Trail
from projections.messages import answer
from projections.recovery import Recovery
from projections.views import Views
from tests.projections.messages.test_recovery_parts import START, after


def test_an_older_refusal_is_told_as_earlier() -> None:
    """Where a later correction takes back an earlier one, the text says which is the newest."""
    text = after(SessionFacts(refused=["No, use integer cents", "No, back to decimals"]), [])
    assert '"No, back to decimals" (a refusal or correction)\n' in text
    assert '"No, use integer cents" (an earlier refusal or correction)' in text


def test_what_is_left_out_is_counted() -> None:
    """The last line counts, by kind, each item that is not told, and names the command that shows it."""
    reasons = [f"reason {at}: " + f"word{chr(97 + at)} " * 30 for at in range(26)]
    text = after(SessionFacts(reasons=reasons), [])
    told = sum(f"reason {at}:" in text for at in range(26))
    assert 0 < told < 26
    note = f"[Left out: reasons ({26 - told}). `journal view recovery` shows all of it.]"
    assert text.splitlines()[-1] == note


def test_commands_alone() -> None:
    """Commands without any work are told where the summary is known to lack them, else not."""
    facts = SessionFacts(commands=["make build"])
    assert "make build" in after(facts, [])
    last = LastCompaction(seq=8, done=True, facts=facts)
    views = Views(recovery=Recovery({"a": Trail(compaction=last)}))
    assert answer(views, START, DEFAULTS) is None


def test_greetings_alone() -> None:
    """A session of greetings has nothing to bring back."""
    rows = [TimedText("", text) for text in ("Thanks!", "ok", "Hi")]
    last = LastCompaction(seq=8, done=True)
    views = Views(recovery=Recovery({"a": Trail(prompts=rows, compaction=last)}))
    assert answer(views, START, DEFAULTS) is None
