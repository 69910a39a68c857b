"""Which requests and commands of a long session are kept."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from journal.events.tool import ToolFailed, ToolFinished
from projections.facts.compaction import commands_of, facts_of
from projections.facts.gathering import last_request, with_calls, with_failure, with_request
from projections.facts.session import Gathered, TimedText
from tests.support.rows import each

RULES = [
    "Never touch config/prod.yaml, another team manages it.",
    "config/prod.yaml は絶対に触らないでください。",
    "config/prod.yaml은 절대 건드리지 마세요.",
    "Don't push.",
    "必ずテストを先に書いてください。",
    "항상 테스트를 먼저 작성해.",
    "Die Datei steuersatz.py darfst du nie anfassen.",
    "Ne touche jamais à config/prod.yml.",
    "Nunca borres la tabla de pedidos.",
]
DEMANDS = [
    "The CSV must have a BOM and the log has to stay readable.",
    "Die Liste muss nach Datum sortiert sein.",
    "一覧は日付順でなければなりません。",
]


def requests(*texts: str) -> list[TimedText]:
    """Return the requests that a session keeps after these prompts."""
    found: list[TimedText] = []
    for at, text in enumerate(texts):
        found = with_request(found, f"{at:02}", text)
    return found


@each("rule", [*RULES, *DEMANDS])
def test_a_standing_instruction_outlives_any_number_of_requests(rule: str) -> None:
    """Of a request that makes room, the sentence with a rule stays, and nothing else."""
    before = [f"Please write the part number {at} of the import" for at in range(5)]
    after = [f"Now check the module number {at} for slow loops" for at in range(30)]
    kept = [one.text for one in requests(*before, f"Look at the parser. {rule}", *after)]
    assert rule in kept
    assert kept[0] == after[-1]
    assert kept[-1] == before[0]
    assert len(kept) <= 9


def test_standing_instructions_are_bounded() -> None:
    """Of very many prohibitions the newest stay, beside the first and the newest requests."""
    kept = requests(*(f"Never touch the file number {at} of the archive" for at in range(50)))
    assert len(kept) == 16
    assert kept[0].at == "49"


def test_requirements_displace_no_rule() -> None:
    """Where there are many of both, requirements make room first."""
    rules = [f"Never touch the file number {at} of the archive" for at in range(6)]
    kept = requests(*rules, *(f"The page number {at} must open the cart" for at in range(50)))
    assert {rule for rule in rules if rule in [one.text for one in kept]} == set(rules)
    assert len(kept) == 16


@pytest.mark.parametrize("terse", ["no pandas", "seed is 1234", "only dark plots", "keine Makros"])
def test_a_short_wish_outlives_any_number_of_requests(terse: str) -> None:
    """A few words that say how to work are no small talk."""
    later = [f"Now check the module number {at} for slow loops" for at in range(30)]
    kept = [one.text for one in requests("Help me with the notebook", terse, *later, "yes")]
    assert terse in kept


@pytest.mark.parametrize("talk", ["no worries", "no, wait", "yes", "go on", "option 2", "not now"])
def test_small_talk_makes_room_first(talk: str) -> None:
    """Words without a wish are dropped with the next request."""
    kept = requests("Help me with the notebook", "Then plot it please", talk, "Now the axes please")
    assert talk not in [one.text for one in kept]


def test_the_last_request_is_the_newest_that_says_what_is_wanted() -> None:
    """Prompts like "go on" do not hide the request they continue."""
    wanted = "Write the benchmark first, in bench/orders.py"
    assert last_request(requests("Make the import faster", wanted, "yes", "go on")).text == wanted
    own = "/journal:compound prices and the rounding of totals"
    assert last_request(requests("Make the import faster", wanted, own)).text == wanted
    assert last_request(requests("yes", "go on")).text == "go on"


def test_edits_after_a_test_run_that_passed() -> None:
    """They are collected until tests run again, by tests or a failure."""
    run = ToolFinished(seq=1, tool="Bash", target="pytest", tests="passed")
    edits = [ToolFinished(seq=at, tool="Edit", target=f"a/{name}.py", changed=True)
             for at, name in enumerate("xyx", 2)]  # fmt: skip
    edited = with_calls(Gathered(), [edits[0], run, *edits])
    assert edited.edited == ["x.py", "y.py"]
    assert with_calls(edited, [run]).edited == []
    for stopped in (False, True):
        failed = ToolFailed(seq=9, tool="Bash", tests="failed", interrupted=stopped)
        assert with_failure(edited, failed).edited == []


def test_the_steps_of_a_loop_displace_no_other_command() -> None:
    """Commands that differ in digits alone make room first, and only the newest is told."""
    ran = ["make check", *(f"python3 load.py --part {at}" for at in range(200))]
    events = [ToolFinished(seq=at, tool="Bash", target=one) for at, one in enumerate(ran)]
    assert commands_of(with_calls(Gathered(), events).ran) == [ran[0], ran[-1]]


def test_the_newest_forty_commands_are_kept() -> None:
    """Of very many different commands the oldest make room; one that ran again counts once."""
    ran = [f"make {first}{last}" for first in "abcdefgh" for last in "abcdefgh"]
    ran.insert(40, ran[50])
    events = [ToolFinished(seq=at, tool="Bash", target=one) for at, one in enumerate(ran)]
    assert with_calls(Gathered(), events).ran == [*ran[24:40], *ran[41:]]


@each(
    ("failed", "passed", "tests", "repaired"),
    [
        ("pytest tests/test_a.py::test_x -x", "pytest -q", "passed", True),
        ("pytest tests/test_a.py", "pytest tests -q", "passed", True),
        ("go test ./cart -run Total", "go test ./...", "passed", True),
        ("npm test -- cart", "npm test", "passed", True),
        ("pytest -q", "pytest -q -n 4", "passed", True),
        ("cargo test --lib", "touch ok && cargo test --lib", "passed", True),
        ("npx vitest run a.test.ts || true", "rm x; npx vitest run -u a.test.ts", "passed", True),
        ("pytest tests/a.py", "PYTHONPATH=. uv run pytest tests/a.py", "passed", True),
        ("python3 -m pytest a.py", "pytest a.py", "passed", True),
        ("make lint", "make fmt && make lint", "", True),
        ("make lint", "make fmt; make lint", "", True),
        ("make lint", "make lint; make fmt", "", False),
        ("pytest a.py && npm test", "pytest a.py", "passed", False),
        ("touch ok; pytest a.py", "touch ok; pytest b.py", "passed", False),
        ("cargo test", "cargo test --lib", "passed", False),
        ("cd api && npm test", "cd web && npm test", "passed", False),
        ("cd api && npm test", "npm test", "passed", True),
        (f"pytest tests/{'long_' * 8}a.py", f"pytest tests/{'long_' * 8}b.py", "passed", False),
        ("pytest tests/test_a.py", "pytest tests/test_b.py", "passed", False),
        ("pytest", "pytest -q -k total", "passed", False),
        ("npm run test:unit", "npm run test:unit -- cart", "passed", False),
        ("cargo test --all", "cargo test --all cart::total", "passed", False),
        ("ruff check .", "ruff check . --output-format concise", "", True),
        ("make", "make -j8", "", True),
        ("make", "make install", "", False),
        ("pytest tests/test_a.py", "pytest --collect-only", "", False),
        ("git rebase main", "git add -A && GIT_EDITOR=true git rebase --continue", "", True),
        ("git pull --rebase", "GIT_EDITOR=true git rebase --continue", "", True),
        ("git cherry-pick 4be91c7", "git rebase --continue", "", False),
        ("git add a && git rebase --continue", "git add b && git rebase --continue", "", True),
        ("git fetch && git rebase main", "rm -f a.lock && git rebase --continue", "", True),
        ("make lint", "make lint && make test", "passed", True),
        ("make lint", "make lint-docs && make test", "passed", False),
        ("make && make lint", "make fmt && make lint && make", "passed", True),
        ("make lint", "make lint; make test", "passed", False),
    ],
)
def test_what_makes_up_for_a_failure(failed: str, passed: str, tests: str, repaired: bool) -> None:
    """A run of more tests repeats one of fewer, and git's conflict ends by `--continue`."""
    broken = with_failure(
        Gathered(), ToolFailed(seq=1, tool="Bash", target=failed, error="Exit code 1\nno")
    )
    after = with_calls(broken, [ToolFinished(seq=2, tool="Bash", target=passed, tests=tests)])
    assert bool(after.failures[0].repaired) is repaired


