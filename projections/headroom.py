"""How much context is left until compaction, worded the same in every message and report."""

from __future__ import annotations


class Headroom:
    """How much context is left until compaction, or until the window is full.

    tokens: context tokens in use. compacts: whether automatic compaction is on. limit: the
    compaction threshold, or the size of the window if it is off. by_hand: whether `/compact` works.
    """

    def __init__(self, tokens: int, limit: int, compacts: bool, by_hand: bool = True) -> None:
        self.tokens = tokens
        self.limit = limit
        self.compacts = compacts
        self.by_hand = by_hand

    @property
    def left(self) -> float:
        """Return the percentage of the limit that is left, with one decimal."""
        return round(max(0.0, 100 * (self.limit - self.tokens) / self.limit), 1)

    def text(self, language: str = "en") -> str:
        """Return a text such as `39.4% left until compaction`, in "en", "ja" or "ko"."""
        return headroom_text(self.left, compacts=self.compacts, language=language)


_LEFT = {
    "en": (
        "{}% left until compaction",
        "{}% of the usable window left, automatic compaction is off",
    ),
    "ja": ("圧縮まで残り{}%", "使えるウィンドウの残り{}%、自動圧縮はオフ"),
    "ko": ("압축까지 {}% 남음", "쓸 수 있는 창의 {}% 남음, 자동 압축 꺼짐"),
}


def headroom_text(left: float, *, compacts: bool, language: str = "en") -> str:
    """Return the wording of a percentage of context left, the same in every message and report."""
    return _LEFT[language][not compacts].format(left)
