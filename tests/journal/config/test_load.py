"""Loading the configuration: what each file may set, and what is reported otherwise."""

from __future__ import annotations

import pytest

from journal.config.kinds import toml
from journal.config.load import load
from journal.config.schema import DEFAULTS, RULES, SETTINGS
from tests.journal.config.kinds import values


def test_no_files_give_the_defaults(folders):
    """Without files every key has its default and nothing is wrong."""
    loaded = folders.write()
    assert loaded.settings == DEFAULTS
    assert loaded.problems == ()
    assert set(loaded.origins.values()) == {"default"}


def test_no_project_is_no_problem(tmp_path):
    """A session outside any project has only the user's file."""
    (tmp_path / "config.toml").write_text("pressure.info = 0.5")
    assert load(str(tmp_path), None).settings["pressure.info"] == 0.5


@pytest.mark.parametrize("key", SETTINGS)
def test_person_sets_every_key(folders, key):
    """The user's file may set each key to each of its values, and origins name that file."""
    for value in values(SETTINGS[key]):
        if key.startswith("pressure.") and (key, value) in (
            ("pressure.info", 0.95),
            ("pressure.urgent", 0.02),
            ("pressure.urgent", 0.5),
        ):
            continue  # not in order with the other level
        loaded = folders.write(home=f"{key} = {toml(value)}")
        assert loaded.problems == ()
        assert loaded.settings == {**DEFAULTS, key: value}
        assert loaded.origins[key] == "home"


def test_whole_number_is_a_fraction(folders):
    """1 is read as 1.0 for a fraction."""
    value = folders.write(home="pressure.urgent = 1").settings["pressure.urgent"]
    assert (value, type(value)) == (1.0, float)


def test_phase_names_may_be_typed_like_commands(folders):
    """A leading slash is dropped, and a repeated name is kept once."""
    loaded = folders.write(home='compound.phases = ["/review", "review", "a:b"]')
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
def test_other_ways_to_write_it(folders, text):
    """Any valid TOML notation and line ending gives the same value."""
    loaded = folders.write(home=text)
    assert loaded.problems == ()
    assert loaded.settings["pressure.info"] == 0.5


# --- the project's file -------------------------------------------------------------------------


def moves(rule):
    """Yield (key, user's value, project's value, is it allowed) for every key under a rule."""
    for key, setting in SETTINGS.items():
        if setting.rule != rule:
            continue
        allowed = values(setting)
        for i, mine in enumerate(allowed):
            for j, theirs in enumerate(allowed):
                may = {
                    "free": True,
                    "never": False,
                    "only_off": j <= i,
                    "only_lower": j <= i,
                    "only_raise": j >= i,
                }[rule]
                yield key, mine, theirs, may


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != "free"])
def test_project_never_widens(folders, rule):
    """A project's value is used only if its rule allows it; otherwise it is reported."""
    for key, mine, theirs, may in moves(rule):
        loaded = folders.write(home=f"{key} = {toml(mine)}", project=f"\n{key} = {toml(theirs)}")
        used, origin = (theirs, "project") if may else (mine, "home")
        assert (loaded.settings[key], loaded.origins[key]) == (used, origin), (key, mine, theirs)
        if may:
            assert loaded.problems == ()
            continue
        (problem,) = loaded.problems
        assert (problem.path, problem.line) == (folders.project_file, 2)
        assert problem.what.startswith(f"{key} can")
        assert folders.home_file in problem.remedy


@pytest.mark.parametrize("key", SETTINGS)
def test_project_never_widens_a_default(folders, key):
    """If the user has set nothing, a project must not widen the default."""
    setting = SETTINGS[key]
    for theirs in values(setting):
        if setting.is_widened(setting.default, theirs):
            loaded = folders.write(project=f"{key} = {toml(theirs)}")
            assert loaded.settings == DEFAULTS, theirs
            assert len(loaded.problems) == 1, theirs


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_in_use(rule):
    """The cases above include refusals and allowed values for each rule that has both."""
    verdicts = {case[3] for case in moves(rule)}
    assert verdicts == {"free": {True}, "never": {False}}.get(rule, {True, False})


@pytest.mark.parametrize(
    "key", [key for key, setting in SETTINGS.items() if setting.rule == "free"]
)
def test_project_tunes(folders, key):
    """A free key takes any valid value from a project."""
    value = 0.8 if isinstance(DEFAULTS[key], float) else values(SETTINGS[key])[1]
    if key == "pressure.urgent":
        value = 0.95
    if key == "pressure.info":
        value = 0.4
    loaded = folders.write(project=f"{key} = {toml(value)}")
    assert loaded.problems == ()
    assert loaded.settings == {**DEFAULTS, key: value}


def test_privacy_of_the_person_stands(folders):
    """What the user switched off stays off, whatever a repository sets."""
    mine = 'capture = {level = "minimal", prompts = false}\n[transcripts]\nbackup = false'
    theirs = 'capture = {level = "full", prompts = true}\n[transcripts]\nbackup = true'
    loaded = folders.write(home=mine, project=theirs)
    assert loaded.settings["capture.level"] == "minimal"
    assert loaded.settings["capture.prompts"] is False
    assert loaded.settings["transcripts.backup"] is False
    assert [p.line for p in loaded.problems] == [1, 1, 3]
