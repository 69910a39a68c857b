"""The values of Kubernetes Secrets, in YAML and JSON, with numbered lines and block scalars."""

from __future__ import annotations

import pytest

from journal.redaction import redact

VALUE = "c3dvcmQ" + "tZmlzaA=="
TAG = "[redacted:manifest]"
MANIFESTS = {
    "yaml": "kind: Secret\nmetadata:\n  name: shop\ndata:\n  extra: {}\n",
    "kind-last": "data:\n\textra: {}\nkind: 'Secret'\nmetadata:\n\tname: shop\n",
    "quoted": 'kind: "Secret"\nstringData:\n  app.conf: "{}"\ntype: Opaque',
    "folded": "kind: Secret\ndata:\n  .dockercfg: >\n    {}\n    {}\ntype: x",
    "numbered": "    1→kind: Secret\n    2→data:\n    3→  extra: {}",
    "json": '{"kind":"Secret","data":{"extra":"{}","tls.crt":"{}"}}',
    "second": "kind: Service\ndata:\n  extra: ordinary1\n---\nkind: Secret\ndata:\n  extra: {}\n",
    "flow": "kind: Secret\nstringData: {extra: {}, user: bob}",
    "who": "kind: Secret\ndata:\n  username: cm9vdHJvb3Q=\n  extra: {}\n",
}
ORDINARY = {
    "config": "kind: ConfigMap\ndata:\n  extra: c3dvcmRmaXNo\n# kind: secret-ish",
    "external": "kind: ExternalSecret\nspec:\n  data:\n    - key: c3dvcmRmaXNo\n  kind: SecretStore",
    "template": "kind: Secret\ndata:\n  extra: {{ .Values.extra }}\n  other: ''\n  short: YWI=",
    "elsewhere": "kind: Secret\nmetadata:\n  name: c3dvcmRmaXNo\n  labels:\n    a: c3dvcmRmaXNo",
}


@pytest.mark.parametrize("manifest", MANIFESTS.values(), ids=MANIFESTS)
def test_values_of_a_secret_are_redacted(manifest: str) -> None:
    """Each value below `data` goes, whatever its name; all other text stays."""
    clean = manifest.replace("{}", TAG)
    assert redact(manifest.replace("{}", VALUE)) == clean
    assert redact(clean) is clean


@pytest.mark.parametrize("text", ORDINARY.values(), ids=ORDINARY)
def test_other_manifests_stay(text: str) -> None:
    """Other kinds, templates, short values and the rest of a Secret are returned unchanged."""
    assert redact(text) is text
