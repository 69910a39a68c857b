"""Damage of the logs that a command read gives exit code 1, and is said."""

from __future__ import annotations

import pytest

from tests.support.examples import third


def damage(workspace, how: str) -> None:
    """Damage the journal of the recorded session."""
    lines = workspace.segment.read_bytes().split(b"\n")
    if how == "flipped":
        lines[4] = lines[4].replace(b"prompt", b"promqt", 1)
    elif how == "lost":
        del lines[4]
    else:
        lines[-1] = b'{"seq":34,"ts":"2026'
    workspace.segment.write_bytes(b"\n".join(lines))


@pytest.mark.parametrize("how, code", [("flipped", 1), ("lost", 1), ("torn", 0)])
@pytest.mark.parametrize("words", [["status"], ["view", "pressure"], ["events"], ["replay"],
                                   ["verify"]], ids=" ".join)  # fmt: skip
def test_findings_are_one(words, how, code, played):
    """A damaged or missing record gives exit code 1; a torn end loses nothing."""
    damage(played, how)
    result = played.journal(*words)
    assert result.code == code
    assert result.out
    said = result.out + result.err
    assert ("not complete" in said or "not in order" in said) == bool(code)


def test_complete_is_false_over_findings(played):
    """A view itself says whether the whole journal could be read."""
    assert played.journal("view", "compound").data["complete"] is True
    damage(played, "flipped")
    assert played.journal("view", "compound").data["complete"] is False
    assert played.journal("status", "--json").data["complete"] is False


def test_after_a_repair_reading_is_in_order_again(played):
    """A gap named by a repair is mentioned in the view, and is no longer a finding."""
    damage(played, "flipped")
    assert played.journal("repair").code == 0
    result = played.journal("view", "compound")
    assert result.code == 0
    assert result.err.count("\n") == 1
    assert "known losses" in result.err
    assert "1 event lost before a repair (seq 5)" in result.err
    assert result.data["complete"] is False


@pytest.mark.parametrize("words", third([[], ["stats"], ["usage"], ["tune"], ["unit", "list"]]),
                         ids=lambda words: " ".join(words) or "bare")  # fmt: skip
def test_a_home_that_cannot_be_read_does_not_look_empty(words, played, monkeypatch):
    """Where permissions keep the home from being listed, no command says that nothing is there."""
    assert played.journal(*words).code == 0
    denied = {str(played.home): False}  # modes do not bind root
    monkeypatch.setattr("journal.home.os.access", lambda path, _mode: denied.get(path, True))
    result = played.journal(*words)
    assert (result.code, result.out) == (3, "")
    assert "cannot be read" in result.err
    assert "chmod 700" in result.err
