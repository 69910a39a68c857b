"""Replace the cells of a table below a heading such as `password`: CSV, Markdown, psql, MySQL.

Invariant: a heading is a line of two or more cells (in Markdown, of one), of which one is the name
of a secret and all are names; only lines with as many cells count as rows, and only cells that look
like a secret are replaced. In SQL, the heading is the list of columns before `VALUES`.
"""

from __future__ import annotations

import re

from journal.redaction.value_kinds import (
    has_stem,
    is_lettered,
    is_mixed,
    is_placeholder,
    is_reference,
    is_unpronounceable,
    is_words,
)

TAG = "[redacted:column]"

_SIGNS = ("|", "\t", ";", ",", "\u2502", "  ")
_RULES = " \t\r|+-:=" + "".join(map(chr, range(0x2500, 0x2580)))  # what lines are drawn with
_HEADINGS = frozenset(
    "password passwd pass pwd pw passphrase secret token apikey api_key secretkey secret_key "
    "accesstoken access_token authtoken auth_token apitoken api_token clientsecret client_secret "
    "secretaccesskey secret_access_key refreshtoken refresh_token privatekey private_key "
    "パスワード 비밀번호 密码 passwort kennwort senha contraseña".split()
)
_ROWS = 5000  # lines below a heading that are looked at
# The columns of an INSERT, a cell of its rows, and what stands between two rows.
_VALUES = re.compile(r"(?i)\(([\w\s,.`\"\[\]\\]{1,400})\)\s{0,40}values\s{0,40}(?=\()")
_CELL = re.compile(
    r"[,(]\s{0,40}N?('(?:[^'\n]|''){0,400}'|\"[^\"\n]{0,400}\"|"
    r"(?:[^,()'\"]|\([^()]{0,400}\)){0,400})\s{0,40}(?=[,)])"
)
_BETWEEN = re.compile(r"\)\s{0,40},\s{0,40}(?=\()")


def without_columns(text: str) -> str:
    """Replace each secret below a heading that names it; the same object if there is none."""
    text = _without_inserted(text)
    lines = text.split("\n")
    changed = False
    columns: tuple[int, ...] = ()
    sign, cells, left = "", 0, 0
    for at, line in enumerate(lines):
        heading = _heading(line)
        if heading is not None:
            sign, columns, cells = heading
            left = _ROWS
        elif left:
            left -= 1
            parts = _split(line, sign)
            if len(parts) != cells:
                left = left if line.strip(_RULES) == "" and line.strip() else 0
                continue
            fresh = [
                _replaced(part, sign) if n in columns else part for n, part in enumerate(parts)
            ]
            if fresh != parts:
                lines[at] = ("" if sign == "  " else sign).join(fresh)
                changed = True
    return "\n".join(lines) if changed else text


def _without_inserted(text: str) -> str:
    """Replace each secret in the rows of an INSERT whose columns name it."""
    out: list[str] = []
    copied = 0
    for match in _VALUES.finditer(text):
        names = [re.sub(r"\W", "", name).lower() for name in match[1].split(",")]
        named = [bool({name, name.rpartition("_")[2]} & _HEADINGS) for name in names]
        at, n = match.end(), 0
        while any(named) and (cell := _CELL.match(text, at)):
            fresh = _replaced(cell[1], "|") if named[n : n + 1] == [True] else cell[1]
            if fresh != cell[1]:
                out += (text[copied : cell.start(1)], fresh)
                copied = cell.end(1)
            at, n = cell.end(), n + 1
            if between := _BETWEEN.match(text, at):
                at, n = between.end(), 0
    return "".join((*out, text[copied:])) if out else text


def _heading(line: str) -> tuple[str, tuple[int, ...], int] | None:
    """Return the separator, the columns of secrets and the number of cells of a heading."""
    if len(line) > 400:
        return None
    for sign in _SIGNS:
        if sign not in line or ", " in line:  # a list of words in prose or code
            continue
        cells = [_bare(cell).lower() for cell in _split(line, sign)]
        names = [cell.replace(" ", "").replace("-", "_") for cell in cells]
        columns = tuple(n for n, name in enumerate(names) if name in _HEADINGS)
        alone = sign not in "|\u2502" and len(list(filter(None, cells))) < 2  # a word in code
        if columns and not alone and all(_is_name(cell) for cell in cells):
            return sign, columns, len(cells)
    return None


def _split(line: str, sign: str) -> list[str]:
    """Return the cells of a line, spaces included; two spaces and more separate cells, too."""
    return re.split(r"(?<=\S)(?=  )", line.rstrip()) if sign == "  " else line.split(sign)


def _bare(cell: str) -> str:
    return cell.strip(" \t\r").strip("\"'`*")


def _is_name(cell: str) -> bool:
    letters = cell.replace(" ", "").replace("_", "").replace("-", "").replace(".", "")
    return not letters or (letters.isalpha() and len(cell) <= 30)


def _replaced(cell: str, sign: str) -> str:
    """Return a cell with its value replaced, quotes and spaces as they were, if it is a secret."""
    value = _bare(cell)
    if len(value) < 6 or " " in value or "(" in value or has_stem(value):
        return cell
    worded = is_unpronounceable if sign == "," else is_lettered  # code has lists of names
    drawn = (
        is_mixed(value)
        or is_words(value)
        or (len(value) > 7 and value.isalpha() and worded(value))
        or any(c in "!#$%&*@^+" for c in value)
    )
    if not drawn or is_reference(value) or is_placeholder(value):
        return cell
    return cell.replace(value, TAG)
