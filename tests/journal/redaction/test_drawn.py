"""Random characters of no known issuer, behind any name or none; and what resembles them."""

from __future__ import annotations

import base64
import random

import pytest

from journal.redaction import redact
from tests.journal.redaction.published import fill
from tests.support.rows import each

VALUES = {
    "mixed": "{a40}",
    "one case": "{l40}",
    "base64": "{b43}=",
    "for addresses": "{w64}",
}
FORMS = (
    "export ACME={}",
    "PEPPER={}",
    "acme.connect('{}')",
    "the new one: {}",
    "これ {} です",
    '{{"x": "{}"}}',
    '{{"primaryKey": "{}"}}',
    'connect(url, "{}")',
    "getTokenInfo('{}')",
    'SECRET_HASH="{}"',
    "https://rpc.invalid/eth/{}",
    "[INFO] got {} from the vault",
)
ORDINARY = (
    "versionRevision: Ciqe5/9yicvkJT13b5/LdLpCyE6fqA7poa9qp+FilPs=",
    '"integrity": "sha512-2kkt/7niJ6MgEPxF0bYdQ6etZaA+fQvDcLKckhy1yIQOzaoKjBBjSj63/aLVjYE3qg=="',
    "golang.org/x/sys v0.1.0 h1:kunALQeHf1/185U1i0GOB/fy1IPRDDpuoOOqRReG57U=",
    '"id": "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0", "fileHash": "Zy9Xw8Vu7Ts6Rq5Po4Nm3Lk2Ji1Hg0"',
    'check(digest, "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0"), the primary key Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0',
    "/srv/a/Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0 https://x.invalid/Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0/b.js",
    '<path d="M5 3h1V1h2v2h8V1h2v2h1c1zm0a1.1"/>',
    "xmlSecTransformAes128CbcId, BranchPCRel32ToPtrJumpStub, SPSMemoryAccessUInt16Write",
    "MIIDxTCCAq2gAwIBAgIQAqxcJmoLQJuPC3nyrkYldzANBgkqhkiG9w0BAQUFADBs\nNL/+I5c30jn6PQ0GC7TbO6Orb1wdtn7os4I07QZcJA==",
    'token_hash = "Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0"; getInfo("Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0")',
    "#define SET_PROFILER 0x18209d0775b2f89dULL",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKx7Qv2Lm9Rt4Wb8Zc1Yd6Pf3Hj5Nk0Sg bob",
)


@pytest.mark.parametrize("template", VALUES.values(), ids=VALUES)
def test_random_characters_go_whatever_stands_around_them(template: str) -> None:
    """At least 92 % of them go, behind names that say nothing and behind none."""
    source = random.Random(template)
    texts = [(form, fill(template, source)) for form in FORMS for _ in range(30)]
    missed = [value for form, value in texts if value[-16:] in redact(form.format(value))]
    assert len(missed) <= 0.08 * len(texts), missed[:10]


@pytest.mark.parametrize(("size", "lines", "goes"), [
    (66, 4, False), (72, 9, False), (76, 1, False), (66, 2, True), (40, 5, True),
])  # fmt: skip
def test_lines_of_one_length_are_an_encoded_file(size: int, lines: int, goes: bool) -> None:
    """Three long ones are data, whatever their length; fewer, or behind a name, are secrets."""
    drawn = base64.b64encode(random.Random(size).randbytes(3 * size * lines)).decode()
    block = [drawn[at * size : (at + 1) * size] for at in range(lines)]
    assert ("[redacted:" in redact("\n".join(block))) is goes
    assert block[0] not in redact(f"db_password: {block[0]}\n")


def test_a_wrapped_secret_of_kubernetes_goes() -> None:
    """The name of the secret, or the head of a key, says that the lines are no data."""
    drawn = base64.b64encode(random.Random(8).randbytes(400)).decode()
    lines = [drawn[at : at + 66] for at in range(0, 330, 66)]
    for head in ("kind: Secret\ndata:\n  key: |\n    {}", "-----BEGIN PRIVATE KEY-----\n    {}"):
        assert lines[1] not in redact(head.format("\n    ".join(lines)))


@each("text", ORDINARY)
def test_digests_ids_drawings_and_names_in_code_stay(text: str) -> None:
    """The word before them, or their form, says what they are."""
    assert redact(text) is text
