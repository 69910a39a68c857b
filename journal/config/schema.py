"""Every key of the configuration, as one table.

Defaults, limits and what a project's file may change are only here: the loader, the manual and the
tests use this table.
Invariant: each default satisfies its own row and every row of ORDERED.

The project's file comes with a cloned repository and is not trusted. Its rule per key:

- free        it may set any valid value;
- only_off    it may turn true into false, never back;
- only_lower  it may lower the person's value: a number, or a word earlier in the list;
- only_raise  it may raise it;
- never       it may not set it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Row = tuple[str, str, Any, tuple[Any, ...], str, str]

__all__ = ["DEFAULTS", "HOME_FILE", "ORDERED", "PROJECT_FILE", "ROWS", "RULES", "SCHEMA"]

HOME_FILE = "config.toml"  # in the journal home
PROJECT_FILE = ".claude/journal.toml"  # in the project's root

RULES = ("free", "only_off", "only_lower", "only_raise", "never")

# key, kind, default, limits, project rule, help.
# kind    limits
# switch  none
# number  lowest, highest (a float; whole numbers are accepted)
# count   lowest, highest, further single values
# word    the allowed words, from least to most
# names   how many at most; each name is 1 to 64 of A-Z a-z 0-9 _ : . / -, a leading / dropped
SCHEMA: tuple[Row, ...] = (
    (
        "pressure.info", "number", 0.72, (0.01, 1.0), "free",
        "Fraction of the compaction threshold at which Claude and you get the first warning.",
    ),
    (
        "pressure.urgent", "number", 0.90, (0.01, 1.0), "free",
        "Fraction of it at which Claude and you get the second warning; above `pressure.info`.",
    ),
    (
        "pressure.stale_after", "count", 300, (10, 86_400), "free",
        "Seconds of session activity after which a reading counts as unknown.",
    ),
    (
        "pressure.advice", "switch", True, (), "only_off",
        "Warn when pressure crosses a level.",
    ),
    (
        "pressure.compaction_point", "count", 0, (10_000, 10_000_000, 0), "free",
        "Tokens at which Claude Code compacts by itself; 0: computed from model and settings.",
    ),
    (
        "compound.suggest", "switch", True, (), "only_off",
        "Suggest at the end of a turn to save entries of the work log as learnings.",
    ),
    (
        "compound.phases", "names", ("implement", "debug", "review"), (32,), "free",
        "Skills or commands that end a phase when they end.",
    ),
    (
        "compound.many_unverified", "count", 5, (1, 1_000), "free",
        "Number of unverified learnings from which the suggestion mentions them.",
    ),
    (
        "compound.checks", "names", ("design:understanding-check",), (16,), "free",
        "workflow:check pairs: mention the check if a session used only the workflow.",
    ),
    (
        "compound.trim", "switch", True, (), "only_off",
        "Move old entries of `.claude/context/progress.md` to the journal before a compaction.",
    ),
    (
        "compound.keep_entries", "count", 10, (1, 1_000), "only_raise",
        "Number of newest entries that trimming leaves in `progress.md`.",
    ),
    (
        "recovery.enabled", "switch", True, (), "only_off",
        "Give Claude back after a compaction what it was working on.",
    ),
    (
        "recovery.max_chars", "count", 9_600, (2_000, 9_600), "only_lower",
        "Maximum characters of that text.",
    ),
    (
        "start.announce", "switch", True, (), "only_off",
        "Show counts and unfinished work when a session starts.",
    ),
    (
        "precompact.guidance", "switch", True, (), "only_off",
        "Ask Claude Code before a compaction to include the key facts in its summary.",
    ),
    (
        "capture.level", "word", "full", ("off", "minimal", "full"), "only_lower",
        "Record with text (full), only sizes and outcomes (minimal), or nothing (off).",
    ),
    (
        "capture.prompts", "switch", True, (), "only_off",
        "Record the first 500 characters of each prompt (at level full).",
    ),
    (
        "stage.gate", "word", "advise", ("off", "advise", "block"), "only_lower",
        "Ask for the next stage at the end of a turn: never, with a note, or by blocking the stop.",
    ),
    (
        "stage.thresholds.sprint", "count", 50, (0, 10_000_000), "free",
        "Context that must remain to go on to audit: percent up to 100, tokens above.",
    ),
    (
        "stage.thresholds.audit", "count", 30, (0, 10_000_000), "free",
        "The same to go on to ship.",
    ),
    (
        "stage.thresholds.ship", "count", 15, (0, 10_000_000), "free",
        "The same to go on to the retrospective.",
    ),
    (
        "stage.thresholds_long.sprint", "count", -1, (0, 10_000_000, -1), "free",
        "The same for windows above 200,000 tokens; -1: as `stage.thresholds`.",
    ),
    (
        "stage.thresholds_long.audit", "count", -1, (0, 10_000_000, -1), "free",
        "The same to go on to ship.",
    ),
    (
        "stage.thresholds_long.ship", "count", -1, (0, 10_000_000, -1), "free",
        "The same to go on to the retrospective.",
    ),
    (
        "stage.max_continuations", "count", 3, (1, 7), "only_lower",
        "Times in a row that the gate may continue a turn (Claude Code stops at 8).",
    ),
    (
        "related.enabled", "switch", True, (), "only_off",
        "Offer related past sessions when a session starts.",
    ),
    (
        "related.max_chars", "count", 1_200, (200, 9_600), "only_lower",
        "Maximum characters of that offer.",
    ),
    (
        "related.prompts", "switch", True, (), "only_off",
        "Offer a better match once, after the first prompt of a session.",
    ),
    (
        "summary.auto", "switch", True, (), "only_off",
        "Summarize ended sessions in the background when a session starts.",
    ),
    (
        "summary.engine", "word", "extractive", ("extractive", "claude"), "never",
        "extractive: offline, no tokens; claude: the extra `claude`, which costs tokens.",
    ),
    (
        "summary.max_tokens", "count", 20_000, (1_000, 1_000_000), "never",
        "Maximum tokens of the engine `claude` for one run of summaries.",
    ),
    (
        "search.model", "word", "all-MiniLM-L6-v2",
        ("all-MiniLM-L6-v2", "paraphrase-multilingual-MiniLM-L12-v2"), "never",
        "Model of the extra `semantic`: English, or many languages.",
    ),
    (
        "serve.port", "count", 3_048, (1_024, 65_535), "never",
        "Port on 127.0.0.1 of `journal serve`.",
    ),
    (
        "transcripts.backup", "switch", False, (), "never",
        "Store a compressed, redacted copy of the transcript before each compaction.",
    ),
    (
        "transcripts.keep_days", "count", 30, (1, 3_650), "never",
        "Days until such a copy is deleted.",
    ),
    (
        "append.sync", "word", "barrier", ("none", "barrier", "always"), "never",
        "When an append waits for the disk: never, at important events, at each event.",
    ),
    (
        "statusline.show", "switch", True, (), "only_off",
        "Print the journal's status line (it records readings in any case).",
    ),
)  # fmt: skip

# Pairs of numbers of which the first must stay below the second.
ORDERED: tuple[tuple[str, str], ...] = (("pressure.info", "pressure.urgent"),)

ROWS: dict[str, Row] = {row[0]: row for row in SCHEMA}

# Only values that cannot be changed in place: a shallow copy is a copy.
DEFAULTS: dict[str, Any] = {row[0]: row[2] for row in SCHEMA}
