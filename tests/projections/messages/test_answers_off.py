"""Notices that work without views: the setting decides their language."""

from __future__ import annotations

import string

import pytest

from projections.messages import answers_off
from projections.messages.answers_off import TEXTS

MARKS = {"auto": "messages are off", "en": "messages are off", "ja": "オフ", "ko": "꺼져"}


@pytest.mark.parametrize("setting", MARKS)
def test_the_setting_names_the_language(setting: str) -> None:
    """Without views `auto` means English; each text contains the values it is given."""
    text = answers_off.answers_off(setting, "/usr/bin/python3", "has no msgspec", "/bin/journal")
    assert MARKS[setting] in text
    assert "/usr/bin/python3 has no msgspec" in text
    assert "/bin/journal setup" in text
    off = answers_off.journal_off(setting, "/home/x", "is not writable", "chmod u+w /home/x")
    assert "/home/x is not writable" in off
    assert "chmod u+w" in off
    assert "chmod" not in answers_off.journal_off(setting, "/home/x", "is not writable", "")


@pytest.mark.parametrize("name", TEXTS)
def test_each_language_has_the_same_fields(name: str) -> None:
    """Each translation uses the same fields."""
    fields = [{found[1] for found in string.Formatter().parse(text)} for text in TEXTS[name]]
    assert fields[0] == fields[1] == fields[2]
