"""Which commands run tests, and how these ended."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.events.hook_input.testing import outcome, runs_of_tests, runs_tests
from tests.journal.events.hook_input.made import event_of
from tests.support.examples import examples
from tests.support.rows import each

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
cargo llvm-cov nextest
cargo t -p core
npm --prefix web test
yarn workspace web test
pnpm -C web run test:ci
npx tsx --test test/cart.ts
npx turbo run test --filter=web
npx nx run web:test
node ./node_modules/jest/bin/jest.js
npx cross-env CI=1 jest
make integration-test
cmake --build build --target test
bazel coverage //...
./gradlew :app:connectedCheck
gradle integrationTest -x lint
mvn clean verify -DskipITs
clojure -M:test
rebar3 eunit
opam exec -- dune runtest
gleam test
cabal v2-test
zig build test --summary all
php -d memory_limit=-1 vendor/bin/phpunit
symfony php bin/phpunit
bundle exec cucumber
robot -d out tests/login.robot
terraform test
python3 -X dev -m pytest
python -m django test
pipx run pytest
hatch run test:all
mise exec -- pytest
op run -- pytest
direnv exec . pytest
find tests -name '*.py' | xargs pytest
eval "pytest -q"
nix-shell --run 'make test'
vagrant ssh -c 'cd /app && pytest'
gtimeout 60 pytest
strace -f pytest
ctest -V
for t in a b; do go test ./$t; done
if ! pytest; then echo bad; fi
output=$(pytest -q 2>&1); echo "$output"
./.venv/Scripts/pytest.exe
./build/cart_test
scripts/run_unit_tests.sh
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
cargo test --no-run
cargo run --bin test
cargo build -p test-utils
go test -c ./pkg
npm run build:test
npm view jest version
yarn why jest
npx jest --listTests
npx eslint ./test
pytest --fixtures
ctest -N
tox -l
make -n test
make test-deps
mvn test-compile
mvn verify -DskipTests
gradle testClasses
./gradlew build -x test
gradle dependencies --configuration testRuntimeClasspath
terraform plan -var env=test
mix deps.get --only test
php artisan make:test CartTest
node test-data/gen.js
dotnet list test package
command -v pytest
uv run ruff check ./test
docker exec db grep pytest log
ssh ci 'cat test.log'
ls tests | xargs -n1 basename
""".strip().splitlines()


def test_commands_that_run_tests() -> None:
    """A test program or a tool's test task counts, behind wrappers and in scripts, too."""
    assert [command for command in RUNS if not runs_tests(command)] == []


def test_a_tool_call_says_that_it_ran_tests() -> None:
    """The quick look at a command, before this module is loaded, misses no test run."""
    for command in RUNS:
        event = event_of("PostToolUse", tool_name="Bash", tool_input={"command": command},
                         tool_response={"stdout": "1 failed"})  # fmt: skip
        assert event.get("tests") == "failed", command


def test_commands_that_only_mention_tests() -> None:
    """Looking for, installing, listing or writing about tests runs none."""
    assert [command for command in OTHER if runs_tests(command)] == []


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


@each(
    ("command", "output", "ended"),
    [
        ("pytest -q > out.txt 2>&1", "", "passed"),
        ("cd api; mvn -q test", "", "passed"),
        ("mvn -q test && git commit -m x", "", "passed"),
        ("mvn -q test; git add .", "", ""),
        ("pytest -q > out.txt 2>&1 || true", "", ""),
        ("pytest -q | grep -c FAIL", "0", ""),
        ("pytest -q 2>&1 | tail -3", "3 passed in 0.1s", "passed"),
        ("npm test | tail -3", "Ran all test suites.", ""),
        ("cargo test 2>&1 | tail", "error: could not compile `core` (lib test)", "failed"),
        ("pytest; echo $?", "Done\n2", "failed"),
        ("./ci.sh", "lint ok\n== 12 passed in 3.10s ==\nbuilt", "passed"),
        ("make ci 2>&1 | tail", "--- FAIL: TestX (0.00s)\nFAIL", "failed"),
        ("mvn clean install", "Tests run: 4, Failures: 1, Errors: 0", "failed"),
        ("cat ci.log", "== 1 failed, 12 passed in 3.10s ==", ""),
        ("tail -50 x.log | grep passed", "12 passed in 3.10s", ""),
        ("python train.py", "loaded 500 examples, 3 classes", ""),
    ],
)
def test_how_tests_ended(command: str, output: str, ended: str) -> None:
    """A report tells it; without one a status does, unless a pipe or a later command hides it."""
    assert outcome(command, output) == ended
    event = event_of("PostToolUse", tool_name="Bash", tool_input={"command": command},
                     tool_response={"stdout": output})  # fmt: skip
    assert event.get("tests", "") == ended


@pytest.mark.parametrize(
    ("command", "output", "ended"),
    [
        ("pytest", "Command timed out after 2m 0.0s", "failed"),
        ("./ci.sh", "== 12 passed in 3.10s ==\nmypy: found 2 errors", "passed"),
        ("./ci.sh", "== 1 failed, 12 passed in 3.10s ==", "failed"),
        ("mvn clean install", "[ERROR] COMPILATION ERROR", ""),
        ("cd api && npm test | tail -3", "Killed", "failed"),
        ("make lint && pytest -q", "Found 3 errors.", ""),
        ("make lint && pytest -q", "FAILED test_a.py::test_b", "failed"),
        ("pytest -q && git commit -m x", "3 passed in 0.1s\nhook: 1 file reformatted", "passed"),
    ],
)
def test_how_tests_of_a_failed_command_ended(command: str, output: str, ended: str) -> None:
    """A test run that failed did; where another step may have failed, the report tells it."""
    assert outcome(command, output, failed=True) == ended


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        ("CI=1 uv run pytest -q a.py | tail", [["pytest", "-q", "a.py"]]),
        ("make fmt && npm test; go vet ./...", [["npm", "test"]]),
        ("git status", []),
    ],
)
def test_the_test_runs_of_a_command(command: str, runs: list[list[str]]) -> None:
    """Each part that runs tests is found, without wrappers before a runner."""
    assert runs_of_tests(command) == runs
