"""Rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cli.table import Command

__all__ = ["ROWS"]

ROWS: tuple[Command, ...] = ()
