"""Damage seen in real logs, one function each, and what is lost by it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.support.examples import third

if TYPE_CHECKING:
    from collections.abc import Callable

    from .book import Book

RECORDS = 30
Lines = list[bytes]


def _splice(lines: Lines) -> bytes:
    """A record begins in the middle of another one, without a newline between."""
    return _joined([*lines[:10], lines[10][:50] + lines[11], *lines[12:]])


def _no_newline(lines: Lines) -> bytes:
    return _joined([*lines[:10], lines[10] + lines[11], *lines[12:]])


def _no_newline_at_the_end(lines: Lines) -> bytes:
    return _joined([*lines[:-2], lines[-2] + lines[-1]])


def _nul_run(lines: Lines) -> bytes:
    return _joined([*lines[:10], b"\0" * 4096 + lines[10], *lines[11:]])


def _nul_end(lines: Lines) -> bytes:
    return _joined(lines) + b"\0" * 512


def _crlf(lines: Lines) -> bytes:
    return b"".join(line + b"\r\n" for line in lines)


def _bom(lines: Lines) -> bytes:
    return b"\xef\xbb\xbf" + _joined(lines)


def _reformatted(lines: Lines) -> bytes:
    return _joined([json.dumps(json.loads(line)).encode() for line in lines])


def _one_reformatted(lines: Lines) -> bytes:
    return _joined([*lines[:10], json.dumps(json.loads(lines[10])).encode(), *lines[11:]])


def _deleted(lines: Lines) -> bytes:
    return _joined([*lines[:10], *lines[12:]])


def _duplicated(lines: Lines) -> bytes:
    return _joined([*lines[:11], lines[10], *lines[11:]])


def _last_duplicated(lines: Lines) -> bytes:
    return _joined([*lines, lines[-1]])


def _swapped(lines: Lines) -> bytes:
    return _joined([*lines[:10], lines[11], lines[10], *lines[12:]])


def _last_swapped(lines: Lines) -> bytes:
    return _joined([*lines[:-2], lines[-1], lines[-2]])


def _reversed(lines: Lines) -> bytes:
    return _joined(lines[::-1])


def _blank(lines: Lines) -> bytes:
    return _joined([*lines[:10], b"", *lines[10:]])


def _foreign_text(lines: Lines) -> bytes:
    return _joined([*lines[:10], b"remember to buy milk", *lines[10:]])


def _last_damaged(lines: Lines) -> bytes:
    return _joined([*lines[:-1], lines[-1].replace(b"note", b"moth")])


def _first_damaged(lines: Lines) -> bytes:
    return _joined([lines[0].replace(b"segment", b"garment"), *lines[1:]])


def _edited(lines: Lines) -> bytes:
    """A word was edited by hand and the checksum left as it was."""
    return _joined([*lines[:10], lines[10].replace(b"0009", b"9999"), *lines[11:]])


def _joined(lines: Lines) -> bytes:
    return b"".join(line + b"\n" for line in lines)


WILD: dict[str, tuple[Callable[[Lines], bytes], set[int], str, str]] = {
    # function that damages, seqs lost, verdict, a word of the first finding
    "splice": (_splice, {11}, "corrupt", "foreign bytes"),
    "missing newline": (_no_newline, set(), "corrupt", "whole record(s) 11, 12"),
    "missing newline at the end": (_no_newline_at_the_end, set(), "corrupt", "30, 31"),
    "NUL run before a record": (_nul_run, set(), "corrupt", "4096 foreign bytes"),
    "NUL run at the end": (_nul_end, set(), "corrupt", "512 NUL bytes"),
    "CRLF rewrite": (_crlf, set(), "corrupt", "1 foreign bytes"),
    "byte order mark": (_bom, set(), "corrupt", "3 foreign bytes"),
    "all reformatted with spaces": (_reformatted, set(range(2, 32)), "corrupt", "checksum"),
    "one reformatted with spaces": (_one_reformatted, {11}, "corrupt", "checksum"),
    "two deleted": (_deleted, {11, 12}, "anomaly", "gap: seq 11 to 12"),
    "one duplicated": (_duplicated, set(), "anomaly", "a duplicate"),
    "the last duplicated": (_last_duplicated, set(), "anomaly", "a duplicate"),
    "two swapped": (_swapped, set(), "anomaly", "out of order"),
    "the last two swapped": (_last_swapped, set(), "anomaly", "out of order"),
    "reversed": (_reversed, set(), "anomaly", "out of order"),
    "blank line": (_blank, set(), "corrupt", "a blank line"),
    "foreign text": (_foreign_text, set(), "corrupt", "not a whole record"),
    "the last damaged": (_last_damaged, {31}, "corrupt", "checksum"),
    "the first damaged": (_first_damaged, set(), "corrupt", "checksum"),
    "edited by hand": (_edited, {11}, "corrupt", "checksum"),
}
CASES = pytest.mark.parametrize("case", WILD.values(), ids=WILD.keys())
Case = tuple["Callable[[Lines], bytes]", set[int], str, str]


def some_cases(rule: str) -> pytest.MarkDecorator:
    """Parametrize a test like CASES; by default with a third of them, others for each rule."""
    names = third(WILD, rule)
    return pytest.mark.parametrize("case", [WILD[name] for name in names], ids=names)


def broken(book: Book, case: Case) -> dict[int, str]:
    """Damage the journal; return what must still be read from it."""
    book.fill(RECORDS)
    book.active.write_bytes(case[0](book.lines()))
    return {seq: text for seq, text in book.acknowledged.items() if seq not in case[1]}
