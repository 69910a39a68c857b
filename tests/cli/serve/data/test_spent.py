"""Tokens and cost of sessions on the page: the figures of `journal usage`, unknown ones left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.serve.data.spent import Spending, Spent
from tests.cli.serve.page.seed import LIVE, SHOP, seed

if TYPE_CHECKING:
    from pathlib import Path


def test_figures_of_a_home(tmp_path: Path) -> None:
    """Each session with replies has its own; the rest have none."""
    seed(tmp_path / "journal")
    found = Spending(str(tmp_path / "journal")).by_session()
    assert set(found) == {f"{SHOP}/{LIVE}", f"{SHOP}/00000005-b528-49db-9cf4-92a4658e0b0f"}
    spent = found[f"{SHOP}/{LIVE}"]
    assert spent.tokens == 40 * 71_300
    assert spent.cost is not None
    assert spent.cost > 0


def test_no_home_yet(tmp_path: Path) -> None:
    """Without a journal there are no figures and no error."""
    assert Spending(str(tmp_path / "none")).by_session() == {}


def test_words() -> None:
    """An unknown figure is named or left out; the cost of compactions is beside the total."""
    assert Spent(1_200_000, 2.5, 0.4).short == "1.2M tokens · $2.50"
    assert Spent(900, None, None).short == "900 tokens"
    assert "unknown" in Spent(900, None, None).sentence
    assert Spent(900, 2.0, 0.4).sentence.endswith("$0.40 of it for compactions")
