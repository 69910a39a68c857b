"""How the projects of a journal home are named for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.history.logs import ProjectNames, short_names

if TYPE_CHECKING:
    from pathlib import Path


def test_short_names() -> None:
    """A project's name is shown without its digest if it is unambiguous."""
    found = short_names(["shop-1a2b3c4d", "docs-1a2b3c4d", "docs-99887766", "unfiled"])
    assert found == {
        "shop-1a2b3c4d": "shop", "docs-1a2b3c4d": "docs-1a2b3c4d",
        "docs-99887766": "docs-99887766", "unfiled": "unfiled",
    }  # fmt: skip


def test_a_journal_that_is_added_later_counts(tmp_path: Path) -> None:
    """A name that an import makes ambiguous is shown whole from then on."""
    name_of = ProjectNames(str(tmp_path))
    assert name_of("shop-1a2b3c4d") == "shop-1a2b3c4d"  # no journal of this home
    (tmp_path / "shop-1a2b3c4d" / "imported").mkdir(parents=True)
    assert name_of("shop-1a2b3c4d") == "shop"
    (tmp_path / "shop-99887766" / "imported").mkdir(parents=True)
    assert name_of("shop-1a2b3c4d") == "shop-1a2b3c4d"
