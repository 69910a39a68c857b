"""Values of each kind of setting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from journal.config.kinds import Name, Names, Number, Switch, Word

if TYPE_CHECKING:
    from journal.config.schema import Setting


def values(setting: Setting) -> list[Any]:
    """Return values of a setting from least to most (for names: some tuples of names)."""
    match setting.kind:
        case Switch():
            return [False, True]
        case Word(words=words):
            return list(words)
        case Number(low=float()):
            return [0.02, 0.5, 0.8, 0.95]
        case Name():
            return ["", "ann", "ann@example.com"]
        case Names():
            return [(), ("review",), ("ship", "plugin:name")]
        case Number(low=low, high=high):
            return [low, (low + high) // 2, high]
