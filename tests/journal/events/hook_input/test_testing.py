"""Which commands run tests, and which outputs report a failure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.events.hook_input.testing import runs_tests, shows_failure
from tests.journal.events.hook_input.made import event_of
from tests.support.examples import examples

RUNS = """
pytest
pytest -q tests/test_a.py::test_x
pytest 2>&1 | tail -20
set -e; pytest
DJANGO=1 pytest
time pytest
timeout 60 pytest -q
nice -n 10 pytest
env DJANGO_SETTINGS_MODULE=x pytest
xvfb-run -a pytest
bash -c 'pytest -q'
bash -lc "cd api && pytest"
coverage run -m pytest
python -m pytest -x
python3.12 -m unittest discover -s tests
python manage.py test
python3 ./manage.py test shop
python tests/test_cart.py
uv run pytest
uv run --with hypothesis pytest -q
poetry run pytest
pdm run pytest
pipenv run pytest
hatch test
rye test
tox -e py311
nox -s tests
cd api && pytest
(cd api; npm test)
npm run test
npm run test:unit
npm t
pnpm run test
pnpm --filter web test
yarn test
yarn run test
bun run test
deno test
node --test
npx vitest run
npx jest --watch=false
npx playwright test
npx cypress run
go test ./...
go test -run TestX ./pkg
cargo test --workspace
cargo +nightly test
cargo nextest run
make test
make -j4 test
make -C api test
make check
just test
mvn test
mvn -B -q -Dtest=CartTest test
./mvnw verify
./gradlew test
gradle :app:test
./gradlew :shop:testDebugUnitTest
sbt "testOnly shop.CartSpec"
dotnet test Shop.sln
bundle exec rspec spec/cart_spec.rb
bin/rails test test/models
rake test
ruby -Itest test/cart_test.rb
prove -l t
perl -Ilib t/cart.t
mix test
phpunit
./vendor/bin/phpunit --filter Cart
vendor/bin/pest
php artisan test
ctest --test-dir build
swift test
xcodebuild test -scheme Shop
flutter test
bazel test //...
stack test
zig build test
bats tests
sh run_tests.sh
./run_tests.sh
./scripts/test.sh
docker compose run --rm web pytest
docker compose exec web python -m pytest
docker exec -it web npm test
kubectl exec web -- pytest
ssh host pytest
""".strip().splitlines()

OTHER = """
grep pytest pyproject.toml
pip install pytest
npm install jest
npm i -D vitest
uv add --dev pytest
poetry add --group dev pytest
sudo apt-get install ctest
cat test.py
git commit -m 'pytest passes'
git commit -m "make test green; npm test"
git checkout test
git log --grep test
echo npm test
echo "go test ./..."
ls tests
go build ./test
cargo build
cargo check
make
npm run build
mkdir test
rm -rf test
test -f x
[ -f test ]
man make
which pytest
pytest --version
pytest --collect-only -q
vim tests/test_cart.py
head pytest.ini
docker build -t test .
docker pull node:test
curl http://localhost/test
rg 'npm test' docs
python setup.py build
python -c 'import pytest'
cp test.sh /tmp
chmod +x run_tests.sh
ssh host uptime
""".strip().splitlines()


@pytest.mark.parametrize("command", RUNS)
def test_commands_that_run_tests(command: str) -> None:
    """A test program or a tool's test task counts, behind wrappers and in scripts, too."""
    assert runs_tests(command)


@pytest.mark.parametrize("command", RUNS)
def test_a_tool_call_says_that_it_ran_tests(command: str) -> None:
    """The quick look at a command, before this module is loaded, misses no test run."""
    event = event_of("PostToolUse", tool_name="Bash", tool_input={"command": command},
                     tool_response={"stdout": "1 failed"})  # fmt: skip
    assert event["tests"] == "failed"


@pytest.mark.parametrize("command", OTHER)
def test_commands_that_only_mention_tests(command: str) -> None:
    """Looking for, installing, listing or writing about tests runs none."""
    assert not runs_tests(command)


