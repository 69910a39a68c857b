"""What is reported about mistakes in a configuration file, and files that cannot be one."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.config.kinds import Name, Names
from journal.config.load import _nearest as nearest
from journal.config.schema import DEFAULTS, SETTINGS
from journal.text import escaped

WRONG = {
    "switch": ["1", '"true"', "0.5", "[]", "{}", "1979-05-27"],
    "number": ["true", '"0.5"', "0", "-1", "1.01", "nan", "inf", "[0.5]", "07:32:00"],
    "count": ["true", '"10"', "1.5", "-1", "99999999999999999999999", "[]", "nan"],
    "word": ["true", "1", '"fulll"', '""', '["full"]'],
    "name": ["true", "1", '["ann"]', '"Ann Lee"', '"é"', f'"{"a" * 65}"'],
    "names": ['"review"', "[1]", '[""]', '["a b"]', '["a\\nb"]', '["é"]', f'["{"a" * 65}"]', "{}",
              "[" + '"a",' * 33 + "]"],
}  # fmt: skip


def name_of(kind):
    """Return the name of a kind, "count" for whole numbers."""
    return "count" if isinstance(getattr(kind, "low", None), int) else type(kind).__name__.lower()


@pytest.mark.parametrize("key", SETTINGS)
def test_wrong_values_are_reported_and_not_used(folders, key):
    """A value of another kind or out of range is reported with its position and not used."""
    table, _, name = key.rpartition(".")
    kind = SETTINGS[key].kind
    for text in WRONG[name_of(kind)]:
        if text == "-1" and getattr(kind, "also", 0) == -1:
            continue  # for some counts -1 means "as another key"
        loaded = folders.write(home=f"# mine\n[{table}]\n{name}  = {text} # so")
        assert loaded.settings == DEFAULTS, text
        (problem,) = loaded.problems
        assert (problem.path, problem.line, problem.column) == (folders.home_file, 3, len(name) + 5)
        assert problem.what.startswith(f"{key} takes "), text
        assert problem.remedy, text


def test_one_mistake_spoils_only_its_key(folders):
    """Valid keys beside a mistake are used."""
    loaded = folders.write(home='[pressure]\ninfo = 0.5\nadvice = "no"\nstale_after = 60\n')
    assert loaded.settings == {**DEFAULTS, "pressure.info": 0.5, "pressure.stale_after": 60}
    assert [(p.line, p.column) for p in loaded.problems] == [(3, 10)]


def test_wrong_project_value_leaves_the_persons(folders):
    """If the project's value is wrong, the user's value is used, not the default."""
    loaded = folders.write(home="pressure.info = 0.5", project="pressure.info = 72")
    assert loaded.settings["pressure.info"] == 0.5
    assert [p.path for p in loaded.problems] == [folders.project_file]


@pytest.mark.parametrize(
    "home, project, expected, problems",
    [
        ("pressure.info = 0.95", "", (0.72, 0.90), ["pressure.info"]),
        ("pressure.urgent = 0.5", "", (0.72, 0.90), ["pressure.urgent"]),
        ("pressure.urgent = 0.72", "", (0.72, 0.90), ["pressure.urgent"]),
        ("pressure = {info = 0.9, urgent = 0.8}", "", (0.72, 0.90), ["pressure.info"]),
        ("pressure = {info = 0.95, urgent = 0.99}", "", (0.95, 0.99), []),
        ("pressure.info = 0.3", "pressure.urgent = 0.2", (0.3, 0.90), ["pressure.urgent"]),
        ("pressure.info = 0.3", "pressure.urgent = 0.5", (0.3, 0.5), []),
    ],
    ids=["info", "urgent", "equal", "both", "both-moved", "across-files", "across-files-fine"],
)
def test_levels_stay_in_order(folders, home, project, expected, problems):
    """A file that would put info at or above urgent changes neither."""
    loaded = folders.write(home=home, project=project)
    got = (loaded.settings["pressure.info"], loaded.settings["pressure.urgent"])
    assert got == expected
    assert [p.what.split()[0] for p in loaded.problems] == problems


@pytest.mark.parametrize(
    "text, line, column, meant",
    [
        ("[presure]\ninfo = 0.5", 2, 1, "did you mean pressure.info?"),
        ("[pressure]\n  inof = 0.5", 2, 3, "did you mean pressure.info?"),
        ("pressure.stale-after = 1", 1, 1, "did you mean pressure.stale_after?"),
        ("Pressure.Info = 0.5", 1, 1, "did you mean pressure.info?"),
        ("max_continuations = 3", 1, 1, "did you mean stage.max_continuations?"),
        ("\n'pressure.info' = 0.5", 2, 1, "write pressure.info without quotes"),
        ("[stage]\nthresholds.spirnt = 1", 2, 1, "did you mean stage.thresholds.sprint?"),
        ("[stage.thresholds]\na = 1\nx.y = { audi = 3 }", 2, 1, "remove it"),
        ("[colours]\nbackground = 'red'", 2, 1, "remove it"),
        ("[colours]", 1, 1, "remove it"),
        ("[[pressures]]\na = 1", 1, 1, "remove it"),
    ],
)
def test_unknown_keys_are_told_with_a_suggestion(folders, text, line, column, meant):
    """An unknown key is reported with its position and, if one is similar, the key that was meant."""
    loaded = folders.write(home=text)
    assert loaded.settings == DEFAULTS
    problem = loaded.problems[0]
    assert (problem.line, problem.column) == (line, column)
    assert problem.what.startswith("unknown key")
    assert problem.remedy.startswith(meant)


@pytest.mark.parametrize(
    "text, what",
    [
        ("pressure = 0.5", "pressure is a table of settings, not 0.5"),
        ("[[pressure]]\ninfo = 0.5", "pressure is a table of settings, not a list"),
        ("stage.thresholds = 30", "stage.thresholds is a table of settings, not 30"),
        (
            "[pressure.info]\nlevel = 0.5",
            "pressure.info takes a number from 0.01 to 1.0, not a table",
        ),
    ],
)
def test_tables_and_values_are_not_confused(folders, text, what):
    """A value in place of a table, or a table in place of a value, is reported as such."""
    loaded = folders.write(home=text)
    assert loaded.settings == DEFAULTS
    assert [(p.line, p.what) for p in loaded.problems] == [(1, what)]


SYNTAX = [
    ("[pressure]\ninfo = 0.5\nlevel = off\n", 3, 9),
    ("[pressure\ninfo = 0.5\n", 1, 10),
    ("\n\ninfo 0.5", 3, 6),
    ("a = 1\na = 2\n", 2, 6),
    ("a = 'never closed\n", 1, 18),
    ('\na = """never\nclosed', 3, 7),
    ("a = [1,\n2", 2, 2),
]


