"""Draw docs/picture.svg from a run of the real client: `bin/journal-dev picture`.

The client talks to the tests' loopback stand-in, so Claude's words are scripted; what the journal
shows (status line, warning, what Claude gets back) is what its hooks answered in that run.
"""

from __future__ import annotations

import io
import re
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from tests.e2e.api import Api, call
from tests.e2e.client import REPO, Client, find_client
from tests.e2e.scene import INFO, WINDOW
from tests.e2e.terminal import PROMPT, Terminal
from tests.e2e.wire import Reply

OUT = REPO / "docs" / "picture.svg"
COLUMNS, ROWS = 100, 34


def main() -> int:
    """Run the scene and write the picture."""
    executable, why = find_client()
    if executable is None:
        print(why, file=sys.stderr)
        return 3
    with (
        tempfile.TemporaryDirectory(prefix="journal-", ignore_cleanup_errors=True) as folder,
        Api() as api,
    ):
        client = Client(Path(folder) / "home", api.url, executable)
        client.env |= WINDOW
        before, after, told = scene(client, api)
    parts = [
        heading("While you work: the status line, and a warning before the context is full"),
        before,
        heading("You compact, or Claude Code does"),
        after,
        heading("What Claude got back, as the hook gave it"),
        told,
    ]
    draw("\n".join(parts))
    return 0


def scene(client: Client, api: Api) -> tuple[str, str, str]:
    """Return the screen with the warning, the screen after a compaction, and what Claude got."""
    line = f"{sys.executable} -I -S {REPO / 'hooks' / 'statusline.py'}"
    api.script(
        call("Bash", command="journal decide 'Discounts are applied before tax'", description="d"),
        call("Edit", file_path=str(client.project / "cart.py"), old_string="sum(xs)",
             new_string="sum(xs) - discount", tokens=INFO),
        Reply("The cart takes discounts now. The tests are next.", tokens=INFO),
        Reply("Two tests fail: rounding of half cents.", tokens=INFO + 3_000),
        Reply("Rounding is next, before tax, as decided.", tokens=20_000),
    )  # fmt: skip
    settings = {"statusLine": {"type": "command", "command": line}}
    with Terminal(client, "--permission-mode", "acceptEdits",
                  "--allowedTools", "Bash", "Edit", settings=settings) as terminal:  # fmt: skip
        terminal._tmux("resize-window", "-t", "t", "-x", str(COLUMNS), "-y", str(ROWS))
        terminal.enter("add discount codes to the cart")
        terminal.wait_for("The tests are next.")
        terminal.enter("run the tests")
        terminal.wait_for("rounding of half cents")
        terminal.wait_for("until compaction")
        terminal.wait_until(lambda: "running" not in terminal.screen, "the end of the turn")
        before = part(terminal, "add discount codes")
        terminal.enter("/compact")
        terminal.wait_for("Compacted")
        terminal.enter("what is next?")
        terminal.wait_for("as decided")
        terminal.wait_until(lambda: "running" not in terminal.screen, "the end of the turn")
        after = part(terminal, "/compact", "\u2500\u2500")
    sid = next((client.home / ".claude" / "projects").glob("*/*.jsonl")).stem
    told = [text for text in client.told(sid, "SessionStart") if "Discounts" in text]
    return before, after, told[-1] if told else ""


def part(terminal: Terminal, first: str, end: str = "") -> str:
    """Return the coloured screen from the line with `first` up to the line with `end`.

    Two characters that most fonts lack are replaced.
    """
    lines = terminal._tmux("capture-pane", "-e", "-p", "-t", "t").rstrip().splitlines()
    begin = next(at for at, line in enumerate(lines) if PROMPT in line and first in line)
    stop = next((at for at in range(begin, len(lines)) if end and end in lines[at]), len(lines))
    text = "\n".join(lines[begin:stop]).rstrip() + "\n"
    return text.replace("\u23bf", "\u2514").replace("\u23f5", ">")


def heading(text: str) -> str:
    """Return the line between two parts of the picture."""
    return f"\x1b[1;33m{text}\x1b[0m\n"


def draw(text: str) -> None:
    """Write the SVG."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text), soft_wrap=False)
    svg = console.export_svg(title="Claude Code with the journal")
    # The picture fetches nothing when shown: it uses the reader's own fonts.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    OUT.write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
