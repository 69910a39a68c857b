"""Replace parts of stored texts: a secret, matches of a pattern, or what today's rules find.

Invariant: the same object is returned if nothing was found, and nothing that a `Replacer` returns
or counts reveals what was replaced.
"""

import re
from collections.abc import Mapping
from typing import Any

from journal.codec import dumps, loads
from journal.errors import UsageError
from journal.history.forget.needle import Needle
from journal.log.record import HEAD, TAIL, frame, numbered, seq_of, type_of, unframe
from journal.redaction import redact, redact_value
from journal.redaction.outputs import redact_results

TAG = "[redacted:history]"
SHORTEST = 6  # characters of a secret; fewer would match ordinary text
_FIXED = ("ts", "type", "v")  # members of a record that cannot have a secret
_KEYED = ("prompt.submitted", "turn.ended", "files.changed")  # keys are digests of their texts
_CUT = re.compile(r"(…\[\+\d+ bytes), b2:[0-9a-f]+\]")  # a digest of the whole text with its secret
_REMEDY = "give a pattern that matches more of it"


class Replacer:
    """Base of the replacers: applies `text` to records, to JSON and to other bytes.

    It is a `Change` of `journal.log.rewrite`. quarantined: path in `quarantine/`, as
    `journal.repaired` has it but without the digest → the current path.
    """

    by = ""
    finds_numbers = False  # whether `number` may find one

    def __init__(self) -> None:
        self.quarantined: Mapping[str, str] = {}

    def may_change(self, line: bytes) -> bool:
        """Return False if a line certainly stays as it is."""
        return bool(line)

    def text(self, text: str) -> str:
        """Return a text with everything found in it replaced."""
        raise NotImplementedError

    def number(self, value: float) -> float | str:
        """Return a JSON number, or its replacement."""
        return value

    def value(self, value: Any, *, numbers: bool = True) -> Any:
        """Return a JSON value with its texts, names and, if `numbers`, numbers replaced."""
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
            while key in clean:  # two names became equal: keep both values
                key += "+"
            clean[key] = new
        return value if same else clean

    def record(self, line: bytes) -> bytes:
        """Return a record with its texts replaced, and without digests of the old texts."""
        is_quarantine = b'"quarantined":"' in line
        if not (is_quarantine or self.may_change(line)):
            return line
        try:
            fields = unframe(line)
        except ValueError:  # its checksum passes, but it is not JSON
            at = len(HEAD) + len(b"%d," % seq_of(line))
            body = self.other(line[at:-TAIL])
            return line if body == line[at:-TAIL] else numbered(seq_of(line), body)[:-1]
        seq = fields.pop("seq")
        numbers = self.finds_numbers and not _is_known(type_of(line))
        clean = self._without_metrics(self.value(fields, numbers=numbers))
        if clean is not fields:
            # Names stay, and so does what identifies a record.
            pairs = zip(fields, _without_digests(list(clean.values())), strict=True)
            clean = {name: fields[name] if name in _FIXED else new for name, new in pairs}
            clean.pop("digest", None)
            is_of_input = "." in str(clean.get("key"))  # digest of a hook's whole input, and a time
            if (is_of_input or type_of(line) in _KEYED) and not clean.get("imported"):
                clean.pop("key", None)
        quarantined = clean.get("quarantined")
        if isinstance(quarantined, str) and (
            now := self.quarantined.get(quarantined.rpartition(".")[0])
        ):
            clean = {**clean, "quarantined": now}
        return line if clean == fields else frame(seq, clean)[:-1]

    def _without_metrics(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Return a record's members without the user's metrics that would be replaced."""
        metrics = fields.get("metrics")
        if not isinstance(metrics, dict):
            return fields
        clean = {name: value for name, value in metrics.items() if self.value(value) is value}
        return fields if len(clean) == len(metrics) else {**fields, "metrics": clean}

    def other(self, line: bytes) -> bytes:
        """Return the new form of bytes that are not a record, read as JSON if possible."""
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
    """Replaces the matches of a regular expression. Raises UsageError if it is unusable."""

    by = "pattern"

    def __init__(self, pattern: str) -> None:
        super().__init__()
        try:
            self._search = re.compile(pattern)
        except re.error as error:
            raise UsageError(f"--pattern: {error}", "give a regular expression") from None
        if self._search.search("") or self._search.search(TAG):
            raise UsageError(
                f"this matches an empty text, or {TAG}, which takes the place of a secret", _REMEDY
            )

    def text(self, text: str) -> str:
        """Return a text with every match replaced."""
        replaced, count = self._search.subn(TAG, text)
        return replaced if count else text


class Secret(Replacer):
    """Replaces a secret in each form that `Needle` knows. Raises UsageError for a short one."""

    by = "secret"

    def __init__(self, secret: str) -> None:
        super().__init__()
        if not secret.strip():
            raise UsageError(
                "no secret is given",
                "type it when asked, pipe it to stdin, or name its file with --from",
            )
        if len(secret.strip()) < SHORTEST:
            raise UsageError(
                f"a secret of fewer than {SHORTEST} characters would match ordinary text",
                "use --pattern with the text around it",
            )
        self._needle = Needle(secret)
        self.finds_numbers = secret.isdigit()
        if secret in TAG:
            raise UsageError(f"this is a part of {TAG}, which takes its place", _REMEDY)

    def may_change(self, line: bytes) -> bool:
        """Return False if a line has no form of the secret."""
        return self._needle.may_be_in(line)

    def text(self, text: str) -> str:
        """Return a text with the secret replaced."""
        return self._needle.replace(text, TAG)

    def number(self, value: float) -> float | str:
        """Return a number, or the tag if it is the secret."""
        return TAG if self._needle.is_number(value) else value


class Rules(Replacer):
    """Replaces what today's redaction rules find, also in a result by its command."""

    by = "rules"

    def __init__(self) -> None:
        super().__init__()
        self._commands: dict[Any, object] = {}  # of calls in stored conversations

    def text(self, text: str) -> str:
        """Return a text redacted."""
        return redact(text)

    def value(self, value: Any, *, numbers: bool = True) -> Any:  # noqa: ARG002 (no rule for them)
        """Return a JSON value redacted: a name such as `password` counts for its value."""
        changed = redact_results(value, self._commands)  # in place, but callers compare objects
        clean = redact_value(value)
        return {**clean} if changed and clean is value else clean


def _is_known(kind: str) -> bool:
    """Return whether this version knows a type; its numbers are sizes, counts and times."""
    from journal.events.registry import KINDS  # imported here, because few secrets are numbers

    return kind in KINDS


def _without_digests(value: Any) -> Any:
    """Return a value without the digests at the end of its cut texts."""
    if isinstance(value, str):
        return _CUT.sub(r"\1]", value)
    if isinstance(value, list):
        return [_without_digests(item) for item in value]
    if isinstance(value, dict):
        return {name: _without_digests(item) for name, item in value.items()}
    return value
