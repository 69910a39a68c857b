"""Tokens of any issuer: words, a sign, then characters at random; and what looks like one."""

from __future__ import annotations

import random

import pytest

from journal.redaction import redact
from tests.journal.redaction.published import fill
from tests.support.examples import scaled

PREFIXES = ("acme_", "zorb-", "acme_live_", "ZB_PROD_", "qx.v1.")
TAILS = {
    "mixed": "{a28}",
    "long": "{a64}",
    "one-case": "{l40}",
    "signs": "{a24}_{a12}-{a9}",
    "url": "{a9}-{a8}_{a11}-{a9}_{a12}",
}
HEXADECIMAL = ("acme_{h64}", "zorb_ort_{h40}", "zorb_ack_{h32}")
KEYED = (
    "acme_key_{h32}",
    "zorb_secret_{l24}",
    "sk_{uuid}",
    "acme-token-{h40}",
    "api_live.{a24}",
    "test_{h36}",
    "sk_live_{a12}-{a12}_{a12}",
    "rh-api-{l8}-{l4}-{l4}-{l4}-{l12}",
)
ORDINARY = {
    "call": "toolu_01A09q90qw90lq917835lq9 msg_014p7gG3wDgGV9EUtLvnow3U",
    "digest": "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU= sha512_Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8",
    "hexadecimal": "build-5f3c9a7b1e2d4c6f8a0b5f3c9a7b1e2d4c6f8a0b v1.2.3-0-gdeadbeefcafe1234567890",
    "uuid": "session-12345678-1234-1234-1234-123456789abc",
    "file": "/srv/static/chunk-Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8.js dist/vendor.a1b2c3d4e5f6.js",
    "name": "test_converts2Html5ToMarkdown3 u_strHasMoreChar32Than key_of_the_2nd_table_in_use",
    "object": "cus_NffrFeUfNV2Hib4k9A pi_3MtwBwLkdIwHu7ix28a3tqPa",
    "symbol": "FUNC:_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE7replaceEmmRKS4_@@V_3",
    "cache": "GET /v1/files/asset_Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9",
}
SENTENCES = ("use {} now", '["{}"]', "{}", "これを使う: {}", "tool login {}")


@pytest.mark.parametrize("tail", TAILS.values(), ids=TAILS)
def test_random_characters_behind_a_word_are_redacted(tail: str) -> None:
    """At least 92 % of tokens of unknown issuers go, nothing of them stays."""
    source = random.Random(tail)
    tokens = [prefix + fill(tail, source) for prefix in PREFIXES for _ in range(scaled(20, 6))]
    texts = [(form.replace("{}", token), token) for token in tokens for form in SENTENCES]
    missed = [text for text, token in texts if token[-20:] in redact(text)]
    assert len(missed) <= 0.08 * len(texts), missed[:10]


@pytest.mark.parametrize("template", KEYED)
def test_shorter_and_hexadecimal_ones_need_a_word_for_it(template: str) -> None:
    """Behind `key`, `secret`, `live` and the like, digits and letters of one case are enough."""
    source = random.Random(template)
    tokens = [fill(template, source) for _ in range(20)]
    missed = [token for token in tokens if token[-20:] in redact(f"use {token} now")]
    assert len(missed) <= 1, missed


@pytest.mark.parametrize("template", HEXADECIMAL)
def test_long_hexadecimal_ones_stand_behind_an_underscore(template: str) -> None:
    """32 digits and more go behind `_`; behind another sign they are a digest."""
    token = fill(template, random.Random(template))
    assert redact(f"use {token} now") == "use [redacted:prefixed] now"
    assert redact(f"tag {token.replace('_', '-')} now") == f"tag {token.replace('_', '-')} now"


def test_hexadecimal_ones_go_behind_an_abbreviation_and_a_hyphen() -> None:
    """`zbk-` and 32 digits is a token: no digest stands behind consonants alone."""
    digits = fill("{h32}", random.Random(7))
    assert redact(f"use zbk-{digits} now") == "use [redacted:prefixed] now"
    assert redact(f"use zebk-{digits} now") == f"use zebk-{digits} now"


@pytest.mark.parametrize("tail", ["BBxzolxjvdRUfpREV3UaZWkr", "fpfrpuwvtkzfjs6zv3vog8iw1"])
def test_letters_that_nobody_can_pronounce_need_few_digits(tail: str) -> None:
    """A long run of one case is no word if it has hardly a vowel."""
    assert redact(f"use zorb_{tail} now") == "use [redacted:prefixed] now"
    words = "SEC_PKCS5IsAlgorithmPBEAlgTag DER_OID_V_mdc2WithRSASignature"
    assert redact(words) is words


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY)
def test_ids_digests_and_names_stay(text: str) -> None:
    """What a history consists of stays: ids, digests, built files, paths, names in code."""
    assert redact(text) is text


def test_nothing_of_a_longer_token_stays() -> None:
    """Issuers lengthen their tokens and put other signs into them: the whole run goes."""
    token = "phc" + fill("_{a32}-{a12}_{a10}/{a12}=", random.Random(11))
    assert redact(f"use {token} now") == "use [redacted:posthog] now"
    host = "phc" + fill("_{a32}", random.Random(12))
    assert redact(f"{host}.example.invalid/a/path") == "[redacted:posthog].example.invalid/a/path"


def test_an_encoded_object_is_a_token_unless_it_is_a_header_or_a_data_address() -> None:
    """JSON in base64 is what issuers make tokens of; the header of a JWT alone says nothing."""
    token = "eyJ" + fill("{a60}", random.Random(13))
    assert redact(f"use {token} now") == "use [redacted:encoded-json] now"
    source_map = f"data:application/json;base64,{token}"
    assert redact(source_map) is source_map


def test_a_token_may_be_the_last_part_of_a_url() -> None:
    """A file with the same form stays, and so does a path on the disk."""
    token = "zorb" + fill("_{a20}7{a10}Qz", random.Random(14))
    assert redact(f"curl https://x.invalid/hook/{token}").endswith("/hook/[redacted:prefixed]")
    for path in (
        "https://x.invalid/js/zorb_9aB3dE5fG7hJ9kL1.min.js",
        "/lib/zorb_kq7zm2vwrx9bt4l8p3c6",
    ):
        assert redact(path) is path


def test_a_token_with_dots_may_be_the_user_of_a_url() -> None:
    """`https://X.Y@host`: no name of a user is as long and has a digit."""
    token = fill("{a9}7.{a10}.9", random.Random(15))
    for before, after in (("", ""), ("", ":x-oauth"), ("ghp_" + 9 * "a1B2" + ":", "")):
        clean = redact(f"git clone https://{before}{token}{after}@x.invalid/a")
        assert token not in clean
        assert clean.count("[redacted:") == clean.count("]")
