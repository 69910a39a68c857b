"""The person's words in a recovery: what they corrected does not stand there as current."""

from __future__ import annotations

from journal.config.schema import DEFAULTS
from journal.events.session import SessionStarted
from projections.facts.compaction import facts_of
from projections.facts.session import Gathered, LastCompaction, TimedText, Trail
from projections.messages import answer
from projections.recovery import Recovery
from projections.views import Views

START = SessionStarted(seq=9, ts="2026-11-21T09:00:00.000Z", sid="a", source="compact")
GOAL = "Write the importer of the suppliers"
SQLITE = "Use SQLite for the store of the importer"
POSTGRES = "No, use Postgres after all instead of SQLite"
CENTS = "Actually, use DuckDB for it instead of Postgres"
LAST = "Next write the report of the suppliers"


def told(*prompts: str, decisions: tuple[str, ...] = (), dropped: str = "") -> str:
    """Return the recovery after these prompts, oldest first, whose summary mentions nothing.

    dropped: the one that the view does not have any more.
    """
    facts = facts_of(Gathered(), prompts)
    at = "2026-11-21T09:00:00.000Z"
    rows = [TimedText(at, text) for text in reversed(prompts) if text != dropped]
    chosen = [TimedText("", text) for text in decisions]
    last = LastCompaction(seq=8, done=True, facts=facts)
    trail = Trail(prompts=rows, decisions=chosen, compaction=last)
    given = answer(Views(recovery=Recovery({"a": trail})), START, DEFAULTS)
    assert given is not None
    return given.context


def test_a_correction_stands_before_what_it_corrects() -> None:
    """The older words are told in the line of the newer ones, as corrected or limited."""
    text = told(GOAL, SQLITE, POSTGRES, LAST)
    assert f'- "{POSTGRES}" (corrects or limits the earlier "{SQLITE}")' in text
    assert text.count(SQLITE) == 1
    assert text.endswith(f'- "{GOAL}"')


def test_a_request_that_only_the_transcript_has() -> None:
    """It is corrected by newer words and corrects older ones, as if the view still had it."""
    text = told(GOAL, SQLITE, POSTGRES, LAST, dropped=SQLITE)
    assert f'- "{POSTGRES}" (corrects or limits the earlier "{SQLITE}")' in text
    newer = "Use DuckDB for the importer rather than SQLite"
    text = told(GOAL, SQLITE, newer, LAST, dropped=newer)
    assert f'- "{newer}" (corrects or limits the earlier "{SQLITE}")' in text


def test_a_corrected_correction() -> None:
    """Of a chain of corrections the last is current; all before it stand in its line."""
    text = told(GOAL, SQLITE, POSTGRES, CENTS, LAST)
    (line,) = [line for line in text.splitlines() if "corrects or limits" in line]
    assert line.startswith(f'- "{CENTS}"')
    assert SQLITE in line
    assert POSTGRES in line


def test_the_last_request_corrects() -> None:
    """Words that the last request corrects say so; that request stands above them."""
    assert f'- "{SQLITE}" (corrected or limited later)' in told(GOAL, SQLITE, POSTGRES)


def test_a_decision_that_a_newer_one_corrects() -> None:
    """It is told as such."""
    text = told(GOAL, decisions=("Use Postgres, not SQLite", "Use SQLite for the store"))
    assert '- "Use Postgres, not SQLite"\n' in text
    assert '- "Use SQLite for the store" (corrected or limited later)' in text


def test_the_first_words_come_first() -> None:
    """What set the goal stands first, also if it has a rule; rules come before later requests."""
    goal, rule = (
        "Round the totals and never touch legacy.py",
        "Always run the linter before you stop",
    )
    text = told(goal, "Then add some tests for the totals", rule, LAST)
    order = [text.index(part) for part in (goal, rule, "Then add some tests")]
    assert order == sorted(order)


def test_rows_of_a_list_are_told_by_two() -> None:
    """Of sentences that differ in digits alone two are told; the rest of the list says no more."""
    rows = "\n".join(f"- Row {at} must map the column c{at} to d{at}" for at in range(9))
    text = told(GOAL, f"This is the plan:\n{rows}\n\nNever delete the old table.", LAST)
    assert text.count("must map the column") == 2
    assert "Never delete the old table." in text


def test_a_request_that_stands_above_is_not_repeated() -> None:
    """Both the last request and the one before it, which says what is wanted, stand there once."""
    text = told(GOAL, "use decimals")
    assert (text.count(GOAL), text.count("use decimals")) == (1, 1)


def test_a_numbered_list_stays_in_its_order() -> None:
    """A short item of it is not lost."""
    steps = ["2. Write the tests of tax", "3. Document tax", "4. Publish the new release"]
    text = told(GOAL, "\n".join(["1. Add the tax module", *steps]), LAST)
    at = [text.index(step) for step in ("1. Add", *steps)]
    assert at == sorted(at)
