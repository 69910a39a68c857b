"""Build event bodies from a hook's input: a table of pure builders, one per hook event.

Invariants: builders trust no type, length or path of the input. Every body that a builder can
return decodes into the Struct of its type without unknown members (a test checks this), so the
capture path needs no msgspec.
"""

from __future__ import annotations

import os

from journal.codec import digest, dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TEXT = 500  # characters stored of a text by the user or the model
_ID = 128
# Hook event → module and function in this package; only the one needed is imported. It returns an
# event or a list of them.
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

# Hook events whose facts another event carries as well.
UNRECORDED = frozenset(
    ("PreToolUse", "PostToolBatch", "PreModelSwitch", "FileChanged", "CwdChanged", "Setup")
)


def clip(value: object, most: int) -> str:
    """Return at most `most` characters of a text; "" for anything that is not one."""
    if not isinstance(value, str):
        return ""
    return value if len(value) <= most else value[: most - 1] + "…"


def safe_id(value: object) -> str:
    """Return an identifier, or its digest if it is too long or not printable; "" without one."""
    if not isinstance(value, str) or not value:
        return ""
    if len(value) <= _ID and value.isprintable() and '"' not in value and "\\" not in value:
        return value
    return "b2-" + digest(value)


def as_json(value: object) -> str:
    """Return a value as JSON, or its repr if JSON cannot express it (1e999 reads as infinity)."""
    try:
        return dumps(value).decode()
    except ValueError:
        return repr(value)


# Members that are true unless a record says otherwise.
_TRUE = ("done", "enabled")
_ENVELOPE = ("hook_event_name", "session_id", "transcript_path", "cwd", "agent_id", "prompt_id")
_INPUT = 2_000  # characters of the input of an unknown hook event


class Call:
    """Input of one hook call.

    Attributes:
        hook: name of the hook event.
        data: the parsed object.
        raw: digest of its bytes.
        root: real path of the project, "" for none.
        full: whether to record texts; prompts: whether to record those of prompts.
        facts: facts that are not in the input (flow, stock, branch, tokens, previous …).
        short: whether to record tool calls in short form.

    """

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
        """Return a text member, clipped; "" under the minimal capture level."""
        return clip(self.data.get(name), most) if self.full else ""

    def word(self, name: str, most: int = 80) -> str:
        """Return a short member that is a name, not content; recorded under every capture level."""
        return clip(self.data.get(name), most)

    def size(self, name: str) -> int:
        """Return the number of characters of a text member, 0 without."""
        value = self.data.get(name)
        return len(value) if isinstance(value, str) else 0

    def count(self, name: str) -> int | None:
        """Return a whole number ≥ 0, or None."""
        value = self.data.get(name)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10**12:
            return None
        return value

    def path(self, name: str) -> str:
        """Return a member that is an absolute path, "" without."""
        value = self.data.get(name)
        return value if isinstance(value, str) and os.path.isabs(value) else ""

    def object_of(self, name: str) -> dict[str, Any]:
        """Return a member that is an object, {} without."""
        value = self.data.get(name)
        return value if isinstance(value, dict) else {}

    def id_of(self, name: str) -> str:
        """Return a member that is an identifier, see `safe_id`."""
        return safe_id(self.data.get(name))

    def relative(self, path: object, most: int = 300) -> str:
        """Return a path relative to the project if it is inside, else unchanged; clipped."""
        text = clip(path, most)
        if self.root and text.startswith(self.root + os.sep):
            return text[len(self.root) + 1 :]
        return text

    def redacted(self, text: str) -> str:
        """Redact a text that is cut afterwards. An import of many calls has a faster way."""
        from journal.redaction import redact

        return redact(text)

    # -- events ----------------------------------------------------------------------------------

    def event(self, type_: str, key: str, /, **body: Any) -> dict[str, Any]:
        """Return an event of this call: the envelope, then the members that are not empty.

        A truth value that is the default of its type is left out, too.
        """
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
        members = {
            name: value
            for name, value in body.items()
            if value not in ("", None, [], {}) and value is not (name in _TRUE)
        }
        return {**fields, **members}

    def once(self, identity: str, *parts: object, stored: str = "") -> str:
        """Return the dedupe key of a fact that happens once: equal parts mean a repeated call.

        stored: a text of the event. It is redacted here too, so that nobody can find a secret in it
        by trying which one gives the key. Without an identity the fact may recur: see `again`.
        """
        if not identity:
            return self.again()
        if stored:
            parts = (*parts, self.redacted(stored))
        return digest(dumps([self.sid, self.hook, identity, *parts]))

    def again(self) -> str:
        """Return the dedupe key (ending in `.`) of a fact that may recur: see journal.log.record.

        It depends on the input alone. With facts in it, the second of two registered handlers would
        get another key once the first had trimmed the work log.
        """
        return digest(dumps([self.raw])) + "."


def build(call: Call) -> list[dict[str, Any]]:
    """Return the events of one hook call, [] for a hook event that is not recorded.

    The first one is the call's own event. A hook event that this version does not know becomes
    `hook.received` with its name and its members, clipped.
    """
    entry = BUILDERS.get(call.hook)
    if entry:
        module, function = entry
        builder = getattr(
            __import__(f"journal.events.hook_input.{module}", fromlist=[function]), function
        )
        built = builder(call)
        return built if isinstance(built, list) else [built]
    if call.hook in UNRECORDED:
        return []
    text = as_json({name: value for name, value in call.data.items() if name not in _ENVELOPE})
    body = {"size": len(text), "input": clip(text, _INPUT) if call.full else ""}
    return [call.event("hook.received", call.again(), hook=call.hook, **body)]
