"""The table of settings: default, allowed values, rule for project files, meaning.

Loading, `journal config`, the documentation and the tests use this table. Invariant: the defaults
are allowed values and satisfy ORDERED.

A project's file may come with a cloned repository, so it is not trusted. Its rule per setting:

- free        it may set any valid value;
- only_off    it may turn true into false, never back;
- only_lower  it may lower the user's value: a number, or a word earlier in the list;
- only_raise  it may raise it;
- never       it may not set it.
"""

from __future__ import annotations

from journal.config.kinds import Kind, Name, Names, Number, Switch, Word, described

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Rule → text of the problem if a project's file breaks it.
RULES = {
    "free": "",
    "only_off": "can be switched off by a project, not on",
    "only_lower": "can be lowered by a project, not raised",
    "only_raise": "can be raised by a project, not lowered",
    "never": "cannot be set by a project",
}


class Setting:
    """One row of the table. kind: the allowed values. rule: a key of RULES. text: its meaning."""

    def __init__(self, key: str, default: Any, kind: Kind, rule: str, text: str) -> None:
        self.key = key
        self.default = default
        self.kind = kind
        self.rule = rule
        self.text = text

    def wrong(self, value: object) -> str:
        """Return the text of the problem with a value that is not accepted."""
        return f"{self.key} takes {self.kind}, not {described(value)}"

    def is_widened(self, current: object, value: object) -> bool:
        """Return whether a project's value breaks the rule. current: the user's value."""
        if self.rule in ("free", "never"):
            return self.rule == "never"
        was, now = self._rank(current), self._rank(value)
        return now < was if self.rule == "only_raise" else now > was

    def _rank(self, value: Any) -> float:
        return float(self.kind.words.index(value) if isinstance(self.kind, Word) else value)


