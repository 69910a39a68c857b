"""The texts of a conversation, redacted and bounded, and tool calls in a few words. Pure.

Invariant: a text is redacted before it is cut, so that no cut splits a secret and hides it from
redaction.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from journal.codec import text as sound
from journal.error_lines import error_lines
from journal.events.hook_input import as_json
from journal.events.hook_input.tool import ABOUT
from journal.history.conversations.model import Entry, ToolCall
from journal.redaction import redact, redact_value
from journal.redaction.batch import redact_texts
from journal.redaction.outputs import redact_output
from journal.redaction.private import without_private
from journal.text import excerpt, plural, quoted
from projections.prose import CLARIFY, REFUSED, REMINDER, reason_of

TEXT = 100_000
"""The maximum length of a prompt, answer or summary as shown, in characters."""

_DETAIL = 8_000  # characters of a tool call's input or output
_LINE = 200
_AHEAD = 2_000  # characters to redact beyond those that are shown
_OF_CALL = ("name", "use", "about", "outcome")  # members of a tool call
ANSWER = 4_000  # characters of what the user answers or says in an outcome
BY_USER = "refused by the user: "
_STOPPED = "refused or interrupted by the user"
_ANSWERED = "AskUserQuestion"
_NAMED, _TAKEN = 3, 80  # texts that a rewind took back, and characters of each
_BEFORE = 40  # characters of what Claude Code writes before the answers
_AFTER_ANSWERS = (". You can now continue", ". Read the answers carefully")
_INVALID = "<tool_use_error>"  # Claude Code's tag around the error of an invalid call


def clean(text: str, most: int = TEXT) -> tuple[str, int]:
    """Return at most `most` characters of a text, redacted, and how many are missing."""
    shown, cut = bounded(text, most)
    shown = redact(shown)
    return (shown[:most], cut) if cut else (shown, 0)


def bounded(text: str, most: int = TEXT) -> tuple[str, int]:
    """Return a little more than `most` characters, for later redaction, and how many are missing.

    Private parts are already removed.
    """
    whole = without_private(sound(text))
    return whole[: most + _AHEAD], max(len(whole) - most, 0)


def redact_entries(entries: Sequence[Entry]) -> None:
    """Redact the texts of all entries together: one scan costs hardly more than one text's scan."""
    members = [member for entry in entries for member in _members(entry)]
    changed = redact_texts(list({text for text, *_ in members if text}))
    for text, owner, name, most in members:
        safe = changed.get(text, text)
        setattr(owner, name, excerpt(safe, most) if isinstance(owner, ToolCall) else safe[:most])


def _members(entry: Entry) -> Iterator[tuple[str, object, str, int]]:
    """Yield each text of an entry with its owner, its name there, and its maximum length."""
    yield entry.text, entry, "text", TEXT if entry.cut else TEXT + _AHEAD
    yield entry.agent, entry, "agent", _LINE
    if call := entry.tool:
        is_said = call.name == _ANSWERED or call.outcome.startswith(BY_USER)
        for name in _OF_CALL:
            most = ANSWER if is_said and name == "outcome" else _LINE
            yield getattr(call, name), call, name, most
    if made := entry.compaction:
        yield made.trigger, made, "trigger", _LINE
        yield made.summary, made, "summary", TEXT


def rewound(texts: Sequence[str]) -> str:
    """Return what the note about a rewind says: the prompts and answers that it took back."""
    shown = ", ".join(quoted(clean(text)[0], _TAKEN) for text in texts[:_NAMED])
    more = f" and {len(texts) - _NAMED} more" if len(texts) > _NAMED else ""
    return f"no longer in the conversation: {shown}{more}"


def call_of(name: str, use: str, arguments: dict[str, Any]) -> ToolCall:
    """Return a tool call, its target in one line. The caller redacts it with `redact_entries`."""
    about = ""
    for member in ABOUT.get(name, ()):
        if isinstance(value := arguments.get(member), (str, int)) and value != "":
            about = f"{about} {value}".strip()
    if not about and name not in ABOUT:
        about = next(
            (value for value in arguments.values() if isinstance(value, str) and value), ""
        )
    line = bounded(" ".join(about[: 4 * _LINE].split()), _LINE)[0]
    return ToolCall(bounded(name, _LINE)[0], bounded(use, _LINE)[0], line)


def details_of(arguments: dict[str, Any], output: str) -> tuple[str, str]:
    """Return input and output of a call as text: one member per line, long ones unchanged."""
    safe = redact_value(arguments)
    members = safe.items() if isinstance(safe, dict) else ()
    rows = [
        f"{name}: {value if isinstance(value, str) else as_json(value)}" for name, value in members
    ]
    return _cut("\n".join(rows)), _cut(redact_output(arguments.get("command"), output))


def without_reminder(output: str) -> str:
    """Return a tool's output without the reminder that Claude Code adds below it for the model."""
    above, found, _ = f"\n{output}".rpartition(f"\n{REMINDER}")
    if not found or not output.rstrip().endswith(REMINDER.replace("<", "</")):
        return output
    return above.removeprefix("\n").rstrip("\n")


def _answers(output: str) -> str:
    """Return what the user answered, without what Claude Code writes around it for the model."""
    before, _, answers = output.partition(": ")
    if not answers or len(before) > _BEFORE or '"' in before:
        answers = output
    for after in _AFTER_ANSWERS:
        answers = answers.partition(after)[0]
    return answers.replace('"="', '": "')


def outcome_of(output: str, *, failed: bool, tool: str = "") -> str:
    """Return a result in a few words: its number of lines, or the cause of an error.

    What the user answered, or said when refusing the call, is returned whole.
    """
    if output.startswith(REFUSED) and failed:
        said = reason_of(output)
        if CLARIFY in said[:80]:
            said = f"to clarify the questions{said.partition('Questions asked')[2]}"
        return bounded(BY_USER + said, ANSWER)[0] if said else _STOPPED
    if failed:
        output = output.removeprefix(_INVALID).removesuffix(_INVALID.replace("<", "</"))
        rows = error_lines(output, 2) or [
            row for row in output[: 8 * _LINE].splitlines() if row.strip()
        ]
        return bounded(" ".join(map(str.strip, rows[:2])), _LINE)[0]
    if tool == _ANSWERED:
        return bounded(_answers(output), ANSWER)[0]
    lines = output.count("\n") + (not output.endswith("\n")) if output else 0
    return plural(lines, "line") if lines > 1 else ""


def _cut(text: str) -> str:
    shown, cut = clean(text, _DETAIL)
    return f"{shown}\n… {plural(cut, 'character')} more" if cut else shown
