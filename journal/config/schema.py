"""Every key of the configuration, as one table.

What may be set, its default, its limits and what a project's file may do to it stand here and
nowhere else: the loader, the manual and the tests are all made from this table.
Invariant: each default satisfies its own row and every row of ORDERED.

The project's file comes with a cloned repository and is not trusted. Its rule per key:

- free        it may set any valid value;
- only_off    it may turn true into false, never back;
- only_lower  it may lower what the person has: a number, or a word earlier in the list;
- only_raise  it may raise it;
- never       it has no say.
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
        "Fraction of the compaction point at which Claude and the person are first told.",
    ),
    (
        "pressure.urgent", "number", 0.90, (0.01, 1.0), "free",
        "Fraction of the compaction point at which they are told again; above `pressure.info`.",
    ),
    (
        "pressure.stale_after", "count", 300, (10, 86_400), "free",
        "Seconds of session activity after which a reading counts as unknown.",
    ),
    (
        "pressure.advice", "switch", True, (), "only_off",
        "Say it when pressure crosses a level.",
    ),
    (
        "pressure.compaction_point", "count", 0, (10_000, 10_000_000, 0), "free",
        "Tokens at which the client compacts by itself; 0: computed from model and settings.",
    ),
    (
        "compound.suggest", "switch", True, (), "only_off",
        "Suggest at the end of a turn to promote the work log.",
    ),
    (
        "compound.phases", "names", ("implement", "debug", "review"), (32,), "free",
        "Skills or commands whose end is the end of a phase.",
    ),
    (
        "compound.many_unverified", "count", 5, (1, 1_000), "free",
        "Unverified learnings from which on the suggestion mentions them.",
    ),
    (
        "compound.checks", "names", ("design:understanding-check",), (16,), "free",
        "workflow:check pairs: once the first was used, its unused check is mentioned.",
    ),
    (
        "compound.trim", "switch", True, (), "only_off",
        "Trim `.claude/context/progress.md` before a compaction; what leaves it is journalled.",
    ),
    (
        "compound.keep_entries", "count", 10, (1, 1_000), "only_raise",
        "Entries, newest by date, that trimming leaves in `progress.md`.",
    ),
    (
        "recovery.enabled", "switch", True, (), "only_off",
        "Tell Claude after a compaction what it was doing.",
    ),
    (
        "recovery.max_chars", "count", 9_600, (2_000, 9_600), "only_lower",
        "Characters of that text at most.",
    ),
    (
        "start.announce", "switch", True, (), "only_off",
        "List at the start of a session what there is: counts, unfinished work.",
    ),
    (
        "precompact.guidance", "switch", True, (), "only_off",
        "Ask before a compaction that the summary keep the state's key facts.",
    ),
    (
        "capture.level", "word", "full", ("off", "minimal", "full"), "only_lower",
        "full: heads of prompts, commands; minimal: sizes, outcomes, no text; off: nothing.",
    ),
    (
        "capture.prompts", "switch", True, (), "only_off",
        "Keep the first 500 characters of prompts (at level full).",
    ),
    (
        "stage.gate", "word", "advise", ("off", "advise", "block"), "only_lower",
        "At the end of a turn, ask for the next stage: not at all, with a note, by a block.",
    ),
    (
        "stage.thresholds.sprint", "count", 50, (0, 10_000_000), "free",
        "Context that must remain to go on to audit: up to 100 in percent, above that in tokens.",
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
        "Times in a row the gate may continue a turn (the client stops at 8).",
    ),
    (
        "related.enabled", "switch", True, (), "only_off",
        "Offer related past sessions at the start of a session.",
    ),
    (
        "related.max_chars", "count", 1_200, (200, 9_600), "only_lower",
        "Characters of that offer at most.",
    ),
    (
        "related.prompts", "switch", True, (), "only_off",
        "Let the first prompt of a session add a better match, once.",
    ),
    (
        "summary.auto", "switch", True, (), "only_off",
        "Summarise finished sessions in the background when a session starts.",
    ),
    (
        "summary.engine", "word", "extractive", ("extractive", "claude"), "never",
        "extractive: offline, no tokens; claude: through the extra `claude`, at its price.",
    ),
    (
        "summary.max_tokens", "count", 20_000, (1_000, 1_000_000), "never",
        "Tokens that the engine `claude` may use for one run of summaries.",
    ),
    (
        "search.model", "word", "all-MiniLM-L6-v2",
        ("all-MiniLM-L6-v2", "paraphrase-multilingual-MiniLM-L12-v2"), "never",
        "Model of the extra `semantic`: for English, or for many languages.",
    ),
    (
        "serve.port", "count", 3_048, (1_024, 65_535), "never",
        "Port on 127.0.0.1 of `journal serve`.",
    ),
    (
        "transcripts.backup", "switch", False, (), "never",
        "Keep a compressed, redacted copy of the transcript before each compaction.",
    ),
    (
        "transcripts.keep_days", "count", 30, (1, 3_650), "never",
        "Days such a copy is kept.",
    ),
    (
        "append.sync", "word", "barrier", ("none", "barrier", "always"), "never",
        "When an append waits for the disk: never, at barrier events, at each event.",
    ),
    (
        "statusline.show", "switch", True, (), "only_off",
        "Print the journal's status line (readings are taken either way).",
    ),
)  # fmt: skip

# Pairs of numbers of which the first must stay below the second.
ORDERED: tuple[tuple[str, str], ...] = (("pressure.info", "pressure.urgent"),)

ROWS: dict[str, Row] = {row[0]: row for row in SCHEMA}

# Only values that cannot be changed in place: a shallow copy is a copy.
DEFAULTS: dict[str, Any] = {row[0]: row[2] for row in SCHEMA}
