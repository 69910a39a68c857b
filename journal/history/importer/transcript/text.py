"""Small readings of a line: its time, its title, whose words its text is.

Invariant: pure; what cannot be read is empty, never a guess.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from journal.clock import iso, millis
from journal.codec import digest
from journal.transcript.numbers import LIMIT

if TYPE_CHECKING:
    from journal.history.importer.transcript.records import Block, Line

__all__ = ["command", "identity", "joined", "moment", "not_said", "title", "tokens"]

# Texts the client puts into the person's mouth.
_NOT_SAID = (
    "<local-command-",
    "<bash-",
    "[Request interrupted",
    "<user-memory-input>",
    "Caveat: The messages below",
)
_COMMANDS = ("<command-name>", "<command-message>")
_DAYS: set[str] = set()  # beginnings of times that were found well formed
_MOST_DAYS = 4_000


def moment(text: str) -> str:
    """Time in the journal's own form, "" for what is none."""
    day = text[:11]
    if len(text) == 24 and text[19] == "." and text[13] == ":" == text[16] and text[23] == "Z":
        digits = text[11:13] + text[14:16] + text[17:19] + text[20:23]
        if digits.isdigit() and digits.isascii() and (day in _DAYS or _is_day(day)):
            return text
    value = millis(text)
    return iso(value) if value is not None else ""


def _is_day(text: str) -> bool:
    digits = text[:4] + text[5:7] + text[8:10]
    if text[4] + text[7] + text[10] != "--T" or not (digits.isdigit() and digits.isascii()):
        return False
    if len(_DAYS) < _MOST_DAYS:
        _DAYS.add(text)
    return True


def tokens(line: Line) -> dict[str, int] | None:
    """Figures of a reply; None where they say nothing (all zero is: not known)."""
    usage = line.message.usage if line.message else None
    if usage is None or usage.input_tokens is None:
        return None
    given, out = usage.input_tokens, usage.output_tokens or 0
    made, read = usage.cache_creation_input_tokens or 0, usage.cache_read_input_tokens or 0
    if min(given, out, made, read) < 0 or not 0 < given + out + made + read <= LIMIT:
        return None
    return {
        "input_tokens": given,
        "output_tokens": out,
        "cache_creation_input_tokens": made,
        "cache_read_input_tokens": read,
    }


def identity(value: str | None) -> str:
    """Id of the API, or the digest of what is none."""
    if not value:
        return ""
    plain = len(value) <= 128 and value.isprintable() and '"' not in value and "\\" not in value
    return value if plain else "b2-" + digest(value)


def title(line: Line) -> str:
    """Title a line gives the session, "" for none."""
    if line.type == "custom-title":
        return line.customTitle or ""
    if line.type == "ai-title":
        return line.aiTitle or ""
    return line.summary or "" if line.type == "summary" else ""


def joined(content: str | list[Block] | None) -> str:
    """Text of a message."""
    if isinstance(content, str):
        return content
    return "\n".join(block.text for block in content or () if block.type == "text" and block.text)


def not_said(text: str) -> bool:
    """Whether nobody said this: blank, or what the client writes in the person's name."""
    return not text.strip() or text.startswith(_NOT_SAID)


def command(text: str) -> str:
    """`/name arguments` of the client's markup; any other text as it is."""
    if not text.lstrip().startswith(_COMMANDS):
        return text
    name, arguments = _tagged(text, "command-name"), _tagged(text, "command-args")
    return f"{name if name.startswith('/') else '/' + name} {arguments}".strip()


def _tagged(text: str, tag: str) -> str:
    _, found, rest = text.partition(f"<{tag}>")
    return rest.partition(f"</{tag}>")[0].strip() if found else ""
