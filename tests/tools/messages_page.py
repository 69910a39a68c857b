"""Write docs/messages.md: purpose, budget, priority and an example of each message.

To write it: `python -m tests.tools.messages_page > docs/messages.md`; a test compares it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from journal.config.schema import DEFAULTS
from journal.events.base import Unknown
from journal.events.registry import decode
from journal.log.record import frame, type_of
from journal.text import estimate_tokens
from projections.fold import Fold
from projections.messages import MESSAGES, explain
from projections.messages.answers_off import notice
from projections.views import HOOK_PROJECTIONS, Views
from tests.projections.timeline import fields_of

if TYPE_CHECKING:
    from collections.abc import Mapping

HEAD = """# Messages

<!-- Made by `python -m tests.tools.messages_page`; edit the message files or that. -->

The messages that hooks send to Claude and to you, in order of priority. If a message does not fit beside those before it, it is
sent with the next hook call. At the end of a turn only the first one that applies is sent. If no message applies, nothing is sent,
which costs no tokens.

Messages are in English, Japanese or Korean: in the language of your prompts, or in the one that `messages.language` sets. Names that a
repository, a tool or a transcript chose are quoted. The journal records every message: `journal replay --answers` shows them, and
`journal explain SEQ` shows why one was sent.
"""
RECIPIENTS = {
    "context": "Claude reads",
    "message": "You read",
    "plain": "The instructions of the summary get",
    "block": "You read, and the command does not run",
}
# Name -> purpose, recipient and occasion, budget in tokens (estimated at four Latin letters each).
ROWS = {
    "recovery": (
        "Gives Claude back what a compaction dropped.",
        "Claude, once per compaction",
        2400,
    ),
    "learnings_summary": (
        "Says which learnings are safe to rely on.",
        "Claude, once per compaction",
        120,
    ),
    "shell_signs": (
        "Says which characters `/journal:get` cannot accept.",
        "you, when you type them",
        40,
    ),
    "config_problem": ("Reports mistakes in the settings.", "you, at startup", 40),
    "start_listing": (
        "Lists unfinished work, entries that are not saved, and learnings.",
        "Claude, when a session starts",
        600,
    ),
    "expiring_transcripts": (
        "Reports conversations that Claude Code will delete soon.",
        "you, when a session starts, once a day",
        90,
    ),
    "decided_elsewhere": (
        "Passes on a decision that you recorded in a terminal.",
        "Claude, with the next prompt",
        450,
    ),
    "cycle_start": ("Starts a dev cycle when you run its command; sends no text.", "nobody", 0),
    "queued_pack": ("Delivers texts that you sent to a session.", "Claude, each once", 9500),
    "over_budget": (
        "Reports that hooks have used up their time budget.",
        "you, once per session",
        100,
    ),
    "pressure_warning": (
        "Warns that little context is left, and says what to do.",
        "both, once per level",
        160,
    ),
    "dropped_by_summary": (
        "Lists what the summary left out, if that is known only after the recovery.",
        "Claude, once per compaction",
        2400,
    ),
    "related_sessions": (
        "Lists past sessions about the same work.",
        "Claude, at startup and with the first prompt",
        400,
    ),
    "stage_gate": (
        "Asks for the next stage, or reports that too little context is left.",
        "Claude or you, at the end of a turn",
        160,
    ),
    "compound_reminder": (
        "Reminds you of entries that are not saved as learnings.",
        "you, once per condition",
        80,
    ),
    "workflow_check": (
        "Reports a workflow that ran without its check.",
        "you, once per workflow",
        50,
    ),
    "summary_guidance": ("Says what the summary should contain.", "the summary request", 250),
}
NOTICES = """## Notices when the journal is off

