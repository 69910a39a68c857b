"""From a hook's input to the bodies of events: a table of pure builders, one per hook event.

Invariants: no value of the input is trusted to have a type, a length or a meaning for a path;
every body a builder can make decodes into the typed event of its type with no member
left over (a test does that), so that the capture path needs no typed library.
"""

from __future__ import annotations

import os

from journal.codec import digest, dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["BUILDERS", "TEXT", "UNRECORDED", "Call", "build", "clip"]

TEXT = 500  # characters kept of what a person or the model said
_ID = 128
# Hook → module and function here; only the one asked for is imported.
BUILDERS: dict[str, tuple[str, str]] = {
    "SessionStart": ("session", "started"),
    "SessionEnd": ("session", "ended"),
    "UserPromptSubmit": ("turn", "prompted"),
    "UserPromptExpansion": ("turn", "expanded"),
    "Stop": ("turn", "ended"),
    "StopFailure": ("turn", "failed"),
    "PostToolUse": ("tool", "finished"),
    "PostToolUseFailure": ("tool", "failed"),
    "PreCompact": ("compact", "started"),
    "PostCompact": ("compact", "finished"),
    "SubagentStart": ("session", "subagent_started"),
    "SubagentStop": ("session", "subagent_ended"),
    "PostModelSwitch": ("session", "model_switched"),
    "Notification": ("session", "notified"),
}

# Events of the client that tell nothing another one does not tell as well.
UNRECORDED = frozenset(
    ("PreToolUse", "PostToolBatch", "PreModelSwitch", "FileChanged", "CwdChanged", "Setup")
)


def clip(value: object, most: int) -> str:
    """Return at most `most` characters of a text; "" for anything that is not one."""
    if not isinstance(value, str):
        return ""
    return value if len(value) <= most else value[: most - 1] + "…"


_ENVELOPE = ("hook_event_name", "session_id", "transcript_path", "cwd", "agent_id", "prompt_id")
_INPUT = 2_000  # characters of an input that nobody here knows


class Call:
    """Input of one hook call.

    hook: its event name; data: the parsed object; raw: the digest of its bytes; root: real path of
    the project ("" for none); full: whether texts are recorded; prompts: whether those of prompts
    are. facts: what was read beside it (flow, stock, branch, tokens, previous …). short: tool calls
    are recorded in short form.
    """

    __slots__ = ("data", "facts", "full", "hook", "prompts", "raw", "root", "short", "sid")

    def __init__(
        self,
        data: dict[str, Any],
        raw: str,
        root: str,
        settings: dict[str, Any],
        facts: dict[str, Any] | None = None,
    ) -> None:
        self.data = data
        self.raw = raw
        self.root = root
        self.facts: dict[str, Any] = {} if facts is None else facts
        self.full = settings.get("capture.level", "full") == "full"
        self.prompts = self.full and settings.get("capture.prompts", True) is not False
        self.short = False
        self.hook = clip(data.get("hook_event_name"), 64)
        self.sid = self.id_of("session_id")

    # -- values ----------------------------------------------------------------------------------

    def text(self, name: str, most: int = TEXT) -> str:
        """Text member of the input, bounded; "" under the minimal capture level."""
        return clip(self.data.get(name), most) if self.full else ""

    def word(self, name: str, most: int = 80) -> str:
        """Short member that is a name rather than content: recorded under every capture level."""
        return clip(self.data.get(name), most)

    def size(self, name: str) -> int:
        """Characters of a text member."""
        value = self.data.get(name)
        return len(value) if isinstance(value, str) else 0

    def count(self, name: str) -> int | None:
        """Whole number ≥ 0, or None."""
        value = self.data.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**12:
            return None
        return value

    def id_of(self, name: str) -> str:
        """Identifier; one that is too long or not printable is replaced by its digest."""
        value = self.data.get(name)
        if not isinstance(value, str) or not value:
            return ""
        if len(value) <= _ID and value.isprintable() and '"' not in value and "\\" not in value:
            return value
        return "b2-" + digest(value)

    def relative(self, path: object, most: int = 300) -> str:
        """Path as seen from the project, where it lies inside; else as it is."""
        text = clip(path, most)
        if self.root and text.startswith(self.root + os.sep):
            return text[len(self.root) + 1 :]
        return text

    # -- events ----------------------------------------------------------------------------------

    def event(self, type_: str, key: str, /, **body: Any) -> dict[str, Any]:
        """Event of this call: envelope, then the body without its empty members."""
        fields: dict[str, Any] = {"type": type_, "v": 1, "sid": self.sid}
        agent = self.id_of("agent_id")
        if agent:
            fields["agent"] = agent
        prompt = self.id_of("prompt_id")
        if prompt:
            fields["prompt"] = prompt
        if key:
            fields["key"] = key
        where = self.relative(self.data.get("cwd"))
        if where and where != self.root:
            fields["cwd"] = where
        branch = self.facts.get("branch")
        if branch:
            fields["branch"] = clip(branch, 120)
        filled = (pair for pair in body.items() if pair[1] not in ("", None, [], {}))
        fields.update(pair for pair in filled if pair[1] is not False)
        return fields

    def once(self, *parts: object) -> str:
        """Key of a fact that happens once: the same parts are the same call again."""
        return digest(dumps([self.sid, self.hook, *parts]))

    def again(self) -> str:
        """Key (ending in `.`) of a fact that may happen again: see journal.log.dedupe.

        It hangs on the input alone: what a first call of two changed (a trimmed work log) would
        give the second another key.
        """
        return digest(dumps([self.raw])) + "."


def build(call: Call) -> list[dict[str, Any]]:
    """Return the events of one hook call, the first being the fact itself; [] for one not kept.

    An event nobody here has heard of is a fact too: its name and its members, bounded.
    """
    named = BUILDERS.get(call.hook)
    if named:
        module, function = named
        builder = getattr(
            __import__(f"journal.events.hook_input.{module}", fromlist=[function]), function
        )
        events: list[dict[str, Any]] = builder(call)
        return events
    if call.hook in UNRECORDED:
        return []
    members = {name: value for name, value in call.data.items() if name not in _ENVELOPE}
    try:
        whole = dumps(members).decode("utf-8", "replace")
    except ValueError:  # a number that JSON has no form for
        whole = repr(members)
    body = {"size": len(whole), "input": clip(whole, _INPUT) if call.full else ""}
    return [call.event("hook.received", call.again(), hook=call.hook, **body)]
