"""Commands that record something, for the session they are called in."""

from __future__ import annotations

from cli.table import READING, WRITING, Command, Param

__all__ = ["ROWS"]

_TEXT = Param("text", "texts", "The text; - reads it from stdin.", metavar="TEXT", required=True)
_PHASE = Param("phase", "text", "Phase it comes from, such as implement.", ("--phase",), "P")
_TOPIC = Param("topic", "text", "Topic: the file learnings-T.md.", ("--topic",), "T")

ROWS = (
    Command(
        "note",
        "Keep",
        "cli.record:note",
        "Note something in the journal's own work log.\n\n"
        "It waits for promotion like an entry of progress.md.",
        (_TEXT, *WRITING),
    ),
    Command(
        "decide",
        "Keep",
        "cli.record:decide",
        "Record a decision; it is told again after a compaction.",
        (_TEXT, *WRITING),
    ),
    Command(
        "compound",
        "Keep",
        "cli.record:compound",
        "Record that the work log was looked through.\n\n"
        "Every heading now in .claude/context/progress.md and every note so far counts as "
        "covered: what comes later is what is not promoted.",
        (
            Param(
                "promoted",
                "count",
                "Learnings that came of it; without it, those recorded or "
                "confirmed since the last compound.",
                ("--promoted",),
            ),
            *WRITING,
        ),
    ),
    Command(
        "learning add",
        "Keep",
        "cli.learning:add",
        "Write a new learning, unverified.\n\nThe body is --body TEXT, or what is piped in.",
        (
            _TOPIC._replace(required=True),
            Param("title", "text", "One line, a statement.", ("--title",), "TEXT", required=True),
            _PHASE,
            Param("body", "text", "What, why, how it showed; - reads stdin.", ("--body",), "TEXT"),
            *WRITING,
        ),
    ),
    Command(
        "learning confirm",
        "Keep",
        "cli.learning:confirm",
        "Confirm a learning once more.",
        (
            Param(
                "name",
                "text",
                "Its title, the beginning of it, or its digest.",
                metavar="NAME",
                required=True,
            ),
            _PHASE,
            _TOPIC,
            *WRITING,
        ),
    ),
    Command(
        "learning list",
        "Keep",
        "cli.learning:listing",
        "Show the learnings and how far each is confirmed.",
        (_TOPIC, *READING),
    ),
)
