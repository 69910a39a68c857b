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

# put the code into the format
format:
    bin/journal-dev format

# lint, types and tests
check:
    bin/journal-dev check

# figures against the interpreter floor
bench *ARGS:
    bin/journal-dev bench {{ARGS}}

# a part of the tests with the oldest packages that pyproject.toml allows
lowest *ARGS:
    bin/journal-dev lowest {{ARGS}}

# a part of the tests under each other version of Python found on this machine
versions *ARGS:
    bin/journal-dev versions {{ARGS}}

# many rounds and large data
soak *ARGS:
    bin/journal-dev soak {{ARGS}}

# the real client against the loopback stand-in
e2e *ARGS:
    bin/journal-dev e2e {{ARGS}}

# install the optional parts (page, embeddings, Claude's summaries) and what drives their tests
parts:
    bin/journal-dev parts

# install other engines, and check a team's tables with them
engines:
    bin/journal-dev engines

# the documentation as a site, in build/site
docs *ARGS:
    bin/journal-dev docs {{ARGS}}

# docs/picture.svg, from a run of the real client
picture:
    bin/journal-dev picture

# what the optional parts do: the API, the page in a real browser, embeddings, a team's tables
page *ARGS:
    bin/journal-dev page {{ARGS}}

# a recorded session, narrated
demo:
    bin/journal demo
