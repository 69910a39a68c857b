"""Substrings without which a text holds no secret."""

from __future__ import annotations

import random
import string
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from journal.redaction import found, redact
from journal.redaction.markers import EXACT, FOLDED, WORDS
from journal.redaction.rules import RULES
from tests.journal.redaction.samples import GH
from tests.support.examples import examples, scaled


def test_every_kind_of_secret_has_its_markers_and_its_rule() -> None:
    """Every marker leads to a rule and every rule has a marker; five kinds have modules of their own."""
    assert {name for name, *_ in (*WORDS, *EXACT, *FOLDED)} == {
        "private",
        "beside",
        "typed",
        "columns",
        "manifest",
        *RULES,
    }


@given(st.text(max_size=300))
@examples(300)
def test_text_without_a_marker_is_the_same_object(text: str) -> None:
    """A text without a marker is returned as the same object; one with a secret is not."""
    markers = [m for _, _, ms in (*WORDS, *EXACT, *FOLDED) for m in ms]
    if not any(marker in text or marker in text.lower() for marker in markers):
        assert redact(text) is text
    assert redact(text + "\n" + GH) is not text


def test_few_ids_hold_a_marker() -> None:
    """Of many keys of events none has a rule's marker, of UUIDs at most 1 %, of API ids 3 %."""
    count = scaled(3_000, 1_000)
    some = random.Random(5)
    letters = string.ascii_letters + string.digits
    ids = ["".join(some.choices(letters, k=22)) for _ in range(count)]
    for start in ("toolu_01", "msg_01", "req_011", "toolu_bdrk_01", "msg_vrtx_01"):
        assert sum(1 for id_ in ids if found(start + id_)) <= 0.03 * count, start
    keys = [f"{some.randbytes(8).hex()}.20261121090003000" for _ in range(count)]
    assert found(":".join(keys)) == set()
    uuids = [str(UUID(bytes=some.randbytes(16), version=4)) for _ in range(count)]
    assert 0 < sum(1 for uuid in uuids if found(uuid)) <= 0.01 * count


def test_names_of_projects_are_no_keys() -> None:
    """What follows `api-` is a key's only if it is as long as one; a hook reads such names each time."""
    for name in ("payments-api-v2", "token-journal-02", "private-repo-1", "x/prod-3/app-2.py y z"):
        assert found(name) == set(), name
    assert found("acme_api-" + 8 * "a1") == {"keyed"}
    assert found("api-v2/api_" + 8 * "a1" + " and more") == {"keyed"}


def test_a_token_with_01_in_it_is_no_id() -> None:
    """Only what begins like an id of the API passes for one."""
    assert found("toolu_01Xy7Qm3kLp9Rs2TvBn4Wc8") == set()
    assert found("acmeK-4Xq_01Xy-7Qm3kLp_9Rs2TvBn4Wc8")


def test_paths_of_tests_hold_no_marker() -> None:
    """A test file with a number in its name is no token that begins with `test_`; a token is."""
    for path in (
        "tests/test_cart2.py",
        "src/test_pricing_v2.py",
        "/tmp/test_instructions0/a.jsonl",
    ):
        assert found(path) == set(), path
    assert found("test_" + "9f3c1e7a" * 5)
