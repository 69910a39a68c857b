"""Write the time of the last compaction into `.claude/context/task_plan.md`.

Invariant: only the line of the stamp changes.
"""

from __future__ import annotations

from journal.workfiles.markdown import FRONT, TEXT, headings, scan

PLAN = ".claude/context/task_plan.md"
_LEAD = "> Last compaction: "
_SEQ = ", journal #"


def stamp(text: str, when: str, trigger: str, seq: int) -> str:
    """Return the plan with the stamp `> Last compaction: WHEN (TRIGGER), journal #SEQ`.

    The first existing stamp is replaced, and others are removed; those in a code fence or a comment
    do not count. A new stamp goes after the first heading, else to the top, below front matter.
    """
    line = f"{_LEAD}{' '.join(when.split())} ({' '.join(trigger.split())}){_SEQ}{seq}"
    rows = scan(text)
    old = [row for row in rows if row.kind == TEXT and _is_stamp(text[row.start : row.end])]
    if old:
        pieces, at = [text[: old[0].start], line], old[0].end
        for row in old[1:]:
            pieces.append(text[at : row.start])
            at = row.next
        return "".join([*pieces, text[at:]])
    break_ = "\r\n" if "\r\n" in text else "\n"
    found = headings(text, rows)
    at = found[0].body if found else next((r.start for r in rows if r.kind != FRONT), len(text))
    head = text[:at]
    if head and head[-1] not in "\n\r\ufeff":  # the last line has no line break
        return head + break_ + line
    return head + line + break_ + text[at:]


def _is_stamp(line: str) -> bool:
    head, found, number = line.strip().rpartition(_SEQ)
    return bool(found) and head.startswith(_LEAD) and head.endswith(")") and number.isdigit()
