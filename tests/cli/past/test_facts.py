"""The fields of a past session for --json."""

from __future__ import annotations

from cli.past.facts import facts_of, facts_of_hit, resume_facts
from journal.history.conversations.model import Resume
from journal.history.conversations.resume import Transcripts
from journal.history.search.index import Hit, PastSession
from projections.digest import Digest
from projections.session import Session

NONE = Transcripts({"CLAUDE_CONFIG_DIR": "/nowhere"})
DIGEST = Digest(
    sid="s-1",
    session=Session(
        title="Totals", title_source="request", started="2026-11-21T09:00:00.000Z",
        last="2026-11-21T10:00:00.000Z", prompts=2, files=["a.py"],
    ),
    first=3, seq=9, decisions=["Round once"],
)  # fmt: skip


def test_the_fields_of_a_session() -> None:
    """Unknown values are null, the source of a title has a public name, a live one has no end."""
    facts = facts_of(PastSession("shop", DIGEST), NONE)
    assert (facts["session"], facts["project"], facts["title"]) == ("s-1", "shop", "Totals")
    assert (facts["title_source"], facts["branch"], facts["ended"]) == ("prompt", None, None)
    assert (facts["prompts"], facts["files"], facts["summarized"]) == (2, ["a.py"], False)
    assert (facts["resume"], facts["no_resume"]) == (None, "its transcript does not exist")
    assert "decisions" not in facts
    full = facts_of(PastSession("shop", DIGEST), NONE, full=True)
    assert facts.items() <= {**full, "files": facts["files"]}.items()
    assert full["decisions"] == ["Round once"]


def test_an_imported_session_is_over() -> None:
    """It ended with its last activity."""
    imported = Digest(sid="s-1", session=DIGEST.session, imported=True)
    assert facts_of(PastSession("shop", imported), NONE)["ended"] == "2026-11-21T10:00:00.000Z"


def test_the_fields_of_a_hit() -> None:
    """A hit has enough to choose it, and where the words are in the snippet."""
    hit = Hit(DIGEST, "shop", 0.12345678, "a total", [(2, 7)], {"words": 1}, "prompt")
    facts = facts_of_hit(hit, NONE)
    assert (facts["seq"], facts["score"], facts["spans"]) == (3, 0.123457, [[2, 7]])
    assert (facts["ways"], facts["found_in"], facts["title"]) == ({"words": 1}, "prompt", "Totals")
    assert "prompts" not in facts


def test_how_to_resume() -> None:
    """Either the command or why there is none."""
    assert resume_facts(Resume(command="cd x")) == {"resume": "cd x", "no_resume": None}
