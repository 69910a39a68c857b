"""Loading the configuration: what each file may say, and what is said about what it may not."""

from __future__ import annotations

import os

import pytest

from journal.config.check import accepted, widens
from journal.config.document import manual
from journal.config.load import load
from journal.config.schema import DEFAULTS, ORDERED, ROWS, RULES, SCHEMA

KEYS = [row[0] for row in SCHEMA]


def toml(value):
    """Write a value of the schema as TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "[" + ", ".join(map(toml, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def values(row):
    """Give the values of a row from least to most (for names: some lists)."""
    kind, limits = row[1], row[3]
    if kind == "switch":
        return [False, True]
    if kind == "word":
        return list(limits)
    if kind == "number":
        return [0.02, 0.5, 0.8, 0.95]
    if kind == "names":
        return [(), ("review",), ("ship", "plugin:name")]
    return [limits[0], (limits[0] + limits[1]) // 2, limits[1]]


@pytest.fixture
def place(tmp_path):
    """Give a journal home and a project with ways to put files there."""
    return Place(str(tmp_path))


class Place:
    """Two directories with at most one configuration file each."""

    def __init__(self, root):
        self.home = os.path.join(root, "home")
        self.project = os.path.join(root, "project")
        os.makedirs(self.home, exist_ok=True)
        os.makedirs(os.path.join(self.project, ".claude"), exist_ok=True)
        self.home_file = os.path.join(self.home, "config.toml")
        self.project_file = os.path.join(self.project, ".claude", "journal.toml")

    def write(self, home=None, project=None):
        """Write what is given, then load."""
        for path, text in ((self.home_file, home), (self.project_file, project)):
            if text is not None:
                with open(path, "wb") as file:
                    file.write(text if isinstance(text, bytes) else text.encode())
        return load(self.home, self.project)


# --- the table itself ---------------------------------------------------------------------------


@pytest.mark.parametrize("row", SCHEMA, ids=KEYS)
def test_default_satisfies_its_row(row):
    """A default is a value the key accepts, and the row is well formed."""
    assert accepted(row, row[2]) == (row[2], "")
    assert row[4] in RULES
    assert row[5].endswith(".")


def test_keys_are_unique():
    """A key stands in the table once, and a table is never also a value."""
    assert len(ROWS) == len(SCHEMA)
    assert not [a for a in KEYS for b in KEYS if b.startswith(a + ".")]


def test_ordered_pairs_hold_for_the_defaults():
    """Pairs that must be in order are so by default and name numbers."""
    assert all(DEFAULTS[low] < DEFAULTS[high] for low, high in ORDERED)


def test_manual_is_current():
    """docs/configuration.md is what the schema gives."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    with open(os.path.join(root, "docs", "configuration.md"), encoding="utf-8") as file:
        assert file.read() == manual()


@pytest.mark.parametrize("key", KEYS)
def test_manual_names_every_key(key):
    """The manual has a row for each key under its table."""
    table, _, name = key.rpartition(".")
    section = manual().partition(f"\n## [{table}]\n")[2].partition("\n## ")[0]
    assert f"| `{name}` |" in section


# --- a valid file -------------------------------------------------------------------------------


def test_no_files_give_the_defaults(place):
    """Without files every key has its default and nothing is wrong."""
    loaded = place.write()
    assert loaded.settings == DEFAULTS
    assert loaded.problems == ()
    assert set(loaded.origins.values()) == {"default"}


def test_no_project_is_no_problem(tmp_path):
    """A session outside of any project has the person's file alone."""
    (tmp_path / "config.toml").write_text("pressure.info = 0.5")
    assert load(str(tmp_path), None).settings["pressure.info"] == 0.5


@pytest.mark.parametrize("key", KEYS)
def test_person_sets_every_key(place, key):
    """The person's file may set each key to each of its values; origins say so."""
    for value in values(ROWS[key]):
        if key.startswith("pressure.") and (key, value) in (
            ("pressure.info", 0.95),
            ("pressure.urgent", 0.02),
            ("pressure.urgent", 0.5),
        ):
            continue  # out of order with the other level
        loaded = place.write(home=f"{key} = {toml(value)}")
        assert loaded.problems == ()
        assert loaded.settings == {**DEFAULTS, key: value}
        assert loaded.origins[key] == "home"


