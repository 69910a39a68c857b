"""Collect a session's facts from its prompts, calls and answers.

The recovery view and the digests use the same functions. Pure and bounded. Because a fold calls
them for each tool call, they do not parse texts: `facts.compaction` does, once per compaction.
"""

from functools import lru_cache

from msgspec.structs import replace

from journal.text import excerpt
from projections.facts.session import ApprovedPlan, Failure, Gathered, TimedText, UserChoice
from projections.projection import recent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from journal.events.tool import ToolFailed, ToolFinished

FAILURES, TARGET, ERROR = 20, 200, 400
_NAMES = 4  # files changed between a failure and its repair
_RAN = 40
_STEPS = 3  # commands that a loop may run in turn
_CHOICES = 12
MESSAGES, MESSAGE = 6, 1_200
_ENDED = 400  # characters of an answer of an ended session
_REQUESTS, _RULES = 8, 8
WHOLE = 4  # requests that stay whole at both ends: the first ones set the goal
# Beginnings of commands that only read. They are not collected: they would displace the others.
_READ_ONLY = (
    "grep ", "egrep ", "rg ", "cat ", "sed -n", "ls", "head ", "tail ", "find ", "fd ", "wc ",
    "echo ", "pwd", "which ", "type ", "cd ", "less ", "tree", "file ", "stat ", "sleep ", "ps ",
    "git log", "git diff", "git status", "git show", "git branch", "git blame", "dir ", "awk ",
    "jq ", "du ", "df ", "env", "date", "printf ", "test ", "[ ", "for ", "while ", "if ", "kill ",
    "get-content", "get-childitem", "nl ", "xxd ", "diff ", "#", "git grep", "git cat-file",
    "git ls-", "git rev-", "git remote -v", "git worktree list", "git stash list", "git reflog",
    "git check-ignore", "git merge-base", "git count-objects", "gh pr view", "gh pr diff",
    "gh pr list", "gh pr checks", "gh repo view", "gh issue view", "gh issue list", "gh run view",
    "gh run list",
)  # fmt: skip
_SENDS = (" -X", " -f", " -F", " --method", " --input", " --field", " --raw-field")  # of `gh api`
_ABORTING = ("--abort", "--quit", "--hard", "--merge")  # of git
# Tools whose failure says nothing once their file was changed or read after all.
OF_FILES = ("Edit", "Write", "MultiEdit", "NotebookEdit", "Read")


def only_reads(command: str) -> bool:
    """Return whether a shell command only reads, also if it names its program in /bin by path."""
    if command.startswith("gh api "):
        return not any(map(command.__contains__, _SENDS))
    return command.removeprefix("/usr").removeprefix("/bin/").startswith(_READ_ONLY)


def with_request(prompts: list[TimedText], ts: str, text: str) -> list[TimedText]:
    """Add a request to a list, newest first, and shorten a list that is too long.

    Requests like "go on" are dropped first. The first `WHOLE` requests are never dropped; of those
    between these and the newest, only what they demand is kept.
    """
    prompts = [TimedText(ts, text), *prompts]
    if len(prompts) > 3:
        from projections.demands import demands_of, is_rule, is_terse
        from projections.prose import is_substantial

        for at, said in enumerate(prompt.text for prompt in prompts):
            if at and not (is_substantial(said) or is_rule(said) or is_terse(said)):
                del prompts[at]
                return prompts
        if len(prompts) > _REQUESTS:
            old = prompts.pop(WHOLE)  # those behind it are reduced already
            if demands := old.text if is_terse(old.text) else demands_of(old.text):
                prompts.insert(WHOLE, TimedText(old.at, demands))
            if len(prompts) > 2 * WHOLE + _RULES:  # rather a requirement than a rule
                olds = range(len(prompts) - WHOLE - 1, WHOLE - 1, -1)
                del prompts[next((at for at in olds if not is_rule(prompts[at].text)), olds[0])]
    return prompts


