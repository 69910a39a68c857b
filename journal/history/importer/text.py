"""Read single values of a transcript line: its time, its title, who wrote its text.

Invariant: pure; what cannot be read is empty, never a guess.
"""

import re

from journal.clock import iso, millis
from journal.history.importer.records import Block, TranscriptLine
from projections.prose import (
    BY_CLIENT,
    CONTINUED,
    INTERRUPTED,
    NOTIFIED,
    REFUSED,
    REMINDER,
    SHELL_INPUT,
    STOPPED_BY_HOOK,
)

# Results that Claude Code writes itself: the call was refused or invalid, or the session ended
# during it. No hook was called.
_NEVER_RAN = (
    "<tool_use_error>",
    REFUSED,
    "Claude requested permissions to ",
    "Permission to use ",
    "Permission for this ",  # auto mode, or a check of Claude Code's own
    "PreToolUse:",  # a hook
    INTERRUPTED,
    "[Tool call ",
    "[Agent call ",
)
_COMMANDS = ("<command-name>", "<command-message>")
_TIME_OF_DAY = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z").fullmatch
_YEAR_9999 = 253_370_764_800_000  # ms
_dates: set[str] = set()  # dates, with their T, of times in the journal's own form


def time_of(text: str) -> str:
    """Return a time in the journal's own form; "" if `text` is not a time of the years 1970 on.

    An impossible date, or one centuries away, would stay in the log for good.
    """
    if text[:11] in _dates and _TIME_OF_DAY(text, 11):
        return text
    value = millis(text)
    if value is None or not 0 <= value < _YEAR_9999:
        return ""
    if text[10:11] + text[13:14] + text[16:17] + text[19:20] + text[23:] != "T::.Z":
        return iso(value)
    _dates.add(text[:11])
    return text


def title_of(line: TranscriptLine) -> str:
    """Return the session title that a line sets; "" if it sets none."""
    if line.type == "custom-title":
        return line.customTitle or ""
    if line.type == "ai-title":
        return line.aiTitle or ""
    return line.summary or "" if line.type == "summary" else ""


def message_text(content: str | list[Block] | None, *, reminders: bool = True) -> str:
    """Return the text of a message: a line per text block.

    reminders: whether to include the reminder blocks that Claude Code adds.
    """
    if isinstance(content, str):
        return content
    texts = [block.text for block in content or () if block.type == "text" and block.text]
    return "\n".join(text for text in texts if reminders or not text.startswith(REMINDER))


def is_human_text(text: str) -> bool:
    """Return whether a person wrote this: not blank, and not written by the client for them."""
    return bool(text.strip()) and not text.startswith(BY_CLIENT)


def written_by(text: str) -> tuple[str, str]:
    """Return the author of a prompt's text and the text itself: ("prompt" | "note" | "", text)."""
    bare = text.strip()
    if not bare or bare.startswith(REMINDER):
        return "", ""
    if bare.startswith(NOTIFIED):
        return "note", tagged(bare, "summary") or "a background task ended"
    if bare.startswith(INTERRUPTED):
        return "note", "interrupted by the user"
    if bare.startswith(SHELL_INPUT):
        return "prompt", "! " + tagged(bare, "bash-input")
    if bare.startswith(STOPPED_BY_HOOK):
        return "note", f"a hook stopped the prompt{bare.removeprefix(STOPPED_BY_HOOK)}"
    if not is_human_text(bare):
        return "", ""
    return "prompt", command_of(bare.partition(REMINDER)[0].rstrip() or bare)


def never_ran(error: str) -> bool:
    """Return whether a result says that the call was refused, invalid or cut off."""
    return error.startswith(_NEVER_RAN)


def summary_of(text: str) -> str:
    """Return the summary in a message after a compaction, as hooks get it.

    Claude Code writes a line of its own before it, and may leave the model's analysis in.
    """
    rest = text.partition("\n")[2].strip() if text.startswith(CONTINUED) else ""
    return f"\n{rest}".partition("\nSummary:\n")[2] or rest or text


def command_of(text: str) -> str:
    """Return `/name arguments` for the client's markup of a command, any other text as it is."""
    if not text.lstrip().startswith(_COMMANDS):
        return text
    name, arguments = tagged(text, "command-name"), tagged(text, "command-args")
    return f"{name if name.startswith('/') else '/' + name} {arguments}".strip()


def tagged(text: str, tag: str) -> str:
    """Return the text between a tag of the client and its end; "" without the tag."""
    _, found, rest = text.partition(f"<{tag}>")
    return rest.partition(f"</{tag}>")[0].strip() if found else ""
