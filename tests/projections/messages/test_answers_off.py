"""Notices that work without views: the setting decides their language."""

from __future__ import annotations

import string

import pytest

from projections.messages.answers_off import TEXTS, notice

MARKS = {"auto": "messages are off", "en": "messages are off", "ja": "オフ", "ko": "꺼져"}


@pytest.mark.parametrize("setting", MARKS)
def test_the_setting_names_the_language(setting: str) -> None:
    """Without views `auto` means English; each text contains the values it is given."""
    values = {"interpreter": "/usr/bin/python3", "why": "has no msgspec", "command": "/bin/journal"}
    text = notice(setting, "answers_off", **values)
    assert MARKS[setting] in text
    assert "/usr/bin/python3 has no msgspec" in text
    assert "/bin/journal setup" in text
    off = notice(setting, "journal_off", path="/home/x", what="is not writable")
    assert "/home/x is not writable" in off
    assert "chmod u+w" in notice(setting, "remedy", remedy="chmod u+w /home/x")


@pytest.mark.parametrize("name", TEXTS)
def test_each_language_has_the_same_fields(name: str) -> None:
    """Each translation uses the same fields."""
    fields = [{found[1] for found in string.Formatter().parse(text)} for text in TEXTS[name]]
    assert fields[0] == fields[1] == fields[2]