def last_request(prompts: list[TimedText]) -> TimedText:
    """Return the newest request that says what is wanted (not "go on"), else the newest."""
    from projections.prose import is_request, is_substantial

    wanted = (one for one in prompts if is_substantial(one.text) and is_request(one.text))
    return next(wanted, prompts[0])


@lru_cache(maxsize=256)  # a command is compared with the few before it, again and again
def without_digits(text: str) -> bytes:
    """Return a text without its digits, to compare; bytes, because each command is compared."""
    return text.encode("utf-8", "surrogatepass").translate(None, b"0123456789")


def with_calls(gathered: Gathered, events: "Sequence[ToolFinished]") -> Gathered:
    """Add successful calls; return the same object if they add nothing.

    Most calls add nothing or a command, so all calls share one copy of `ran`.
    """
    ran: list[str] | None = None
    for event in events:
        if event.tool == "Bash":
            if event.status:
                continue  # it runs in the background or was interrupted: nobody knows its result
            if not event.agent and event.tests != "failed" and not event.error:
                typed = event.target
                typed = typed.partition("&& ")[2] if typed.startswith("cd ") else typed
                if typed and not only_reads(typed):
                    ran = _with_command(list(gathered.ran) if ran is None else ran, typed)
        is_edit = event.changed and gathered.tests == "passed"
        if (
            event.tests
            or event.error
            or event.choices
            or event.plan
            or gathered.failures
            or is_edit
        ):
            gathered = _with_results(gathered, event)
    return gathered if ran is None else replace(gathered, ran=ran)


def _with_results(gathered: Gathered, event: "ToolFinished") -> Gathered:
    """Add what a call reports besides its command: tests, repairs, choices, a plan."""
    changes: dict[str, object] = {}
    if event.tests and (event.tests != gathered.tests or gathered.edited):
        changes |= {"tests": event.tests, "edited": []}
    name = event.target.rpartition("/")[2]
    if event.changed and gathered.tests == "passed" and gathered.edited[:1] != [name]:
        changes["edited"] = recent(gathered.edited, name, _NAMES)
    if event.tests == "failed" or event.error:
        changes["failures"] = _with_failed(gathered, event, event.error or "tests failed")
    elif gathered.failures:
        failures = _with_repairs(gathered.failures, event)
        if failures is not gathered.failures:
            changes["failures"] = failures
    if event.choices:
        changes["choices"] = with_choices(gathered.choices, event.choices)
    if event.plan:
        title, *steps = event.plan
        changes |= {"plan": ApprovedPlan(title, steps), "plan_file": event.target}
    return replace(gathered, **changes) if changes else gathered


def with_failure(gathered: Gathered, event: "ToolFailed") -> Gathered:
    """Add a call that failed."""
    if event.tests:
        gathered = replace(gathered, tests=event.tests, edited=[])
    if event.interrupted:
        return gathered
    return replace(gathered, failures=_with_failed(gathered, event, event.error))


def with_answer(gathered: Gathered, message: str) -> Gathered:
    """Add the beginning of an answer."""
    message = excerpt(message.strip(), MESSAGE)
    if not message or gathered.messages[-1:] == [message]:
        return gathered
    return replace(gathered, messages=[*gathered.messages, message][-MESSAGES:])


def with_report(gathered: Gathered, message: str) -> Gathered:
    """Add the beginning of a subagent's answer."""
    if not message.strip() or message in gathered.reports:
        return gathered
    return replace(gathered, reports=[*gathered.reports, message][-MESSAGES:])


