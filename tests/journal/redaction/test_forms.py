"""Recall on the working set: the forms in which developers' texts show secrets, with random values.

The rules were written with these forms in view, so the figure says nothing about unseen ones.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from journal.redaction import redact
from tests.journal.redaction.published import fill
from tests.support.examples import part

PASSWORDS = ("{a6}7!{a3}", "tovu{d4}", "Rakimo{d2}!")
TOKENS = ("{h40}", "{a12}7{a19}", "{a20}4_{a22}")
# What stands in a form beside {s}, a password, and {t}, a token.
PIECES = {
    "b": "{b38}==", "h": "{h32}", "H": "{H32}", "sig": "{a40}%3D", "u": "{uuid}", "k": "{l6}.{l16}",
    "k2": "{A4}-{A4}-{A4}-{A4}", "k44": "{b43}=", "s2": "bimo{d4}", "t2": "{a32}", "s53": "{a53}",
    "s8": "{a8}", "s16": "{a16}", "s22": "{a22}", "s86": "{a86}", "m": "abandon ability able about",
}  # fmt: skip
SECRET = re.compile(r"\{(?:b|h|H|u|sig|k|k2|k44|m|s\d+|[ahlw]\d+)\}")
UNRECOGNISED = "unrecognised"


def _forms() -> dict[str, list[str]]:
    """Return the forms by family."""
    families: dict[str, list[str]] = {}
    lines: list[str] = []
    text = Path(__file__).with_name("forms.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("## "):
            lines = families.setdefault(line[3:], [])
        elif line and not line.startswith("#! "):
            lines.append(line)
    return families


FORMS = _forms()


def _fill(source: random.Random, secrets: list[str], match: re.Match[str]) -> str:
    """Return what stands for a piece of a form; remember it if it is a secret."""
    piece = match[0]
    part = fill(PIECES.get(piece[1:-1], piece), source)
    if part != piece and SECRET.fullmatch(piece):
        secrets.append(part)
    return part


def _examples(form: str, source: random.Random) -> list[tuple[str, str]]:
    """Return (text, secret) for each kind of value that a form can hold."""
    kinds = PASSWORDS + TOKENS[:1] if "{s}" in form else TOKENS if "{t}" in form else ("",)
    found = []
    for kind in kinds:
        value = fill(kind, source)
        text = form.replace("\\n", "\n").replace("\\t", "\t")
        secrets = [value] if value else []
        text = text.replace("{s}", value).replace("{t}", value)
        text = re.sub(r"\{\w{1,3}\}", partial(_fill, source, secrets), text)
        found.append((text, secrets[0]))
    return found


@pytest.mark.parametrize("family", [name for name in FORMS if name != UNRECOGNISED])
def test_forms_of_a_family_are_recognised(family: str) -> None:
    """At least 98 % of the values in the forms of each family are redacted."""
    source = random.Random(family)
    rows = [row for form in part(FORMS[family], 8, family) for row in _examples(form, source)]
    missed = [text for text, secret in rows if secret in redact(text)]
    assert len(missed) <= 0.02 * len(rows), missed[:10]


def test_share_of_all_forms(capsys: pytest.CaptureFixture[str]) -> None:
    """Over all families, those in which nothing tells a secret from a word included, 95 %."""
    source = random.Random(3)
    total: Counter[bool] = Counter()
    for family, forms in FORMS.items():
        for form in part(forms, 10, family):
            total.update(secret in redact(text) for text, secret in _examples(form, source))
    share = total[False] / total.total()
    with capsys.disabled():
        print(f"\nworking set, {total.total()} values: recall {share:.4f}")
    assert share >= 0.95
