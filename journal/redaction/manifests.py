"""Replace the values of a Kubernetes Secret, in YAML and in JSON.

Invariant: only values below `data` and `stringData` of a document of kind `Secret` are replaced,
whatever their names; templates, references and short values stay.
"""

from __future__ import annotations

import re

from journal.redaction.value_kinds import is_placeholder, is_reference

TAG = "[redacted:manifest]"

_KIND = re.compile(r"(?im)(?:^|[\s{,\\→])[\"']?kind\\?[\"']?:[ \t]*\\?[\"']?secret(?![\w-])")
_BLOCK = re.compile(r"([\"']?)(?:data|stringData)\1:\s*$")
_LINE = re.compile(
    r"((?:\s*\d+→)?)([ \t]*)([\"']?[\w./-]{1,100}[\"']?[ \t]*:[ \t]*)?(.*)", re.DOTALL
)
_JSON = re.compile(r"([\"']?)\b(?:data|stringData)\1\s*:\s*\{([^{}]{1,20000})\}")
_MEMBER = re.compile(
    r"([\"']?([\w./-]{1,100})[\"']?\s*:\s*([\"'])?)"
    r"((?(3)(?:(?!\3)[^\n]){1,10000}|[^\"',{}\s]{1,10000}))"
)
_VALUE = re.compile(r"[\"']?([^\s\"'#]{6,})[\"']?\s*$")
# Who and where, not the secret itself.
_OTHERS = ("username", "user", "host", "hostname", "port", "database", "dbname", "namespace")


def without_manifests(text: str) -> str:
    """Replace each value of a Secret; the same object if there is none."""
    parts = re.split(r"(?m)(^---[ \t]*$)", text)
    clean = [_document(part) if _KIND.search(part) else part for part in parts]
    return text if clean == parts else "".join(clean)


def _document(text: str) -> str:
    text = _JSON.sub(lambda block: _MEMBER.sub(_member, block[0]), text)
    lines = text.split("\n")
    outer = -1  # indentation of `data:` while within it
    other = False  # within a value that is no secret
    for at, line in enumerate(lines):
        match = _LINE.fullmatch(line)
        if not match or not match[4].strip() + (match[3] or ""):
            continue
        indent = len(match[2].expandtabs())
        if _BLOCK.fullmatch((match[3] or "") + match[4]):
            outer = indent
        elif indent <= outer:
            outer = -1
        elif outer >= 0:
            if match[3]:
                other = match[3].strip("\"' \t:").lower() in _OTHERS
            lines[at] = line if other else _replaced(line, match.start(4))
    return "\n".join(lines)


def _replaced(line: str, start: int) -> str:
    value = _VALUE.match(line, start)
    if not value or not _is_secret(value[1]):
        return line
    return line[: value.start(1)] + TAG + line[value.end(1) :]


def _member(match: re.Match[str]) -> str:
    secret = match[2].lower() not in _OTHERS and len(match[4]) >= 6 and _is_secret(match[4])
    return match[1] + TAG if secret else match[0]


def _is_secret(value: str) -> bool:
    return not (is_placeholder(value) or is_reference(value) or value[-1] in ":|>")
