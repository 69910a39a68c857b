"""Secrets below a heading that names them, in the tables of CSV, Markdown and databases."""

from __future__ import annotations

import pytest

from journal.redaction import redact
from tests.support.rows import each

PW = "hunt" + "er2x"
TAG = "[redacted:column]"
TABLES = {
    "csv": "name,password,role\nbob,{},admin\nann,{},user",
    "German": "name;kennwort\nbob;{}",
    "last": "name,password\nbob,{}",
    "quoted": '"name","password"\n"bob","{}"',
    "semicolon": "name;login;password\nshop;bob;{}",
    "tab": "user\tpassword\nbob\t{}",
    "markdown": "| user | password |\n|------|----------|\n| bob | {} |",
    "psql-last": " user | password \n------+----------\n bob  | {}",
    "psql": " id | name | password\n----+------+----------\n  1 | bob | {}",
    "insert": "INSERT INTO users (name, `password`, role) VALUES ('bob', '{}', 1), ('ann', N'{}', 2);",
    "insert-lines": 'insert into "users"("id", "user_password")\nvalues\n  (nextval(\'ids\'), \'{}\');',
    "insert-function": 'REPLACE INTO t(at,api_key)VALUES(coalesce(at, 0),"{}")',
    "spaces": "USER    PASSWORD  AGE\nbob     {}  3d\nann    {}   4d",
    "drawn": "┌──────┬──────────┐\n│ user │ password │\n├──────┼──────────┤\n│ bob  │ {} │",
    "within": "the export:\n\nname,api_key\nmaps,{}\n\nand the rest",
}
ORDINARY = {
    "words": "name,password\nbob,required\nann,optional",
    "list": "user, password, token\nfield1, field2, field3",
    "other-cells": "name,password\n1 row of hunter2x here",
    "insert-placeholders": "INSERT INTO users (name, password) VALUES (%s, %s), ('bob', 'changeme')",
    "insert-others": "INSERT INTO users (name, role) VALUES ('bob', 'hunter2x')",
    "insert-function": "INSERT INTO users (password) VALUES (crypt('secret', gen_salt('bf')))",
    "spaces": "USER  PASSWORD\nbob   required\n\nbob   hunter2x",
    "prose": "It needs a name, a password, a token\nline2a, line2b",
    "lone-word": "    def f(\n        token\n    )\n    @user_id.setter",
    "arguments": "f(\n    password,\n    mode_v1=Control1,\n)",
    "code": "def login(user, password, token1):\n    return a1b2c3d4, b, c",
}


@each("table", TABLES.values(), ids=TABLES)
def test_cells_below_the_heading_are_redacted(table: str) -> None:
    """Each cell below the heading goes; all other text stays."""
    clean = table.replace("{}", TAG)
    for secret in (PW, "rwqdl" + "txki", "violet-" + "otter-garage"):
        assert redact(table.replace("{}", secret)) == clean
    assert redact(clean) is clean


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_cells_stay(text: str) -> None:
    """Words, lines with another number of cells and code are returned as the same object."""
    assert redact(text) is text