_TABLE: tuple[Setting, ...] = (
    Setting("pressure.info", 0.72, Number(0.01, 1.0), "free",
        "Fraction of the compaction threshold at which Claude and you get the first warning."),
    Setting("pressure.urgent", 0.90, Number(0.01, 1.0), "free",
        "Fraction at which Claude and you get the second warning; must be above `pressure.info`."),
    Setting("pressure.stale_after", 300, Number(10, 86_400), "free",
        "Seconds of session activity after which a reading counts as unknown."),
    Setting("pressure.advice", True, Switch(), "only_off",
        "Warn when pressure crosses a level."),
    Setting("pressure.compaction_point", 0, Number(10_000, 10_000_000, 0), "free",
        "Tokens at which Claude Code compacts by itself; 0: the journal computes them."),
    Setting("compound.suggest", True, Switch(), "only_off",
        "Suggest at the end of a turn to save entries of the work log as learnings."),
    Setting("compound.phases", ("implement", "debug", "review"), Names(32), "free",
        "Skills or commands that end a phase when they finish."),
    Setting("compound.many_unverified", 5, Number(1, 1_000), "free",
        "The suggestion mentions unverified learnings if there are at least this many."),
    Setting("compound.checks", ("design:understanding-check",), Names(16), "free",
        "Pairs workflow:check: a session that used a workflow without its check gets a message."),
    Setting("compound.trim", True, Switch(), "only_off",
        "Move old entries of `.claude/context/progress.md` to the journal before a compaction."),
    Setting("compound.keep_entries", 10, Number(1, 1_000), "only_raise",
        "Number of newest entries that trimming leaves in `progress.md`."),
    Setting("recovery.enabled", True, Switch(), "only_off",
        "After a compaction, give Claude back what the summary left out."),
    Setting("recovery.max_chars", 9_600, Number(2_000, 9_600), "only_lower",
        "Maximum characters of that text."),
    Setting("recovery.transcript", True, Switch(), "only_off",
        "Before a compaction, read reasons, refusals and names from the end of the transcript."),
    Setting("start.announce", True, Switch(), "only_off",
        "Show counts and unfinished work when a session starts."),
    Setting("messages.language", "auto", Word("auto", "en", "ja", "ko"), "free",
        "Language of the messages; auto: the language of your prompts."),
    Setting("precompact.guidance", False, Switch(), "only_off",
        "Before a compaction, ask Claude Code to include the key facts in its summary."),
    Setting("capture.level", "full", Word("off", "minimal", "full"), "only_lower",
        "Record with text (full), only sizes and outcomes (minimal), or nothing (off)."),
    Setting("capture.warm", True, Switch(), "only_off",
        "Record frequent events through a process that keeps running beside Claude Code."),
    Setting("capture.prompts", True, Switch(), "only_off",
        "Record the first 500 and the last 200 characters of each prompt (at level full)."),
    Setting("capture.budget", 300, Number(0, 1_000_000), "never",
        "Seconds of processor time that hooks may take in one session. Past it tool calls are "
        "recorded in short form; 0: no budget."),
    Setting("screen.status", True, Switch(), "only_off",
        "Show pressure, stage and unsaved entries below the prompt of Claude Code."),
    Setting("screen.row", True, Switch(), "only_off",
        "Show a pressure warning above the prompt until you have acted on it."),
    Setting("screen.compact", True, Switch(), "only_off",
        "Offer above the prompt to compact now when a phase has ended and the context is past the "
        "info level."),
    Setting("screen.toast", True, Switch(), "only_off",
        "Show the journal's messages as toasts in a terminal instead of as lines of the hook."),
    Setting("screen.pane", True, Switch(), "only_off",
        "Let /journal:pane open a side pane."),
    Setting("stage.gate", "advise", Word("off", "advise", "block"), "only_lower",
        "Ask for the next stage at the end of a turn: never, with a note, or by blocking the "
        "stop."),
    Setting("stage.thresholds.sprint", 50, Number(0, 10_000_000), "free",
        "Context left that audit requires, after sprint: percent up to 100, tokens above."),
    Setting("stage.thresholds.audit", 30, Number(0, 10_000_000), "free",
        "The same for ship, after audit."),
    Setting("stage.thresholds.ship", 15, Number(0, 10_000_000), "free",
        "The same for the retrospective, after ship."),
    Setting("stage.thresholds_long.sprint", -1, Number(0, 10_000_000, -1), "free",
        "The same for windows above 200,000 tokens; -1: as `stage.thresholds`."),
    Setting("stage.thresholds_long.audit", -1, Number(0, 10_000_000, -1), "free",
        "The same for ship, after audit."),
    Setting("stage.thresholds_long.ship", -1, Number(0, 10_000_000, -1), "free",
        "The same for the retrospective, after ship."),
    Setting("stage.max_continuations", 3, Number(1, 7), "only_lower",
        "Times in a row that the gate may continue a turn (Claude Code stops at 8)."),
    Setting("related.enabled", True, Switch(), "only_off",
        "Offer related past sessions when a session starts."),
    Setting("related.max_chars", 1_200, Number(200, 9_600), "only_lower",
        "Maximum characters of that offer."),
    Setting("related.prompts", True, Switch(), "only_off",
        "With the first prompt, offer sessions that match it better, once."),
    Setting("summary.auto", True, Switch(), "only_off",
        "Summarize ended sessions in the background when a session starts."),
    Setting("summary.engine", "extractive", Word("extractive", "claude"), "never",
        "extractive: offline, no tokens; claude: the extra `claude`, which costs tokens."),
    Setting("summary.max_tokens", 20_000, Number(1_000, 1_000_000), "never",
        "Maximum tokens of the engine `claude` for one run of summaries."),
    Setting("search.model", "all-MiniLM-L6-v2",
        Word("all-MiniLM-L6-v2", "paraphrase-multilingual-MiniLM-L12-v2"), "never",
        "Model of the extra `semantic`: English, or many languages."),
    Setting("serve.port", 3_048, Number(1_024, 65_535), "never",
        "Port on 127.0.0.1 of `journal serve`."),
    Setting("import.auto", True, Switch(), "only_off",
        "Import new transcripts of a project: when a command needs them, and in the background."),
    Setting("import.text_mib", 64, Number(0, 100_000), "never",
        "Maximum MiB of stored conversations per project, compressed; 0: none are stored."),
    Setting("transcripts.backup", False, Switch(), "never",
        "Store a compressed, redacted copy of the transcript before each compaction."),
    Setting("transcripts.keep_days", 30, Number(1, 3_650), "never",
        "Days after which such a copy is deleted."),
    Setting("gc.observations_days", 0, Number(7, 36_500, 0), "never",
        "Age in days from which `journal gc --yes` (only you run it) empties records of tool calls;"
        " 0: never."),
    Setting("gc.prompts_days", 0, Number(7, 36_500, 0), "never",
        "The same for the texts of prompts and of last messages; 0: never."),
    Setting("gc.conversations_days", 0, Number(7, 36_500, 0), "never",
        "The same for stored conversations and copies of transcripts; 0: never."),
    Setting("gc.quarantine_days", 0, Number(7, 36_500, 0), "never",
        "The same for damaged segments in quarantine; 0: never."),
    Setting("append.sync", "barrier", Word("none", "barrier", "always"), "never",
        "When an append waits for the disk: never, at important events, at each event."),
    Setting("export.person", "", Name(), "never",
        "Your name in the column `person` of exports; default: a random id of this journal home."),
    Setting("statusline.show", True, Switch(), "only_off",
        "Print the journal's status line; it records readings even if this is off."),
    Setting("statusline.cost", False, Switch(), "only_off",
        "Show the cost of today and of the current five hours, from Claude Code's figures."),
)  # fmt: skip

SETTINGS = {setting.key: setting for setting in _TABLE}

# Pairs of settings; the first must be less than the second.
ORDERED: tuple[tuple[str, str], ...] = (("pressure.info", "pressure.urgent"),)

# All values are immutable, so a shallow copy is enough.
DEFAULTS: dict[str, Any] = {setting.key: setting.default for setting in _TABLE}
