# Recipes call bin/journal-dev, which makes .venv with the development tools once.

# the default tests (under three minutes)
test *ARGS:
    bin/journal-dev test {{ARGS}}

# ruff: rules and format
lint:
    bin/journal-dev lint

# mypy, strict
types:
    bin/journal-dev types

# format the code
format:
    bin/journal-dev format

# lint, types and tests
check:
    bin/journal-dev check

# measure what hooks and commands cost, compared with starting Python
bench *ARGS:
    bin/journal-dev bench {{ARGS}}

# some of the tests with the oldest packages that pyproject.toml allows
lowest *ARGS:
    bin/journal-dev lowest {{ARGS}}

# some of the tests under each other version of Python found on this machine
versions *ARGS:
    bin/journal-dev versions {{ARGS}}

# the long suites: many rounds, large data
soak *ARGS:
    bin/journal-dev soak {{ARGS}}

# tests with Claude Code and a local stand-in for its API; the sample of .ci/run: -m "client and not long"
e2e *ARGS:
    bin/journal-dev e2e {{ARGS}}

# install the optional parts (page, embeddings, summaries by Claude) and what their tests need
parts:
    bin/journal-dev parts

# install other engines, and check a team's tables with them
engines:
    bin/journal-dev engines

# build the documentation site in build/site
docs *ARGS:
    bin/journal-dev docs {{ARGS}}

# draw docs/picture.svg from a run of Claude Code
picture:
    bin/journal-dev picture

# tests of the optional parts: the API, the page in a browser, embeddings, team tables
page *ARGS:
    bin/journal-dev page {{ARGS}}

# show your own sessions, or a recorded one
demo:
    bin/journal demo