@pytest.mark.parametrize("text, line, column", SYNTAX)
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_syntax_errors_name_the_line(folders, text, line, column, ends):
    """A file that is not TOML is one problem, at the position of the fault."""
    source = "capture.level = 'off'\n" + text
    loaded = folders.write(home=source.replace("\n", ends).encode())
    assert loaded.settings == DEFAULTS
    (problem,) = loaded.problems
    assert (problem.line, problem.column) == (line + 1, column)
    assert problem.what.startswith("not TOML: ")
    assert problem.excerpt == source.split("\n")[line]


def test_bad_encoding_names_the_byte(folders):
    """A file that is not UTF-8 is one problem, at the position of the first wrong byte."""
    loaded = folders.write(home="a = 1\né = '".encode() + b"\xff'\n")
    assert [(p.line, p.column, p.what) for p in loaded.problems] == [(2, 6, "is not UTF-8 text")]


@pytest.mark.parametrize(
    "line",
    ["key{} = 1", "a.b.key{} = 1", "key{} = {{ a = 1 }}"],
    ids=["flat", "dotted", "inline"],
)
def test_many_mistakes_are_bounded(folders, line):
    """Of many mistakes the first twenty are reported, in order, and the rest are counted."""
    lines = [line.format(i) for i in range(10)] + [f"x{i} = 1" for i in range(490)]
    loaded = folders.write(home="\n".join(lines))
    assert [p.line for p in loaded.problems] == [*range(1, 21), 0]
    assert loaded.problems[-1].what == "has 480 more problems"


def test_many_wrong_values_are_bounded(folders):
    """Wrong values of known keys count towards the same limit."""
    lines = [
        f'{key} = "?"'
        for key, setting in SETTINGS.items()
        if not isinstance(setting.kind, (Name, Names))
    ]
    loaded = folders.write(home="\n".join(lines))
    assert [p.line for p in loaded.problems] == [*range(1, 21), 0]
    assert loaded.problems[-1].what == f"has {len(lines) - 20} more problems"


# --- files that are no configuration ------------------------------------------------------------


