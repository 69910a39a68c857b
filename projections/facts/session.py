"""Facts gathered while a session goes on, and the form of what it knew at a compaction.

Hook views and digests gather by the same steps. Invariant: pure and bounded; gathering one tool
call costs no more than a look at what is open. `facts.compaction` takes the texts apart.
"""

from msgspec import Struct
from msgspec.structs import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from journal.events.tool import ToolFailed, ToolFinished

__all__ = [
    "LOOKING",
    "Facts",
    "Failure",
    "Gathered",
    "after_end",
    "answered",
    "took_place",
    "went_wrong",
    "with_request",
]

FAILURES, TARGET, ERROR = 20, 200, 400
_NAMES = 4  # files changed between a failure and its repair
_RAN = 40
_CHOICES = 12
MESSAGES, MESSAGE = 6, 400
_REQUESTS = 8
_FIRST = 4  # of them that stay however many follow: they set the goal
# Commands that only look, by their first words: they would push out those that do something.
LOOKING = (
    "grep ", "egrep ", "rg ", "cat ", "sed -n", "ls", "head ", "tail ", "find ", "fd ", "wc ",
    "echo ", "pwd", "which ", "type ", "cd ", "less ", "tree", "file ", "stat ", "sleep ", "ps ",
    "git log", "git diff", "git status", "git show", "git branch", "git blame", "dir ", "awk ",
    "jq ", "du ", "df ", "env", "date", "printf ", "test ", "[ ", "for ", "while ", "if ", "kill ",
    "get-content", "get-childitem", "nl ", "xxd ", "diff ", "#",
)  # fmt: skip


class Failure(Struct, frozen=True, omit_defaults=True):
    """A call that failed. repaired: seq of the later success of the same call, 0 for none.

    files: names of the files that were changed before that, newest last.
    """

    seq: int = 0
    tool: str = ""
    target: str = ""
    error: str = ""
    repaired: int = 0
    files: list[str] = []


class Gathered(Struct, frozen=True, omit_defaults=True):
    """What a session's calls left behind; newest last.

    ran: commands that ended well and did not only look, as typed, with how often; messages: heads
    of the last answers; choices: [question, answer, options…]; plan: title and steps of the last
    approved plan; tests: how the last test run went.
    """

    failures: list[Failure] = []
    ran: dict[str, int] = {}
    messages: list[str] = []
    choices: list[list[str]] = []
    plan: list[str] = []
    tests: str = ""


class Facts(Struct, frozen=True, omit_defaults=True):
    """What a session knew when it was compacted, by class, or what of it a summary does not say.

    said: what the person asked and demanded, in their words, oldest first; refused: what they
    refused or corrected; failures, choices, plan as gathered; commands, ids, reasons (why
    something is so or was chosen) and numbers with their nouns newest last; read: files that were
    only read, newest first; tests: how the last run went.
    """

    said: list[str] = []
    refused: list[str] = []
    failures: list[Failure] = []
    commands: list[str] = []
    ids: list[str] = []
    choices: list[list[str]] = []
    plan: list[str] = []
    reasons: list[str] = []
    numbers: list[str] = []
    read: list[str] = []
    tests: str = ""


# -- gathering -----------------------------------------------------------------------------------


def with_request(prompts: list[list[str]], ts: str, text: str) -> list[list[str]]:
    """Add a request to [time, text], newest first: those that say what is wanted stay.

    "go on" and "yes" leave before one that does; the first of all set the goal, and stay.
    """
    prompts = [[ts, text], *prompts]
    if len(prompts) > 3:
        from projections.prose import is_telling

        for at in range(1, len(prompts)):
            if not is_telling(prompts[at][1]):
                del prompts[at]
                return prompts
        if len(prompts) > _REQUESTS:
            del prompts[-_FIRST - 1]
    return prompts


