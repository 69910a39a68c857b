"""The table of settings, and the manual that is made of it."""

from __future__ import annotations

import pytest

from journal.config.schema import DEFAULTS, ORDERED, RULES, SETTINGS
from tests.tools.configuration_page import manual


@pytest.mark.parametrize("setting", SETTINGS.values(), ids=SETTINGS)
def test_default_satisfies_its_row(setting):
    """A default is a value the key accepts, and the row is well formed."""
    assert setting.kind.accept(setting.default) == setting.default
    assert setting.rule in RULES
    assert setting.text.endswith(".")


def test_a_table_is_never_also_a_value():
    """No key is the prefix of another one, and no setting was lost."""
    assert not [a for a in SETTINGS for b in SETTINGS if b.startswith(a + ".")]
    assert len(SETTINGS) >= 52  # settings are a contract: none may be removed


def test_ordered_pairs_hold_for_the_defaults():
    """By default each ordered pair of settings is in order."""
    assert all(DEFAULTS[low] < DEFAULTS[high] for low, high in ORDERED)


@pytest.mark.parametrize("key", SETTINGS)
def test_manual_names_every_key(key):
    """The manual has a row for each key under its table."""
    table, _, name = key.rpartition(".")
    section = manual().partition(f"\n## [{table}]\n")[2].partition("\n## ")[0]
    assert f"| `{name}` |" in section