def hostile_link(folders):
    """Put a link to a file elsewhere in place of the project's file."""
    with open(folders.home_file + ".other", "w", encoding="utf-8") as file:
        file.write("pressure.info = 0.5")
    os.symlink(folders.home_file + ".other", folders.project_file)


def hostile_pipe(folders):
    """Put a pipe that nobody writes to in its place."""
    os.mkfifo(folders.project_file)


def hostile_directory(folders):
    """Put a directory in its place."""
    os.mkdir(folders.project_file)


def hostile_size(folders):
    """Put a file larger than the limit in its place."""
    with open(folders.project_file, "w", encoding="utf-8") as file:
        file.write("pressure.info = 0.5\n" + "#" * 256 * 1024)


@pytest.mark.parametrize(
    "put, what",
    [
        (hostile_link, "is a symbolic link and is not read"),
        (hostile_pipe, "is not a regular file"),
        (hostile_directory, "is not a regular file"),
        (hostile_size, "is larger than 256 KiB"),
    ],
    ids=["link", "pipe", "directory", "size"],
)
def test_hostile_project_files_are_refused(folders, put, what):
    """A project's file that is not a small regular file is refused without reading or waiting."""
    put(folders)
    loaded = folders.write()
    assert loaded.settings == DEFAULTS
    assert [(p.path, p.line, p.what) for p in loaded.problems] == [(folders.project_file, 0, what)]


def test_a_file_just_within_the_limit_is_read(folders):
    """A file of exactly the size limit is read."""
    text = "pressure.info = 0.5\n"
    loaded = folders.write(project=text + "#" * (256 * 1024 - len(text)))
    assert loaded.problems == ()
    assert loaded.settings["pressure.info"] == 0.5


def test_the_person_may_link(folders):
    """The user's own file may be a symbolic link, as dotfiles often are."""
    with open(folders.home_file + ".other", "w", encoding="utf-8") as file:
        file.write("pressure.info = 0.5")
    os.symlink(folders.home_file + ".other", folders.home_file)
    assert folders.write().settings["pressure.info"] == 0.5


@pytest.mark.parametrize(
    "text",
    [
        "a." * 5000 + "a = 1",
        "a = " + "[" * 50_000,
        "a = " + "{a=" * 50_000,
        "capture.level = " + "1" * 100_000,
    ],
    ids=["parts", "arrays", "tables", "digits"],
)
def test_texts_made_to_hurt_are_one_problem(folders, text):
    """A text nested too deep or too long is refused as one problem."""
    loaded = folders.write(project="pressure.info = 0.5\n" + text)
    assert loaded.settings == DEFAULTS
    assert len(loaded.problems) == 1


def test_huge_hexadecimal_can_be_shown(folders):
    """A number too large to print in decimal is still described."""
    (problem,) = folders.write(project="pressure.stale_after = 0x" + "f" * 9000).problems
    assert problem.what.endswith("not so large a number")


def test_nothing_is_written(folders):
    """Loading leaves both directories as they were."""
    folders.write(home="pressure.info = 0.5", project="x = 1")
    assert os.listdir(folders.home) == ["config.toml"]
    assert os.listdir(folders.project) == [".claude"]
    assert os.listdir(os.path.join(folders.project, ".claude")) == ["journal.toml"]


@pytest.mark.parametrize(
    "word, expected",
    [("pressure.info", "pressure.info"), ("presure.infos", "pressure.info"), ("zzz", ""), ("", "")],
)
def test_nearest(word, expected):
    """Only a key a few typos away is suggested."""
    assert nearest(word, tuple(SETTINGS)) == expected


@given(
    key=st.sampled_from(list(SETTINGS)),
    slip=st.sampled_from(["drop", "double", "swap", "case"]),
    at=st.integers(0, 200),
)
def test_one_slip_is_understood(key, slip, at):
    """A key with one typo has that key as the nearest."""
    at %= len(key) - 1
    text = {
        "drop": key[:at] + key[at + 1 :],
        "double": key[: at + 1] + key[at:],
        "swap": key[:at] + key[at + 1] + key[at] + key[at + 2 :],
        "case": key.upper(),
    }[slip]
    assert nearest(text, tuple(SETTINGS)) == key


@given(st.text())
def test_escaped_is_printable(text):
    """An escaped text is printable, and a printable text stays as it is."""
    assert escaped(text).isprintable()
    assert escaped(text) == text or not text.isprintable()
