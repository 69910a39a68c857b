"""The table of settings, and the manual that is made of it."""

from __future__ import annotations

from journal.config.schema import DEFAULTS, ORDERED, RULES, SETTINGS
from tests.tools.configuration_page import manual


def test_default_satisfies_its_row():
    """A default is a value the key accepts, and the row is well formed."""
    for key, setting in SETTINGS.items():
        assert setting.kind.accept(setting.default) == setting.default, key
        assert setting.rule in RULES, key
        assert setting.text.endswith("."), key


def test_a_table_is_never_also_a_value():
    """No key is the prefix of another one, and no setting was lost."""
    assert not [a for a in SETTINGS for b in SETTINGS if b.startswith(a + ".")]
    assert len(SETTINGS) >= 52  # settings are a contract: none may be removed


def test_ordered_pairs_hold_for_the_defaults():
    """By default each ordered pair of settings is in order."""
    assert all(DEFAULTS[low] < DEFAULTS[high] for low, high in ORDERED)


def test_manual_names_every_key():
    """The manual has a row for each key under its table."""
    for key in SETTINGS:
        table, _, name = key.rpartition(".")
        section = manual().partition(f"\n## [{table}]\n")[2].partition("\n## ")[0]
        assert f"| `{name}` |" in section, key