@pytest.mark.parametrize(
    ("failed", "error", "passed", "repaired"),
    [
        ("git merge main", "CONFLICT (content): a.py", "git add -A && git commit --no-edit", True),
        ("git pull", "CONFLICT (content): a.py", "git -C shop commit -m Merge", True),
        ("git merge main", "CONFLICT (content): a.py", "git commit --amend --no-edit", False),
        ("git merge main", "a.py would be overwritten by merge", "git commit -am wip", False),
        ("git rebase main", "CONFLICT (content): a.py", "git commit -am wip", False),
        ("git push", "CONFLICT of two branches", "git commit -am wip", False),
        ("make lint && pytest", "FAILED tests/test_a.py::test_x - assert 1 == 2", "pytest", True),
        ("make lint && pytest", "a.py:3: unused import", "pytest", False),
        ("make lint && pytest", "a.py:3: unused import", "make lint && pytest -v", True),
        ("make data | head; make test", "error: no rule", "make data | head -5", False),
    ],
)
def test_the_error_says_what_makes_up_for_it(
    failed: str, error: str, passed: str, *, repaired: bool
) -> None:
    """Git commits no conflict but goes on with a rebase; tests say nothing of a step before them."""
    broken = with_failure(Gathered(), ToolFailed(seq=1, tool="Bash", target=failed, error=error))
    tests = "passed" if "pytest" in passed else ""
    after = with_calls(broken, [ToolFinished(seq=2, tool="Bash", target=passed, tests=tests)])
    assert bool(after.failures[0].repaired) is repaired


