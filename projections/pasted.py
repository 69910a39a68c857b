"""Separate what a user pasted from their own words: lines of a log, and what Claude Code marks.

Pure. An event has only the beginning and the end of a long prompt, so a mark may lack its partner.
"""

from collections.abc import Iterator

MARK = "[…]"
"""The mark that replaces a pasted passage."""

TRACEBACK = "Traceback (most recent call last)"
"""The first line of a traceback of Python."""

_OPEN, _CLOSE = "<pasted_content", "</pasted_content"
# What Claude Code appends to the plan that it sends as the first prompt of a new context.
_NOTE = "If you need specific details from before exiting plan mode"
_NOTE_END = "content you generated), read the full transcript at: "
_LEAST = 3  # lines of a log in a row that are no words of the user
_ALIKE = 5  # lines in a row that differ in their digits alone: data
_ITEM = ("- ", "* ", "+ ")  # beginnings of list items, which are words of the user
_DIGITS = str.maketrans("", "", "0123456789")
# Beginnings of lines of a log that has no time first.
_LEVELS = tuple(
    "[ERROR]|[WARN]|[INFO]|[DEBUG]|[FATAL]|[error]|[warn]|[info]|[debug]|ERROR  |WARN  |INFO  "
    "|DEBUG  |ERROR [|WARN [|INFO [|npm ERR! |npm error |E   |goroutine |--- FAIL: |--- PASS: "
    "|=== RUN |=== NAME ".split("|")
)
# Of a build or a test run, which has no times: beginnings and endings of lines, and words before a
# path or the name of a test.
_RUNS = ("=== ", "====", "____", "##[", "::error", "Error: Process completed", "test result: ")
_RESULTS = (" ... ok", " ... FAILED", " ... ignored", "%]")
_VERDICTS = frozenset("FAIL FAILED PASS PASSED ERROR ERROR: Error: error: warning:".split())
_RAISED = ("Exception:", "Error:")  # endings of a word that names an exception
_RAISES = ("** (", "panic: ", "thread '")  # beginnings of a cause in Elixir, Go and Rust
_MONTHS = frozenset("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split())


def is_marked(text: str) -> bool:
    """Return whether a text has content that Claude Code marks as pasted."""
    return _OPEN in text or _CLOSE in text


def without_note(text: str) -> str:
    """Return a prompt without Claude Code's note on the transcript, also if its event cut that."""
    before, found, after = text.partition(_NOTE_END)
    if not found:
        return text
    at = before.rfind(_NOTE)
    kept = before[:at] if at >= 0 else before[: before.rfind("…") + 1]
    _path, newline, rest = after.partition("\n")
    return kept.rstrip() + newline + rest


def rows_of(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each line of a text, and whether it is pasted, or of a log or of data."""
    rows = text.splitlines()
    marked = _marked(rows) if is_marked(text) else frozenset()
    traced = _traced(rows) if TRACEBACK in text or "\n    at " in text else frozenset()
    indented = _indented(rows) if "\n " in text or "\n\t" in text else frozenset()
    data = _alike(rows) if len(rows) >= _ALIKE else frozenset()
    is_log = is_cause = False
    for at, row in enumerate(rows):
        plain = row.strip()
        is_frame = is_cause and bool(plain) and row[0].isspace()
        is_cause = is_frame or (is_log and plain.startswith(_RAISES))
        is_log = is_cause or _is_logged(plain)
        yield row, is_log or at in marked or at in traced or at in indented or at in data


def without_pasted(text: str) -> str:
    """Return a text with `MARK` for pasted content, and for at least three lines of a log in a row.

    A cut line that stands beside such a passage belongs to it. Claude Code's note is left out.
    """
    text = without_note(text)
    least = 1 if is_marked(text) else _LEAST
    shown: list[str] = []
    passage: list[str] = []
    logged = 0
    for row, is_pasted in (*rows_of(text), ("", False)):
        if is_pasted or (passage and "…" in row):
            passage.append(row)
            logged += is_pasted
            continue
        shown += [MARK] if passage and logged >= least else passage
        passage, logged = [], 0
        shown.append(row)
    return "\n".join(shown[:-1])


def pasted_in(text: str) -> str:
    """Return pasted content and the lines of a log, "" if there are fewer than three."""
    rows = [row for row, is_pasted in rows_of(text) if is_pasted]
    return "\n".join(rows) if is_marked(text) or len(rows) >= _LEAST else ""


def errors_in(text: str) -> list[str]:
    """Return the most informative line of a pasted log, if it is no frame of a crash report."""
    from journal.error_lines import error_lines  # few hooks read pasted logs

    return [line for line in error_lines(pasted_in(text), 1) if not _is_frame(line)]


def _alike(rows: list[str]) -> frozenset[int]:
    """Return the numbers of the lines of data: in a row, and different in their digits alone."""
    found: set[int] = set()
    first, before = 0, ""
    for at, row in enumerate((*rows, "")):
        bare = row.translate(_DIGITS)
        if bare != before or bare == row or row.lstrip().startswith(_ITEM):
            if at - first >= _ALIKE:
                found.update(range(first, at))
            first, before = at, bare
    return frozenset(found)


def _is_frame(row: str) -> bool:
    """Return whether a line is a numbered frame with its address, as of gdb and of Apple's."""
    return row.partition(" ")[0].lstrip("#").isdecimal() and " 0x" in row


def _marked(rows: list[str]) -> frozenset[int]:
    """Return the numbers of the lines that Claude Code marks as pasted, those with marks too.

    A mark without its partner reaches to the line where the text is cut, else to its end.
    """
    cuts = [at for at, row in enumerate(rows) if "…" in row]
    found: set[int] = set()
    start = -1
    for at, row in enumerate(rows):
        if row.startswith(_CLOSE):
            first = start if start >= 0 else max([0, *(cut for cut in cuts if cut < at)])
            found.update(range(first, at + 1))
            start = -1
        elif _OPEN in row and start < 0:
            start = at
    if start >= 0:
        end = next((cut for cut in cuts if cut > start), len(rows) - 1)
        found.update(range(start, end + 1))
    return frozenset(found)


def _traced(rows: list[str]) -> frozenset[int]:
    """Return the numbers of the lines of tracebacks, and of exceptions right before a frame.

    A traceback of Python ends with the first line that is indented no more than its heading.
    """
    found: set[int] = set()
    depth = -1
    for at, row in enumerate(rows):
        indent = len(row) - len(row.lstrip())
        is_end = 0 <= indent <= depth
        if depth < 0 and row.lstrip().startswith(TRACEBACK):
            depth = indent
        name = row.strip().removeprefix("Uncaught ").partition(" ")[0]
        following = rows[at + 1].strip() if at + 1 < len(rows) else ""
        if depth >= 0 or (name.endswith(_RAISED) and following.startswith("at ")):
            found.add(at)
        if is_end:
            depth = -1
    return frozenset(found)


def _indented(rows: list[str]) -> frozenset[int]:
    """Return the numbers of indented lines in a row that are output, as one of them shows.

    A list item is not among them.
    """
    found: set[int] = set()
    block: list[int] = []
    for at, row in enumerate([*rows, ""]):
        plain = row.strip()
        if plain and row[0].isspace() and not plain.startswith(_ITEM):
            block.append(at)
            continue
        if any(_is_logged(rows[one].strip()) for one in block):
            found.update(block)
        block = []
    return frozenset(found)


def _is_of_run(row: str) -> bool:
    """Return whether a line is one of a build or a test run."""
    if row.startswith(_RUNS) or row.endswith(_RESULTS):
        return True
    verdict, name = (*row.split(None, 2), "", "")[:2]
    is_named = "/" in name or "::" in name
    return is_named and (verdict in _VERDICTS or row.startswith(("ok  ", "ok \t", "ok\t")))


def _is_logged(row: str) -> bool:
    """Return whether a line is of a log: with a date, time or level first, or of a trace or run."""
    if (
        _is_traced(row)
        or _is_of_run(row)
        or row.startswith(_LEVELS)
        or (row[:2] == '{"' and row[-1] == "}")
    ):
        return True
    place = row.partition(" ")[0].split(":")  # of a compiler or a test: "cart.go:209: …"
    if len(place) > 2 and "." in place[0] and place[1].isdigit():
        return True
    service, bar, rest = row.partition(" | ")  # Docker Compose
    if bar and " " not in service.rstrip() and _is_logged(rest):
        return True
    if row[:3] in _MONTHS and row[9:10] == ":" and row[7:9].isdigit():  # syslog
        return True
    start = row[:9].lstrip("[")
    if start[2:3] == ":":
        return start[5:6] == ":" and start[:2].isdigit() and start[3:5].isdigit()
    return start[4:5] in ("-", "/") and start[:4].isdigit() and start[5:7].isdigit()


def _is_traced(row: str) -> bool:
    """Return whether a line is part of a stack trace: a frame, or an exception with its package."""
    if row.startswith(("at ", "... ", 'File "')):
        return row.endswith((")", " more")) or ", line " in row
    if _is_frame(row):
        return True
    name = row.removeprefix("Caused by: ").partition(" ")[0]
    return name.endswith(_RAISED) and "." in name