def after_session_end(gathered: Gathered) -> Gathered:
    """Drop all but the newest facts of an ended session, which may be resumed."""
    return replace(
        gathered,
        failures=gathered.failures[-4:],
        ran=gathered.ran[-_RAN // 4 :],
        messages=[excerpt(message, _ENDED) for message in gathered.messages[-3:]],
        choices=gathered.choices[-4:],
        reports=gathered.reports[-2:],
    )


def with_choices(older: list[UserChoice], rows: "Sequence[list[str]]") -> list[UserChoice]:
    """Return choices, of which a newer one replaces an older answer to the same question.

    rows: the newer ones, as events have them: [question, answer, options…].
    """
    newer = [UserChoice(question, answer, options) for question, answer, *options in rows]
    asked = {choice.question for choice in newer}
    return [*(choice for choice in older if choice.question not in asked), *newer][-_CHOICES:]


def _with_command(ran: list[str], typed: str) -> list[str]:
    """Make a command the newest of `ran`, which is changed in place.

    Steps of a loop differ only in digits; only the newest of them stays.
    """
    if typed in ran:
        ran.remove(typed)
    shape = without_digits(typed)
    ran[-_STEPS:] = [command for command in ran[-_STEPS:] if without_digits(command) != shape]
    if len(ran) >= _RAN:
        del ran[0]
    ran.append(typed)
    return ran


def _with_failed(
    gathered: Gathered, event: "ToolFinished | ToolFailed", error: str
) -> list[Failure]:
    error = error.strip()
    failure = Failure(
        seq=event.seq,
        tool=event.tool,
        target=excerpt(event.target, TARGET),
        error=excerpt(error, ERROR),
        cwd=event.cwd,
    )
    return [*gathered.failures, failure][-FAILURES:]


def _with_repairs(failures: list[Failure], event: "ToolFinished") -> list[Failure]:
    """Mark the failures that a call repairs; add a file that it changes to the open ones."""
    if all(old.repaired for old in failures) or not event.target:
        return failures
    target = excerpt(event.target, TARGET)
    if event.tool == "Bash" and "git " in target:
        failures = _without_given_up(failures, target)
    if event.changed:
        name = target.rpartition("/")[2]
        return [
            replace(old, repaired=event.seq)
            if not old.repaired and old.target == target and old.tool in OF_FILES
            else old
            if old.repaired or old.files[-1:] == [name]
            else replace(old, files=[*(file for file in old.files if file != name), name][-_NAMES:])
            for old in failures
        ]
    found = [
        not old.repaired and old.tool == event.tool and _repeats(old, target, event)
        for old in failures
    ]
    if True not in found:
        return failures
    return [
        replace(old, repaired=event.seq) if same else old
        for old, same in zip(failures, found, strict=True)
    ]


def _without_given_up(failures: list[Failure], command: str) -> list[Failure]:
    """Leave out failures of git whose conflict a command aborts; return the same list for none."""
    if not any(option in command for option in _ABORTING):
        return failures
    from projections.facts.commands import gives_up

    rest = [
        old
        for old in failures
        if old.repaired or old.tool != "Bash" or not gives_up(command, old.target, old.error)
    ]
    return rest if len(rest) < len(failures) else failures


def _repeats(old: Failure, passed: str, event: "ToolFinished") -> bool:
    """Return whether a call repeats or completes a failed one.

    A repeated command may be piped or extended, or be one of several steps. Tests may be repeated
    by a run of more tests, and git's steps are completed by `--continue`.
    """
    failed = old.target
    if old.cwd != event.cwd and event.tool == "Bash" and _is_elsewhere(old, passed, event):
        return False
    if failed == passed:
        return True
    tests = event.tests == "passed"
    if event.tool != "Bash" or not (
        tests
        or failed[:3] == passed[:3]
        or " && " in failed + passed
        or "; " in passed
        or " git " in passed
    ):
        return False
    return _makes_up_for(passed, failed, tests, old.error)


def _is_elsewhere(old: Failure, passed: str, event: "ToolFinished") -> bool:
    """Return whether a command does something else because it runs in another directory.

    `npm test` in another package does. Not so: git's commands, one that begins with `cd`, and a
    test run in a directory above.
    """
    if old.target.startswith(("git ", "cd ")) or passed.startswith("cd "):
        return False
    if event.tests != "passed":
        return True
    return not old.cwd.startswith(f"{event.cwd}/") if event.cwd else old.cwd.startswith("/")


@lru_cache(maxsize=256)  # a session runs the same few commands again and again
def _makes_up_for(passed: str, failed: str, tests: bool, error: str) -> bool:
    from projections.facts.commands import makes_up_for

    return makes_up_for(passed, failed, tests=tests, error=error)
