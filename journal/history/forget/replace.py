"""What is replaced in texts that were stored before: a secret, a pattern, or what rules find today.

Invariant: the same object comes back where nothing was found, and nothing a `Replacer` returns or
counts tells what was replaced.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from journal.codec import dumps, loads
from journal.errors import UsageError
from journal.history.forget.needle import Needle
from journal.log.record import HEAD, TAIL, frame, numbered, seq_of, type_of, unframe
from journal.redaction import redact, redact_value

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["SHORTEST", "TAG", "Pattern", "Replacer", "Rules", "Secret"]

TAG = "[redacted:history]"
SHORTEST = 6  # characters of a secret; fewer would match ordinary text
_FIXED = ("ts", "type", "v")  # members of a record that hold nothing of anybody's
_CUT = re.compile(r"(…\[\+\d+ bytes), b2:[0-9a-f]+\]")  # a digest of the whole text, secret and all
_REMEDY = "give a pattern that matches more of it"


class Replacer:
    """Base of the three: applies `text` to records, to JSON and to other bytes.

    It is a `Change` of `journal.log.rewrite`. quarantined: a path of quarantine as a
    `journal.repaired` names it, without its digest → that path now.
    """

    by = ""
    finds_numbers = False  # whether `number` may find one

    def __init__(self) -> None:
        self.quarantined: Mapping[str, str] = {}

    def may_change(self, line: bytes) -> bool:
        """Return False where a line can be left without a closer look."""
        return bool(line)

    def text(self, text: str) -> str:
        """Return a text with what is found replaced."""
        raise NotImplementedError

    def number(self, value: float) -> float | str:
        """Return a number of JSON, or what takes its place."""
        return value

    def value(self, value: Any, *, numbers: bool = True) -> Any:
        """Return a JSON value with every text of it replaced, names included, and its numbers."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return self.number(value) if numbers else value
        if isinstance(value, list):
            items = [self.value(item, numbers=numbers) for item in value]
            return value if all(a is b for a, b in zip(items, value, strict=True)) else items
        if not isinstance(value, dict):
            return value
        clean: dict[str, Any] = {}
        same = True
        for name, item in value.items():
            key, new = self.text(name), self.value(item, numbers=numbers)
            same = same and key is name and new is item
            while key in clean:  # two names became one: both values stay
                key += "+"
            clean[key] = new
        return value if same else clean

    def record(self, line: bytes) -> bytes:
        """Return a record with its texts replaced, and without the digests of those texts."""
        is_quarantine = b'"quarantined":"' in line
        if not (is_quarantine or self.may_change(line)):
            return line
        try:
            fields = unframe(line)
        except ValueError:  # its checksum passes, and it is no JSON
            at = len(HEAD) + len(b"%d," % seq_of(line))
            body = self.other(line[at:-TAIL])
            return line if body == line[at:-TAIL] else numbered(seq_of(line), body)[:-1]
        seq = fields.pop("seq")
        numbers = self.finds_numbers and not _is_known(type_of(line))
        clean = self._without_metrics(self.value(fields, numbers=numbers))
        if clean is not fields:
            # Names stay, and what a reader needs to know a record by.
            pairs = zip(fields, _without_digests(list(clean.values())), strict=True)
            clean = {name: fields[name] if name in _FIXED else new for name, new in pairs}
            clean.pop("digest", None)
        quarantined = clean.get("quarantined")
        if isinstance(quarantined, str) and (
            now := self.quarantined.get(quarantined.rpartition(".")[0])
        ):
            clean = {**clean, "quarantined": now}
        return line if clean == fields else frame(seq, clean)[:-1]

    def _without_metrics(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return the members of a record without measurements of a person that are replaced."""
        metrics = fields.get("metrics")
        if not isinstance(metrics, dict):
            return fields
        clean = {name: value for name, value in metrics.items() if self.value(value) is value}
        return fields if len(clean) == len(metrics) else {**fields, "metrics": clean}

    def other(self, line: bytes) -> bytes:
        """Return bytes that are not a record: as JSON where they are, else as text."""
        if not self.may_change(line):
            return line
        if line.startswith((b"{", b"[")):
            try:
                value = loads(line)
            except ValueError:
                pass
            else:
                clean = self.value(value)
                return line if clean is value else dumps(_without_digests(clean))
        text = line.decode("utf-8", "surrogateescape")
        clean = self.text(text)
        return line if clean is text else clean.encode("utf-8", "surrogateescape")


class Pattern(Replacer):
    """What a regular expression matches in a text. UsageError for one that cannot be used."""

    by = "pattern"

    def __init__(self, pattern: str) -> None:
        super().__init__()
        try:
            self._search = re.compile(pattern)
        except re.error as error:
            raise UsageError(f"--pattern: {error}", "give a regular expression") from None
        if self._search.search("") or self._search.search(TAG):
            raise UsageError(
                f"this matches an empty text, or {TAG}, which takes the place of a secret",
                _REMEDY,
            )

    def text(self, text: str) -> str:
        """Return a text with every match replaced."""
        replaced, count = self._search.subn(TAG, text)
        return replaced if count else text


class Secret(Replacer):
    """A secret in each form that `Needle` knows. UsageError for one that is too short."""

    by = "secret"

    def __init__(self, secret: str) -> None:
        super().__init__()
        if not secret.strip():
            raise UsageError(
                "no secret is given", "type it when asked, pipe it in, or name its file with --from"
            )
        if len(secret.strip()) < SHORTEST:
            raise UsageError(
                f"a secret of fewer than {SHORTEST} characters would match ordinary text",
                "give --pattern with what stands around it",
            )
        self._needle = Needle(secret)
        self.finds_numbers = secret.isdigit()
        if secret in TAG:
            raise UsageError(f"this is a part of {TAG}, which takes its place", _REMEDY)

    def may_change(self, line: bytes) -> bool:
        """Return False where a line holds no form of the secret."""
        return self._needle.may_be_in(line)

    def text(self, text: str) -> str:
        """Return a text with the secret replaced."""
        return self._needle.replace(text, TAG)

    def number(self, value: float) -> float | str:
        """Return a number, or the tag where it is the secret."""
        return TAG if self._needle.is_number(value) else value


class Rules(Replacer):
    """What today's rules of redaction find."""

    by = "rules"

    def text(self, text: str) -> str:
        """Return a text redacted."""
        return redact(text)

    def value(self, value: Any, *, numbers: bool = True) -> Any:  # noqa: ARG002 (no rule for them)
        """Return a JSON value redacted: a name such as `password` counts for its value."""
        return redact_value(value)


def _is_known(kind: str) -> bool:
    """Return whether this build knows a type: a number of it is a size, a count, a time."""
    from journal.events.registry import KINDS  # here: few secrets are numbers

    return kind in KINDS


def _without_digests(value: Any) -> Any:
    """Return a value whose cut texts do not tell a digest of what was cut."""
    if isinstance(value, str):
        return _CUT.sub(r"\1]", value)
    if isinstance(value, list):
        return [_without_digests(item) for item in value]
    if isinstance(value, dict):
        return {name: _without_digests(item) for name, item in value.items()}
    return value