Hooks send these notices to you without reading the views, once per session, project or journal. They are in the language that
`messages.language` sets, and in English if it is "auto".
"""
STORY = """a 09:00 start startup
a 09:01 prompt round all prices in the cart to cents; never use floats for money
a 09:01 decide Prices are decimals, because floats lose cents
a 09:02 note rounding is half up, as on invoices
a 09:02 tool Edit shop/cart.py
a 09:03 fail Bash pytest tests/test_cart.py
a 09:03 tool Edit shop/money.py
a 09:04 tool Bash pytest tests/test_cart.py
a 09:04 stop
a 09:05 prompt now the totals of an order
a 09:05 unit started
a 09:05 unit checked
a 09:06 stop
a 09:06 prompt go on
a 09:06 reading 155000
a 09:06 tool Edit shop/orders.py
a 09:07 stage started sprint
a 09:07 reading 30000
a 09:07 stage finished sprint
a 09:08 prompt next
a 09:08 reading 31000
a 09:08 stop
a 09:09 queued a the discount rules of the old shop
a 09:10 prompt and the discounts
a 09:11 compact auto
a 09:11 start compact
a 09:12 end
b 09:30 start startup
b 09:31 prompt hello"""
MEMBERS: dict[int, dict[str, Any]] = {
    6: {"error": "Exit code 1\nE   AssertionError: assert Decimal('0.30') == 0.3"},
    9: {"message": "Prices in the cart are rounded half up, in shop/money.py. All 12 tests pass."},
    11: {"unit": "totals", "title": "Round the totals of an order",
         "items": ["parse the amounts", "round each line", "add up the rounded lines"]},
    12: {"unit": "totals", "item": "parse the amounts"},
    13: {"message": "Amounts are parsed in shop/orders.py."},
    22: {"message": "Totals add up the rounded lines."},
    23: {"title": "Discounts in the old shop", "text": "A discount comes off before tax.",
         "sources": ["shop#412"]},
}  # fmt: skip


class Story(NamedTuple):
    """Events as `tests.projections.timeline` reads them.

    `members`: further members of the event at a seq; `settings`: those that differ from the defaults.
    """

    text: str
    members: Mapping[int, dict[str, Any]] = {}
    settings: Mapping[str, Any] = {}


_STOCK = {
    "total": 5, "unverified": 2, "last": "2026-11-20",
    "files": [{"path": ".claude/context/learnings-prices.md", "total": 5, "unverified": 2}],
}  # fmt: skip
STORIES = (
    Story(STORY, MEMBERS),
    Story("a 09:00 start / a 09:01 prompt x / a 09:02 compact auto / a 09:03 start compact",
          {4: {"stock": _STOCK}}),
    Story("a 09:00 start / a 09:01 command get", {2: {"args": "the $PATH bug"}}),
    Story("a 09:00 start", settings={"config.problems": 2}),
    Story("- 09:00 checked 12 / a 09:01 start"),
    Story("a 09:00 start / a 09:01 prompt round all prices in the cart / a 09:02 decide Prices are decimals / "
          "a 09:02 tool Edit cart.py / a 09:03 compact auto / a 09:04 start compact / a 09:04 injected recovery / "
          "a 09:05 summary We talked about the weather. / a 09:06 prompt go on"),
    Story("a 09:00 start / a 09:01 prompt round all prices in the cart / - 09:02 decide Discounts come before tax / "
          "a 09:03 prompt go on"),
    Story("a 09:00 start / a 09:01 prompt round all prices in the cart / a 09:02 tool Bash make / a 09:03 prompt go on",
          {3: {"us": 61_000_000}}, {"capture.budget": 60}),
    Story("a 09:00 start / a 09:01 command release / a 09:02 stop",
          settings={"compound.checks": ("release:verify-release",)}),
    Story("a 09:00 start / a 09:01 decide Prices are decimals / a 09:02 unit started / a 09:03 compact auto",
          settings={"precompact.guidance": True}),
)  # fmt: skip


def examples() -> dict[str, dict[str, str]]:
    """Return the first text of each message in the stories, by recipient."""
    found: dict[str, dict[str, str]] = {}
    for story in STORIES:
        fold = Fold(HOOK_PROJECTIONS)
        settings = {**DEFAULTS, **story.settings}
        lines = story.text.replace(" / ", "\n").splitlines()
        for seq, text in enumerate(lines, 1):
            line = frame(seq, {**fields_of(text), **story.members.get(seq, {})})[:-1]
            fold.feed([(seq, line)])
            event = decode(line, type_of(line))
            if isinstance(event, Unknown):
                continue
            for item in explain(Views(**fold.states), event, settings):
                if item.answer is not None and item.answer.texts:
                    found.setdefault(item.message, item.answer.texts)
    return found


def notices() -> list[tuple[str, str]]:
    """Return the notices that hooks give without views, each with its purpose."""
    python, home = "/usr/bin/python3", "/home/me/.claude/journal"
    command = "/opt/journal/bin/journal"
    return [
        ("The interpreter lacks msgspec:",
         notice("en", "answers_off", interpreter=python, why="has no msgspec", command=command)),
        ("Nothing can be appended:",
         notice("en", "journal_off", path=home, what="cannot be written: Read-only file system")
         + notice("en", "remedy", remedy="make it writable, or set JOURNAL_HOME to a directory that is")),
        ("The project switches recording off:",
         notice("en", "capture_off", file=".claude/journal.toml")),
        ("The file system's locks keep no writers apart:", notice("en", "lock_fails", directory=home)),
    ]  # fmt: skip


def page() -> str:
    """Return the page."""
    parts = [HEAD]
    said = examples()
    assert set(ROWS) == set(MESSAGES)
    for number, name in enumerate(MESSAGES, 1):
        purpose, when, budget = ROWS[name]
        parts.append(
            f"## {number}. {name.replace('_', ' ')}\n\n{purpose}"
            + (f" To {when}; at most {budget:,} tokens.\n" if budget else "\n")
        )
        for recipient, text in said.get(name, {}).items():
            assert estimate_tokens(text) <= budget, (name, estimate_tokens(text))
            parts.append(f"{RECIPIENTS[recipient]}:\n\n```text\n{text}\n```\n")
    parts.append(NOTICES)
    parts += [f"{head}\n\n```text\n{text}\n```\n" for head, text in notices()]
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
