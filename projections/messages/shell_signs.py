"""Refusal of words for `/journal:get` that a shell would read as something else than words.

Claude Code puts them, as typed, into a shell command. It refuses most of what such a command could
run, with an error about its syntax, and replaces `$NAME` by the variable's value.
"""

from __future__ import annotations

import re

from projections.messages.message import Answer, Reason, advice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from projections.messages.message import Input, Response, Texts

__all__ = ["TEXTS", "respond"]

_COMMANDS = ("journal:get", "get")
_SIGNS = re.compile(r"""`|\$[\w({]|\\(?=[\\"$`\n]|$)""")

TEXTS: dict[str, Texts] = {
    "refused": (
        "journal: the shell that Claude Code hands these words to gives {signs} another meaning. "
        "Type `/journal:get` again without.",
        "journal：Claude Code がこの語を渡すシェルでは {signs} が別の意味になります。"
        "これを除いて `/journal:get` をもう一度入力してください。",
        "journal: Claude Code가 이 단어를 넘기는 셸에서 {signs} 는 다른 뜻이 됩니다. "
        "이를 빼고 `/journal:get` 을 다시 입력하세요.",
    ),
}


def respond(given: Input) -> Response:
    """Answer the expansion of `/journal:get` with such words: it does not run."""
    event = given.event
    found = _SIGNS.findall(event.args) if event.name.lstrip("/") in _COMMANDS else []
    if not found:
        return None
    signs = " ".join(dict.fromkeys(sign[0] for sign in found))
    yield Reason("shell", f"{signs} in the words of /{event.name}", passed=True)
    text = given.phrase(TEXTS["refused"], signs=signs)
    record = advice("shell-signs", text, channel="block", reason=f"signs: {signs}")
    return Answer(block=text, events=[record])