def test_whole_number_is_a_fraction(place):
    """1 stands for 1.0 where a fraction is asked for."""
    value = place.write(home="pressure.urgent = 1").settings["pressure.urgent"]
    assert (value, type(value)) == (1.0, float)


def test_phase_names_may_be_typed_like_commands(place):
    """A leading slash is dropped, a doubled name kept once."""
    loaded = place.write(home='compound.phases = ["/review", "review", "a:b"]')
    assert loaded.settings["compound.phases"] == ("review", "a:b")


@pytest.mark.parametrize(
    "text",
    [
        "[pressure]\r\ninfo = 0.5\r\n",
        "\ufeff[pressure]\ninfo = 0.5\n",
        "pressure = { info = 0.5 }",
        '"pressure" . "info" = 0.5',
    ],
    ids=["crlf", "byte-order-mark", "inline-table", "quoted-parts"],
)
def test_other_ways_to_write_it(place, text):
    """What TOML or an editor makes of a line does not matter."""
    loaded = place.write(home=text)
    assert loaded.problems == ()
    assert loaded.settings["pressure.info"] == 0.5


# --- the project's file -------------------------------------------------------------------------


def moves(rule):
    """Give (key, the person's value, the project's value, may it) for every key under a rule."""
    for row in SCHEMA:
        if row[4] != rule:
            continue
        known = values(row)
        for i, mine in enumerate(known):
            for j, theirs in enumerate(known):
                may = {
                    "free": True,
                    "never": False,
                    "only_off": j <= i,
                    "only_lower": j <= i,
                    "only_raise": j >= i,
                }[rule]
                yield pytest.param(row[0], mine, theirs, may, id=f"{row[0]}-{i}-{j}")


CONFINED = [case for rule in RULES if rule != "free" for case in moves(rule)]
WIDER = [
    pytest.param(row[0], value, id=f"{row[0]}-{value}")
    for row in SCHEMA
    for value in values(row)
    if widens(row, row[2], value)
]


@pytest.mark.parametrize("key, mine, theirs, may", CONFINED)
def test_project_never_widens(place, key, mine, theirs, may):
    """A project's value counts only where its rule lets it; otherwise it is reported."""
    loaded = place.write(home=f"{key} = {toml(mine)}", project=f"\n{key} = {toml(theirs)}")
    if may:
        assert loaded.problems == ()
        assert loaded.settings[key] == theirs
        assert loaded.origins[key] == "project"
        return
    assert loaded.settings[key] == mine
    assert loaded.origins[key] == "home"
    (problem,) = loaded.problems
    assert (problem.path, problem.line) == (place.project_file, 2)
    assert problem.what.startswith(f"{key} can")
    assert place.home_file in problem.remedy


@pytest.mark.parametrize("key, theirs", WIDER)
def test_project_never_widens_a_default(place, key, theirs):
    """Where the person has set nothing, the default is what must not be widened."""
    loaded = place.write(project=f"{key} = {toml(theirs)}")
    assert loaded.settings == DEFAULTS
    assert len(loaded.problems) == 1


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_in_use(rule):
    """The cases above cover each rule with refusals, and all but never with permissions."""
    verdicts = {case.values[3] for case in moves(rule)}
    assert verdicts == {"free": {True}, "never": {False}}.get(rule, {True, False})


@pytest.mark.parametrize("key", [row[0] for row in SCHEMA if row[4] == "free"])
def test_project_tunes(place, key):
    """A free key takes any valid value from a project."""
    value = 0.8 if ROWS[key][1] == "number" else values(ROWS[key])[1]
    if key == "pressure.urgent":
        value = 0.95
    if key == "pressure.info":
        value = 0.4
    loaded = place.write(project=f"{key} = {toml(value)}")
    assert loaded.problems == ()
    assert loaded.settings == {**DEFAULTS, key: value}


def test_privacy_of_the_person_stands(place):
    """What someone switched off stays off whatever a repository asks for."""
    mine = 'capture = {level = "minimal", prompts = false}\n[transcripts]\nbackup = false'
    theirs = 'capture = {level = "full", prompts = true}\n[transcripts]\nbackup = true'
    loaded = place.write(home=mine, project=theirs)
    assert loaded.settings["capture.level"] == "minimal"
    assert loaded.settings["capture.prompts"] is False
    assert loaded.settings["transcripts.backup"] is False
    assert [p.line for p in loaded.problems] == [1, 1, 3]