def took_place(gathered: Gathered, events: "Sequence[ToolFinished]") -> Gathered:
    """Gather calls in a row that ended well; the very same object where they add nothing.

    Most add nothing or a command: those of a row share one copy of `ran`.
    """
    ran: dict[str, int] | None = None
    for event in events:
        if event.tool == "Bash" and not event.agent and event.tests != "failed":
            typed = event.target
            typed = typed.partition("&& ")[2] if typed.startswith("cd ") else typed
            if typed and not typed.startswith(LOOKING):
                ran = _with_command(dict(gathered.ran) if ran is None else ran, typed)
        if event.tests or event.choices or event.plan or gathered.failures:
            gathered = _told_more(gathered, event)
    return gathered if ran is None else replace(gathered, ran=ran)


def _told_more(gathered: Gathered, event: "ToolFinished") -> Gathered:
    """Gather what a call says beside its command: tests, repairs, choices, a plan."""
    changes: dict[str, object] = {}
    if event.tests and event.tests != gathered.tests:
        changes["tests"] = event.tests
    if event.tests == "failed":
        changes["failures"] = _failed(gathered, event, event.error or "tests failed")
    elif gathered.failures:
        failures = _followed(gathered.failures, event)
        if failures is not gathered.failures:
            changes["failures"] = failures
    if event.choices:
        changes["choices"] = [*gathered.choices, *event.choices][-_CHOICES:]
    if event.plan:
        changes["plan"] = event.plan
    return replace(gathered, **changes) if changes else gathered


def went_wrong(gathered: Gathered, event: "ToolFailed") -> Gathered:
    """Gather a call that failed."""
    tests = event.tests or gathered.tests
    if event.interrupted:
        return replace(gathered, tests=tests) if tests != gathered.tests else gathered
    return replace(gathered, tests=tests, failures=_failed(gathered, event, event.error))


def answered(gathered: Gathered, message: str) -> Gathered:
    """Gather the head of an answer."""
    message = _clip(message.strip(), MESSAGE)
    if not message or gathered.messages[-1:] == [message]:
        return gathered
    return replace(gathered, messages=[*gathered.messages, message][-MESSAGES:])


def after_end(gathered: Gathered) -> Gathered:
    """Return what stays of an ended session, which may be resumed: its newest facts."""
    ran = dict(list(gathered.ran.items())[-_RAN // 4 :])
    return replace(
        gathered,
        failures=gathered.failures[-4:],
        ran=ran,
        messages=gathered.messages[-3:],
        choices=gathered.choices[-4:],
    )


def _with_command(ran: dict[str, int], typed: str) -> dict[str, int]:
    """Make a command the newest of `ran`, the caller's own copy."""
    count = ran.pop(typed, 0)
    if len(ran) >= _RAN:
        del ran[next(iter(ran))]
    ran[typed] = count + 1
    return ran


def _failed(gathered: Gathered, event: "ToolFinished | ToolFailed", error: str) -> list[Failure]:
    error = error.strip()
    failure = Failure(
        seq=event.seq,
        tool=event.tool,
        target=_clip(event.target, TARGET),
        error=_clip(error, ERROR),
    )
    return [*gathered.failures, failure][-FAILURES:]


def _followed(failures: list[Failure], event: "ToolFinished") -> list[Failure]:
    """Mark the failures a call repairs, and name the files it changes beside the open ones."""
    if all(old.repaired for old in failures) or not event.target:
        return failures
    target = _clip(event.target, TARGET)
    if event.changed:
        name = target.rpartition("/")[2]
        return [
            old
            if old.repaired or old.files[-1:] == [name]
            else replace(old, files=[*(one for one in old.files if one != name), name][-_NAMES:])
            for old in failures
        ]
    found = [
        not old.repaired and old.tool == event.tool and _is_same(old.target, target, event.tool)
        for old in failures
    ]
    if True not in found:
        return failures
    return [
        replace(old, repaired=event.seq) if same else old
        for old, same in zip(failures, found, strict=True)
    ]


def _is_same(failed: str, passed: str, tool: str) -> bool:
    """Return whether a call repeats a failed one; a command may be piped or extended."""
    if failed == passed:
        return True
    if tool != "Bash" or (failed[:3] != passed[:3] and " && " not in failed + passed):
        return False
    from projections.facts.text import command_core

    one, two = command_core(failed), command_core(passed)
    return one == two or (len(one) > 12 and two.startswith(one[:40]))


def _clip(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
