"""Print the demo: each call, the events it appended, and the hook's answer with its recipient.

Invariant: appended events are read from the log, and answers are the program's own output.
"""

from collections.abc import Mapping
from typing import Any

from cli.render.answer import answer_lines
from cli.render.event_text import summary_of
from cli.render.text import emit
from cli.scope import Scope
from cli.status_text import lines as status_lines
from journal.codec import loads
from journal.installation import setup_command
from journal.log.read import Reader
from journal.log.record import unframe
from journal.text import clip, one_line, padded, wrapped
from projections.messages.message import Answer

_WIDEST = 80
_INDENT = "          "
_NAME = "~/shop"


class Narrator:
    """Prints the story. env: of the programs that it is about."""

    def __init__(self, scope: Scope, env: Mapping[str, str]) -> None:
        self.env = env
        self.columns = min(scope.columns, _WIDEST)
        self.style = scope.style
        self.seq = 0

    def narrate(self, text: str) -> None:
        """Print a paragraph of the story."""
        emit(["", *wrapped(text, self.columns), ""])

    def hook(self, clock: str, data: dict[str, Any], text: str) -> None:
        """Print one hook call: its name, the events it appended, its answer."""
        subject = _subject(data).replace("$PROJECT/", "")
        self._head(clock, f"{data['hook_event_name']} {subject}")
        self._appended()
        for line in answer_lines(_answer(text), self.columns, _INDENT) if text.strip() else ():
            emit([line if line.startswith(_INDENT + ">") else self.style("yellow", line)])

    def line(self, clock: str, text: str) -> None:
        """Print one call of the status line."""
        self._head(clock, "the status line shows")
        emit(clip(f"{_INDENT}[ {one_line(line)} ]", self.columns) for line in text.splitlines())
        self._appended()

    def command(self, clock: str, words: list[str]) -> None:
        """Print one `journal` command that Claude ran."""
        self._head(clock, f'$ journal {words[0]} "{" ".join(words[1:])}"')
        self._appended()

    def views(self) -> None:
        """Print the status of the temporary journal."""
        from cli.status import collect

        scope = Scope(self.env, cwd=self.env["CLAUDE_PROJECT_DIR"])
        scope.columns = self.columns
        data = collect(scope)
        data["project"] = _NAME
        data["journal"] = "a temporary directory"
        emit(["", self.style("bold", "What the journal knows now (journal status)"), ""])
        emit(status_lines(data, scope))

    def closing(self) -> None:
        """Print what to do next."""
        rows = (
            (setup_command(self.env), "install it (--statusline for the line as well)"),
            ("journal status", "the same for your own project"),
            ("journal replay --answers", "every event, and what each hook answered"),
            ("journal explain SEQ", "why a hook answered, or why it did not"),
            ("journal doctor", "check everything the journal depends on"),
        )
        emit(["", self.style("bold", "Next"), ""])
        for name, text in rows:  # a command stays whole, to be copied
            beside = padded(name, 24) if len(name) <= 24 else f"{name}\n{' ' * 24}"
            emit(f"  {beside}  {text}".split("\n"))

    def _head(self, clock: str, text: str) -> None:
        line = clip(f"{clock}  {one_line(text)}", self.columns)
        emit([self.style("bold", line)])

    def _appended(self) -> None:
        scope = Scope(self.env, cwd=self.env["CLAUDE_PROJECT_DIR"])
        if not scope.exists():
            return
        for seq, line in Reader(scope.directory, self.seq):
            self.seq = seq
            fields = unframe(line)
            gist = one_line(summary_of(fields))
            emit([clip(f"{_INDENT}+ #{seq:<3} {fields['type']:<18} {gist}", self.columns)])


def _subject(data: dict[str, Any]) -> str:
    """Return the prompt, tool call or source of a hook call."""
    tool = data.get("tool_input") or {}
    subject = tool.get("file_path") or tool.get("command") or ""
    if data.get("prompt"):
        return f'"{data["prompt"]}"'
    if data.get("tool_name"):
        return f"{data['tool_name']} {subject}"
    return str(data.get("source") or data.get("trigger") or "")


def _answer(text: str) -> Answer:
    """Parse the output of a hook into an answer."""
    try:
        output: Any = loads(text)
    except ValueError:
        return Answer(plain=text)
    context = output.get("hookSpecificOutput", {}).get("additionalContext", "")
    return Answer(context=context, message=output.get("systemMessage", ""))