@pytest.mark.parametrize(
    "command", ["cat > a.sh <<'E'\npytest\nE", "ls # then pytest", "echo \\\npytest"]
)
def test_what_a_command_writes_is_no_test_run(command: str) -> None:
    """Here-documents, comments and continued lines are not commands of their own."""
    assert not runs_tests(command)
    assert runs_tests(f"{command}\npytest")


@given(st.text(max_size=200) | st.lists(
    st.sampled_from(["pytest", "npm", "test", "'", '"', ";", "-c", "sh", "uv", "run", "-m", "A=1"]),
    max_size=30).map(" ".join))  # fmt: skip
@examples(100)
def test_any_command_is_told_apart(command: str) -> None:
    """No text raises, and a line before or after does not hide a test run."""
    assert runs_tests(command) in (True, False)
    assert runs_tests(f"pytest\n{command}"[:2000])


def test_a_long_command_takes_little_time() -> None:
    """What is behind 2,000 characters does not count, however many words there are."""
    assert not runs_tests("uv run " * 100_000 + "pytest")


FAILURES = [
    "== 2 failed, 1 passed in 0.3s ==", "FAILED tests/x.py::t", "=== 1 error in 0.2s ===",
    "E   AssertionError", "--- FAIL: TestX (0.00s)\nFAIL", "FAIL\tshop/cart\t0.01s",
    "Tests:       1 failed, 3 passed, 4 total", "Test Suites: 1 failed, 1 total",
    "test result: FAILED. 3 passed; 1 failed;", "error: test failed, to rerun pass `--lib`",
    " 2 failing", "1 example, 1 failure", "3 tests, 1 failure", "Failures: 1",
    "Tests run: 4, Failures: 1, Errors: 0, Skipped: 0", "[ERROR] Tests run: 1, Failures: 1",
    "FAILURES!\nTests: 4, Assertions: 9, Failures: 1.", "Failed!  - Failed:     1, Passed:     3",
    "ok 1\nnot ok 2 - cart", "# fail 1", "67% tests passed, 1 tests failed out of 3",
    "Result: FAIL", "BUILD FAILED in 3s", "** TEST FAILED **",
    "Executed 4 tests, with 1 failure (0 unexpected) in 0.1", "✗ cart total (2 ms)",
    "00:02 +3 -1: Some tests failed.",
]  # fmt: skip
SUCCESSES = [
    "", "== 3 passed in 0.3s ==", "3 passed, 1 xfailed", "ok  \tshop/cart\t0.01s",
    "Tests: 3 passed, 3 total", "test result: ok. 3 passed; 0 failed;", "3 passing",
    "1 passed, 0 failing, 0 errors", "4 examples, 0 failures",
    "Tests run: 4, Failures: 0, Errors: 0", "OK (4 tests, 9 assertions)",
    "Passed!  - Failed:     0, Passed:     3", "# fail 0", "ok 1 - not failed",
    "100% tests passed, 0 tests failed out of 3", "Result: PASS", "BUILD SUCCESSFUL",
    "Executed 4 tests, with 0 failures (0 unexpected)", "All tests passed!",
    "test_failed_login PASSED\n1 passed", "10 failed attempts were logged as expected\n3 passed",
    "retries after 3 errors are refused: ok",
]  # fmt: skip


@pytest.mark.parametrize("output", FAILURES)
def test_outputs_with_a_failure(output: str) -> None:
    """A count above zero or a runner's own word for a failed test counts."""
    assert shows_failure(output)
    assert shows_failure("x\n" * 5_000 + output + "\nDone.")


@pytest.mark.parametrize("output", SUCCESSES)
def test_outputs_without_one(output: str) -> None:
    """No failures, tests named after failures and ordinary text are no failure."""
    assert not shows_failure(output)


def test_only_the_end_counts() -> None:
    """A failure that the end of the output no longer shows is over: the run was repeated."""
    assert not shows_failure("FAILED x\n" + "ok\n" * 2_000)
