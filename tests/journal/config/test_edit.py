"""Setting a value keeps the rest of the file, and writes nothing that would not load."""

from __future__ import annotations

import os
import stat
import tomllib
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as limits
from hypothesis import strategies as st

from journal.config.edit import set_value
from journal.config.kinds import toml
from journal.config.load import load
from journal.config.schema import SETTINGS
from journal.errors import JournalError, UsageError
from tests.journal.config.kinds import values

if TYPE_CHECKING:
    from tests.journal.config.conftest import Folders


def text_of(folders: Folders) -> str:
    """Return the text of the user's file."""
    with open(folders.home_file, encoding="utf-8", newline="") as file:
        return file.read()


@pytest.mark.parametrize(
    ("before", "key", "value", "after"),
    [
        ("", "pressure.info", "0.5", "[pressure]\ninfo = 0.5\n"),
        ("# mine", "pressure.info", "0.5", "# mine\n\n[pressure]\ninfo = 0.5\n"),
        ("[pressure]\ninfo = 0.6 # so\n", "pressure.info", "0.5", "[pressure]\ninfo = 0.5 # so\n"),
        ("[pressure] # here\n", "pressure.info", "0.5", "[pressure] # here\ninfo = 0.5\n"),
        ("[pressure]", "pressure.info", "0.5", "[pressure]\ninfo = 0.5\n"),
        ("pressure.urgent = 0.8\n", "pressure.info", "0.5",
         "pressure.info = 0.5\npressure.urgent = 0.8\n"),
        ("pressure = { urgent = 0.8 }\n", "pressure.info", "0.5",
         "pressure = {info = 0.5,  urgent = 0.8 }\n"),
        ("pressure = {}\n", "pressure.info", "0.5", "pressure = {info = 0.5}\n"),
        ("[stage.thresholds]\nship = 9\n", "stage.gate", "block",
         '[stage.thresholds]\nship = 9\n\n[stage]\ngate = "block"\n'),
        ("[stage]\r\ngate = 'off'\r\n", "stage.gate", "block", '[stage]\r\ngate = "block"\r\n'),
        ("[compound]\nphases = [\n  'a', # one\n]\nkeep_entries = 20\n", "compound.phases", "b, /c",
         '[compound]\nphases = ["b", "c"]\nkeep_entries = 20\n'),
        ("unknown = 1\n", "compound.trim", "off", "unknown = 1\n\n[compound]\ntrim = false\n"),
    ],
)  # fmt: skip
def test_the_rest_of_the_file_stays(
    folders: Folders, before: str, key: str, value: str, after: str
) -> None:
    """A value is replaced in place, or else added where TOML allows it."""
    if before:
        folders.write(home=before)
    set_value(folders.home, key, value)
    assert text_of(folders) == after


@pytest.mark.parametrize("key", SETTINGS)
def test_every_setting_can_be_set(folders: Folders, key: str) -> None:
    """Each allowed value can be set as TOML or as a user types it, and then loads."""
    for value in values(SETTINGS[key]):
        folders.write(home="")
        if key.startswith("pressure.") and not 0.02 < float(value) < 0.9:
            continue
        for text in (toml(value), ",".join(value) if isinstance(value, tuple) else str(value)):
            typed = {"True": "on", "False": "off"}.get(text, text)
            try:
                set_value(folders.home, key, typed)
            except JournalError as error:
                assert "is not" in error.what  # info would not be below urgent  # noqa: PT017
                continue
            assert load(folders.home, None).settings[key] == value


@pytest.mark.parametrize(
    ("key", "value", "what", "remedy"),
    [
        ("presure.info", "0.5", "unknown setting presure.info", "did you mean pressure.info?"),
        ("zzz", "1", "unknown setting zzz", "see: journal config show"),
        ("pressure.info", "72", "pressure.info takes a number from 0.01 to 1.0, not 72",
         "the default is 0.72"),
        ("capture.level", "ful", 'capture.level takes "off" or "minimal" or "full", not "ful"',
         'the default is "full"'),
        ("compound.trim", "1\nx = 2", 'compound.trim takes true or false, not "1\\x0ax = 2"',
         "the default is true"),
    ],
)  # fmt: skip
def test_what_a_setting_does_not_take_is_refused(
    folders: Folders, key: str, value: str, what: str, remedy: str
) -> None:
    """The message says what the setting accepts, and nothing is written."""
    with pytest.raises(UsageError) as raised:
        set_value(folders.home, key, value)
    assert (raised.value.what, raised.value.remedy) == (what, remedy)
    assert not os.path.exists(folders.home_file)


def test_levels_that_would_change_places_are_refused(folders: Folders) -> None:
    """A value that is valid alone but not beside another one is refused with the reason."""
    folders.write(home="[pressure]\nurgent = 0.8\n")
    with pytest.raises(JournalError, match=r"pressure.info 0.85 is not below pressure.urgent 0.8"):
        set_value(folders.home, "pressure.info", "0.85")
    assert text_of(folders) == "[pressure]\nurgent = 0.8\n"
    set_value(folders.home, "pressure.info", "0.65")
    with pytest.raises(JournalError, match=r"pressure.info 0.65 is not below pressure.urgent 0.5"):
        set_value(folders.home, "pressure.urgent", "0.5")


def test_a_file_that_is_not_toml_is_not_edited(folders: Folders) -> None:
    """A broken file is left alone, and the message names the command that explains it."""
    folders.write(home="level = off\n")
    with pytest.raises(JournalError) as raised:
        set_value(folders.home, "pressure.info", "0.5")
    assert raised.value.remedy == "run: journal config check"
    assert text_of(folders) == "level = off\n"


def test_the_file_is_private_and_a_link_stays(folders: Folders, tmp_path) -> None:
    """A new file has mode 0600; if the file is a link, its target is edited, as dotfiles need it."""
    path, _ = set_value(folders.home, "pressure.info", "0.5")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    other = tmp_path / "dotfiles.toml"
    os.replace(folders.home_file, other)
    os.symlink(other, folders.home_file)
    set_value(folders.home, "pressure.info", "0.6")
    assert os.path.islink(folders.home_file)
    assert tomllib.loads(other.read_text()) == {"pressure": {"info": 0.6}}


LINES = st.lists(
    st.sampled_from(
        ["# c", "", "[pressure]", "[stage]", "[stage.thresholds]", "stage.gate = 'off'", "info = 0.3",
         "gate = 'off'", "ship = 3", "pressure = { info = 0.2 }", "x = [ 1, # ]", " ]", "thresholds.audit = 4",
         "pressure.info = 0.4", '"a.b" = """', '"""'],
    ),
    max_size=7,
)  # fmt: skip


@given(lines=LINES, key=st.sampled_from(["pressure.info", "stage.gate", "stage.thresholds.ship"]))
@limits(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_an_edit_changes_one_value_or_nothing(folders: Folders, lines: list[str], key: str) -> None:
    """In any file an edit sets the value and keeps all else, comments included, or writes nothing."""
    before = "\n".join(lines)
    folders.write(home=before)
    value = {"pressure.info": "0.11", "stage.gate": "block", "stage.thresholds.ship": "77"}[key]
    try:
        old = tomllib.loads(before)
        set_value(folders.home, key, value)
    except (tomllib.TOMLDecodeError, JournalError):
        assert text_of(folders) == before
        return
    after = text_of(folders)
    new = tomllib.loads(after)
    assert after.count("#") == before.count("#")
    for document in (old, new):
        table = document
        for part in key.split(".")[:-1]:
            table = table.setdefault(part, {})
        table[key.rpartition(".")[2]] = None
    assert new == old
