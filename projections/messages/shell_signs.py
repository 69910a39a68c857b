"""Refuse arguments of `/journal:get` that a shell would interpret.

Claude Code inserts the arguments, as typed, into a shell command. It rejects most of those that
could run something with a syntax error, and replaces `$NAME` by the variable's value.
"""

from __future__ import annotations

import re

from projections.messages.message import Answer, Input, Reason, Response, Texts, advice

_COMMANDS = ("journal:get", "get")
_SIGNS = re.compile(r"""`|\$[\w({]|\\(?=[\\"$`\n]|$)""")

TEXTS: dict[str, Texts] = {
    "refused": (
        "journal: `/journal:get` did not run: Claude Code passes its arguments to a shell, where {signs} "
        "has another meaning. Type the command again without {signs}.",
        "journal：`/journal:get` は実行されませんでした。Claude Code はこの語をシェルに渡し、そこでは {signs} が"
        "別の意味になります。{signs} を除いてもう一度入力してください。",
        "journal: `/journal:get` 을 실행하지 않았습니다. Claude Code가 이 단어를 셸에 넘기는데 거기서 {signs} 는 "
        "다른 뜻입니다. {signs} 없이 다시 입력하세요.",
    ),
}


def respond(given: Input) -> Response:
    """Answer UserPromptExpansion: refuse `/journal:get` with such arguments."""
    event = given.event
    found = _SIGNS.findall(event.args) if event.name.lstrip("/") in _COMMANDS else []
    if not found:
        return None
    signs = " ".join(dict.fromkeys(sign[0] for sign in found))
    yield Reason("shell", f"{signs} in the words of /{event.name}", passed=True)
    text = given.phrase(TEXTS["refused"], signs=signs)
    record = advice("shell-signs", text, channel="block", reason=f"signs: {signs}")
    return Answer(block=text, events=[record])
