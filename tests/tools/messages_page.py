"""The page docs/messages.md: purpose, budget, priority and an example of each message.

To write it: `python -m tests.tools.messages_page > docs/messages.md`; a test compares it.
"""

from __future__ import annotations

import sys

from journal.config.schema import DEFAULTS
from journal.events.registry import Unknown, decode, kind_of
from journal.text import estimate_tokens
from projections.fold import Fold
from projections.messages import MESSAGES, explain
from projections.views import HOOK_PROJECTIONS, Views
from tests.projections.timeline import timeline

HEAD = """# Messages

<!-- Made by `python -m tests.tools.messages_page`; edit the message files or that. -->

What hooks put before Claude and you, in the order of priority. A message that does not fit beside those before it waits
for the next call; at the end of a turn the first one is the only one. A session with nothing to say costs 0 tokens.
All messages exist in English, Japanese and Korean: in the language of your prompts, or in the one `messages.language`
names. Names that a repository, a tool or a transcript chose stand in quotes. What was said is part of the journal:
`journal replay --answers` shows it, `journal explain SEQ` says why.
"""
# Name -> purpose, to whom and when, budget in tokens (an estimate: four Latin letters are one).
ROWS = {
    "recovery": (
        "Gives Claude back what a compaction dropped.",
        "Claude, once per compaction",
        2400,
    ),
    "learnings_summary": (
        "Which learnings are safe to rely on.",
        "Claude, once per compaction",
        120,
    ),
    "shell_signs": ("Words that `/journal:get` cannot take.", "you, when you type them", 40),
    "config_problem": ("Mistakes in the settings.", "you, at startup", 40),
    "start_listing": ("Unfinished work, what is not saved, learnings.", "Claude, at a start", 600),
    "expiring_transcripts": (
        "Text that Claude Code deletes soon.",
        "you, at a start, once a day",
        90,
    ),
    "decided_elsewhere": (
        "A decision you recorded in a terminal.",
        "Claude, with the next prompt",
        450,
    ),
    "cycle_start": ("Starts a dev cycle by its command; no text.", "nobody", 0),
    "queued_pack": ("Texts you sent to a session.", "Claude, each once", 9500),
    "over_budget": ("Hooks have used up their time.", "you, once per session", 100),
    "pressure_warning": ("Little room is left, and what to do.", "both, once per level", 160),
    "dropped_by_summary": ("What the summary left out.", "Claude, once per compaction", 2400),
    "related_sessions": (
        "Past sessions about the same work.",
        "Claude, at startup, first prompt",
        400,
    ),
    "stage_gate": (
        "The next stage, or that the room is gone.",
        "Claude or you, end of a turn",
        160,
    ),
    "compound_reminder": ("Entries not saved as learnings.", "you, once per condition", 80),
    "workflow_check": ("A workflow ran without its check.", "you, once per workflow", 50),
    "summary_guidance": ("What the summary should hold.", "the summary, before it", 250),
}
STORY = """a 09:00 start startup
a 09:01 prompt round the prices
a 09:01 decide Prices are decimals
a 09:01 note rounding is half up
a 09:01 tool Edit cart.py
a 09:02 stop
a 09:03 prompt go on
a 09:03 stop
a 09:04 unit started
a 09:05 reading 155000
a 09:05 tool Bash pytest
a 09:06 stage started sprint
a 09:06 reading 30000
a 09:06 stage finished sprint
a 09:07 prompt next
a 09:07 reading 31000
a 09:07 stop
a 09:08 queued a see what was found before
a 09:09 prompt look
a 09:10 compact auto
a 09:10 start compact
a 09:11 end
b 09:30 start startup
b 09:31 prompt hello"""


def examples() -> dict[str, dict[str, str]]:
    """Return what each message says first in the story, by recipient."""
    fold = Fold(HOOK_PROJECTIONS)
    found: dict[str, dict[str, str]] = {}
    for seq, line in timeline(STORY):
        fold.feed([(seq, line)])
        event = decode(line, kind_of(line))
        if isinstance(event, Unknown):
            continue
        for item in explain(Views(**fold.states), event, DEFAULTS):
            if item.answer is not None and item.answer.texts:
                found.setdefault(item.message, item.answer.texts)
    return found


def page() -> str:
    """Return the page."""
    parts = [HEAD]
    said = examples()
    assert set(ROWS) == set(MESSAGES)
    for number, name in enumerate(MESSAGES, 1):
        purpose, when, budget = ROWS[name]
        parts.append(
            f"## {number}. {name.replace('_', ' ')}\n\n{purpose} To {when}; at most {budget:,} tokens.\n"
        )
        for recipient, text in said.get(name, {}).items():
            assert estimate_tokens(text) <= budget, (name, estimate_tokens(text))
            parts.append(f"{recipient}:\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    sys.stdout.write(page())