@each(
    ("failed", "passed", "given_up"),
    [
        ("git merge main", "git merge --abort", True),
        ("git fetch && git rebase main", "cd shop && git rebase --abort && git status", True),
        ("git pull", "git merge --abort", True),
        ("git pull --rebase", "git rebase --abort", True),
        ("git cherry-pick 4be91c7", "git -C shop cherry-pick --quit", True),
        ("git revert 4be91c7", "git revert --abort", True),
        ("git merge main", "git reset --hard HEAD", True),
        ("git merge main", "git rebase --abort", False),
        ("git rebase main", "git reset --hard HEAD", False),
        ("git push", "git merge --abort", False),
        ("make merge", "git merge --abort", False),
        ("git merge main", "git commit --amend", False),
    ],
)
def test_what_git_aborts_is_not_open(failed: str, passed: str, given_up: bool) -> None:
    """A conflict that is aborted or reset is neither open nor solved: it is left out."""
    error = "CONFLICT (content): a.py"
    broken = with_failure(Gathered(), ToolFailed(seq=1, tool="Bash", target=failed, error=error))
    after = with_calls(broken, [ToolFinished(seq=2, tool="Bash", target=passed)])
    assert [one.repaired for one in after.failures] == ([] if given_up else [0])


@pytest.mark.parametrize(
    ("failed_in", "command", "passed_in", "tests", "repaired"),
    [
        ("api", "npm test", "api", "passed", True),
        ("api", "npm test", "web", "passed", False),
        ("api", "npm test", "", "passed", True),
        ("", "npm test", "web", "passed", False),
        ("/w/fix", "npm test", "", "passed", False),
        ("/w/fix/api", "npm test", "/w/fix", "passed", True),
        ("api", "make", "", "", False),
        ("", "cd api && make", "api", "", True),
        ("api", "git push", "", "", True),
    ],
)
def test_a_command_of_another_directory_repairs_nothing(
    failed_in: str, command: str, passed_in: str, tests: str, repaired: bool
) -> None:
    """`npm test` of one package says nothing about another; tests run further up include it."""
    failure = ToolFailed(seq=1, tool="Bash", target=command, error="no", cwd=failed_in)
    passed = ToolFinished(seq=2, tool="Bash", target=command, tests=tests, cwd=passed_in)
    after = with_calls(with_failure(Gathered(), failure), [passed])
    assert bool(after.failures[0].repaired) is repaired


def test_a_command_that_a_pipe_let_pass_is_a_failure() -> None:
    """A call without a status of its own, whose output has an error, did not run without one."""
    typed = "cargo build 2>&1 | tail -5"
    call = ToolFinished(v=1, seq=1, ts="2026-01-01T00:00:00.000Z", tool="Bash", target=typed)
    failed = replace(call, error="error: could not compile `codec`")
    gathered = with_calls(Gathered(), [failed])
    assert (gathered.ran, [one.target for one in gathered.failures]) == ([], [typed])
    gathered = with_calls(gathered, [replace(call, seq=9)])
    assert (gathered.ran, gathered.failures[0].repaired) == ([typed], 9)


@pytest.mark.parametrize(
    ("tool", "later", "told"),
    [("Edit", "cart.py", False), ("Read", "cart.py", False), ("Edit", "tax.py", True)],
)
def test_a_file_that_was_edited_after_all(tool: str, later: str, told: bool) -> None:
    """A failed edit or read says nothing once its file was changed; another file changes nothing."""
    failed = ToolFailed(seq=1, tool=tool, target="cart.py", error="String to replace not found.")
    done = ToolFinished(seq=2, tool="Edit", target=later, changed=True)
    gathered = with_calls(with_failure(Gathered(), failed), [done])
    assert bool(facts_of(gathered, []).failures) is told


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("git grep -n total", False),
        ("gh pr view 12 --comments", False),
        ("/usr/bin/grep -rn total .", False),
        ("/bin/ls -la src", False),
        ("/usr/bin/make install", True),
        ("git worktree add ../fix", True),
        ("gh pr create --fill", True),
    ],
)
def test_a_command_that_only_reads_is_no_work(command: str, told: bool) -> None:
    """It is neither collected nor told, however its program is named; one that changes is."""
    gathered = with_calls(Gathered(), [ToolFinished(seq=1, tool="Bash", target=command)])
    assert bool(gathered.ran) is told
    assert bool(commands_of([command])) is told
