"""What is kept of a session while it runs, and its state in the recovery view (`Trail`)."""

from msgspec import Struct


class Failure(Struct, frozen=True, omit_defaults=True):
    """A tool call that failed.

    repaired: seq of the later success of the same call, 0 for none. files: names of the files that
    were changed in between, newest last. cwd: the directory it was called in, if not the project's.
    """

    seq: int = 0
    tool: str = ""
    target: str = ""
    error: str = ""
    repaired: int = 0
    files: list[str] = []
    cwd: str = ""


class TimedText(Struct, frozen=True, array_like=True):
    """A prompt or a decision, and its time."""

    at: str
    text: str


class UserChoice(Struct, frozen=True, omit_defaults=True):
    """The user's answer to a question of Claude. options: all of them, [] if Claude gave none."""

    question: str
    answer: str
    options: list[str] = []


class ApprovedPlan(Struct, frozen=True, omit_defaults=True):
    """A plan that the user approved."""

    title: str
    steps: list[str] = []


class KnownFacts(Struct, frozen=True, omit_defaults=True):
    """Facts of a session, newest first. paths: changed files. items: open ones."""

    paths: list[str] = []
    decisions: list[str] = []
    items: list[str] = []


class Gathered(Struct, frozen=True, omit_defaults=True):
    """Facts collected from a session's tool calls and answers. All lists are newest last.

    ran: successful commands that did more than read, as typed, each once. messages:
    beginnings of the last answers. plan: the last approved one; plan_file: path of its file, or "".
    tests: result of the last test run ("passed", "failed" or ""); edited: names of files changed
    since one that passed. reports: beginnings of the last answers of subagents.
    """

    failures: list[Failure] = []
    ran: list[str] = []
    messages: list[str] = []
    choices: list[UserChoice] = []
    plan: ApprovedPlan | None = None
    plan_file: str = ""
    tests: str = ""
    edited: list[str] = []
    reports: list[str] = []


class RefusedCall(Struct, frozen=True, omit_defaults=True):
    """A tool call that the user refused: its tool, its command or path, the short reason or ""."""

    tool: str = ""
    target: str = ""
    reason: str = ""


def refused_call(text: str) -> RefusedCall:
    """Parse a refused call as `CompactGathered` has it: "Bash git push", the reason below."""
    called, _, reason = text.partition("\n")
    tool, _, target = called.partition(" ")
    return RefusedCall(tool, target, reason)


class SessionFacts(Struct, frozen=True, omit_defaults=True):
    """The facts of a session at a compaction, or those of them that its summary left out.

    said: what the user asked and demanded, in their words, oldest first. refused: what they
    refused or corrected; more: their other sentences. calls: those they refused. failures, choices,
    plan, plan_file, tests, edited: as in `Gathered`.
    commands, ids, reasons (what follows from what), numbers (clauses that count or measure): newest
    last. read: files that were only read, newest first. gone: changed files that do not exist any
    more, newest first.
    """

    said: list[str] = []
    refused: list[str] = []
    calls: list[RefusedCall] = []
    more: list[str] = []
    failures: list[Failure] = []
    commands: list[str] = []
    ids: list[str] = []
    choices: list[UserChoice] = []
    plan: ApprovedPlan | None = None
    plan_file: str = ""
    reasons: list[str] = []
    numbers: list[str] = []
    read: list[str] = []
    tests: str = ""
    edited: list[str] = []
    gone: list[str] = []


class LastCompaction(Struct, frozen=True, omit_defaults=True):
    """The last compaction of a session.

    seq: of its start. unpromoted, promoted, headings, items: the work log's and the checklist's
    state at its start. summary: its beginning. restarted, summed: which of its two proofs exist,
    the session's new start and the summary. done: whether any exists. told: whether the recovery
    was injected. files, decisions: those known at its start. lost: what the summary left out, None
    for nothing. checked: whether Claude got that back. facts: all other facts that the summary left
    out. request: whether the summary has the last request.
    """

    seq: int = 0
    at: str = ""
    trigger: str = ""
    tokens: int | None = None
    unpromoted: int | None = None
    promoted: bool | None = None
    headings: list[str] = []
    instructions: str = ""
    summary: str = ""
    summary_size: int = 0
    done: bool = False
    told: bool = False
    restarted: bool = False
    summed: bool = False
    checked: bool = False
    files: list[str] = []
    decisions: list[str] = []
    items: list[str] = []
    lost: KnownFacts | None = None
    facts: SessionFacts = SessionFacts()
    request: bool = False


class Trail(Struct, frozen=True, omit_defaults=True):
    """What one session was doing.

    prompts: requests, newest first, see `with_request`. files: changed ones, newest first. read:
    files that were only read, newest first. gathered: facts from calls and answers. decisions:
    newest first. undelivered: those made in a terminal and not injected yet. compaction: the last
    one. compactions: number of finished ones. attempts: number of started
    ones. checkpoint: id of the last save point ("cp-SEQ"). checkpoint_summary, checkpoint_at: text
    and time of the last one that the user asked for. summary_seq: event with the last compaction's
    summary.
    """

    prompts: list[TimedText] = []
    files: list[str] = []
    read: list[str] = []
    gathered: Gathered = Gathered()
    decisions: list[TimedText] = []
    undelivered: list[TimedText] = []
    compaction: LastCompaction | None = None
    compactions: int = 0
    attempts: int = 0
    checkpoint: str = ""
    checkpoint_summary: str = ""
    checkpoint_at: str = ""
    summary_seq: int = 0
    ended: bool = False

    @property
    def message(self) -> str:
        """Return the beginning of the last answer."""
        return self.gathered.messages[-1] if self.gathered.messages else ""
