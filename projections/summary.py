"""Write the summary of a session from excerpts of its digest, without a model.

Each line begins with its name: Asked, Found, Done, Decided, Changed, Trouble, Ended, Open.
Invariant: pure; the same digest gives the same summary, of at most `LIMIT` characters.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import dropwhile

from msgspec import Struct

from journal.text import excerpt, plural
from projections.demands import is_terse
from projections.digest import Digest, duration_ms, outcome, status, title_of
from projections.extract import best, section, work_section
from projections.pasted import without_pasted
from projections.prose import (
    PLANNED,
    is_request,
    is_substantial,
    is_word,
    line,
    opening,
    sentences,
)
from projections.session import FILES
from projections.unit import current

LIMIT = 2000  # characters of the summary
# A record is at most 16 KiB, so the lists beside the summary are bounded, too.
_LISTED = 7000  # bytes of decisions and files
_DECISION = 300

_LATEST = 4  # requests after the first, and notes
# Characters of each line at most; with the names, together less than LIMIT.
_ASKED, _FOUND, _DONE, _DECIDED = 400, 300, 320, 280
_CHANGED, _TROUBLE, _ENDED, _OPEN = 200, 200, 80, 160

# A sentence that says what was changed or what passes, unlike a plan, a question or a description.
_WORK_DONE = re.compile(
    r"^(?!.*(?:\b(?:not|needs?|should|would|to be|let me|must)\b|\?$))(?:.*[✅✓]|.+\bnow\b|.*\b(?:"
    r"(?:add|fix|updat|creat|remov|implement|chang|mov|renam|refactor|replac|convert|extract|resolv"
    r"|pass|committ|push|migrat|merg|complet|delet|introduc|simplifi|verifi|clean|revert|deploy|releas"
    r"|install|configur|enabl|disabl|upgrad|restor|improv|reduc|correct|repair|document)ed|pass(?:es)?"
    r"|rewr(?:ote|itten)|split|built|wrote|written|made)\b)",
    re.IGNORECASE,
)
# Begins a section that has no open tasks, unlike "None of the tests ran", "Nothing works yet".
_NOTHING = re.compile(
    r"[\s*-]*(?:none\b(?! of)|nothing(?=\W*$|\s*[,;:—-]| (?:pending|left|open|else|more))|n/a\b"
    r"|no (?:pending|open|remaining|outstanding) (?:tasks|items|work)\b|なし)",
    re.IGNORECASE,
)
_KINDS = {
    "error-loop": "{what} failed {count} times with the same error",
    "edit-loop": "{what} was edited {count} times without a passing test",
    "test-failures": "tests failed {count} times in a row ({what})",
    "rollback": "undone: {what}",
}


class Summary(Struct, frozen=True, omit_defaults=True):
    """The fields of a `session.summarized` event. files: changed ones, newest first."""

    title: str = ""
    summary: str = ""
    decisions: list[str] = []
    files: list[str] = []
    engine: str = "extractive"


def is_over(digest: Digest) -> bool:
    """Return whether a session is over and has activity.

    False for an exported part, which has its summary from the beginning.
    """
    if digest.of or not digest.first or status(digest) != "completed":
        return False
    session = digest.session
    return bool(session.prompts or session.tools or session.turns or digest.decisions)


def is_waiting(digest: Digest) -> bool:
    """Return whether a session is over and no summary covers all of it."""
    return is_over(digest) and digest.summary_upto < digest.seq


def summarize(digest: Digest) -> Summary:
    """Return the summary of a session."""
    rows = (
        ("Asked", _asked(digest), _ASKED),
        ("Found", _as_sentences(_found(digest), 220), _FOUND),
        ("Done", _done(digest), _DONE),
        ("Decided", _as_sentences(_decided(digest)[-5:], 140), _DECIDED),
        ("Changed", _changed(digest), _CHANGED),
        ("Trouble", _trouble(digest), _TROUBLE),
        ("Ended", _ended(digest), _ENDED),
        ("Open", _open(digest), _OPEN),
    )
    text = "\n".join(f"{name}: {excerpt(what, most)}" for name, what, most in rows if what)
    decisions, files = listed(_decided(digest), digest.session.files)
    return Summary(title_of(digest), excerpt(text, LIMIT), decisions, files)


def listed(decisions: Iterable[str], files: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the newest decisions, and the first files, that fit into a record, in order."""
    left = _LISTED
    paths: list[str] = []
    for path in list(files)[:FILES]:
        left -= len(path.encode("utf-8", "replace")) + 3
        if left < _LISTED // 2:
            break
        paths.append(path)
    chosen: list[str] = []
    for text in reversed([excerpt(decision.strip(), _DECISION) for decision in decisions]):
        left -= len(text.encode("utf-8", "replace")) + 3
        if left < 0:
            break
        chosen.insert(0, text)
    return chosen, paths


def _asked(digest: Digest) -> str:
    """Return the beginnings of the first and the latest requests, each once, that fit.

    The first is not a single word, such as a greeting or a command. Those like "what now?" are left
    out before others.
    """
    requests = [prompt for prompt in digest.prompts if is_request(prompt)]
    requests = list(dropwhile(is_word, requests)) or requests
    if not requests:
        return ""
    found = (opening(text, 90) for text in requests[1:] if text != requests[0])
    rest = list(dict.fromkeys(filter(None, found)))
    first = _wanted(requests[0])
    while rest and (len(rest) > _LATEST or len(_as_sentences([first, *rest], 240)) > _ASKED):
        idle = (text for text in rest if not (is_substantial(text) or is_terse(text)))
        rest.remove(next(idle, rest[0]))
    return _as_sentences([first, *rest], 240)


def _wanted(request: str) -> str:
    """Return the beginning of a request without markup; of a plan, without bare headings."""
    plain = without_pasted(request.removeprefix(PLANNED))
    is_plan = request.startswith(PLANNED)
    told = (text for text in sentences(plain) if not (is_plan and is_word(text)))
    return line(_as_sentences(told, 240) or plain, 240)


def _found(digest: Digest) -> list[str]:
    return [*reversed(digest.notes[-_LATEST:]), *(finding.text for finding in digest.findings)]


def _done(digest: Digest) -> str:
    """Return excerpts of the last compaction's summary and of the last reply, and the units."""
    texts = set(_found(digest))
    found: list[str] = []
    about = " ".join([*digest.prompts[:1], *digest.session.files, *digest.decisions])
    for text in digest.compacts[-1:]:
        found += best(work_section(text), about, 2, 160, _WORK_DONE)
    for text in digest.messages[-1:]:
        found += best(text, about, 2, 160, _WORK_DONE)
    units = _units(digest)
    rest = [text for text in dict.fromkeys(found) if text not in texts]
    return _newest([*rest, *([units] if units else [])], _DONE)


def _decided(digest: Digest) -> list[str]:
    """Return the user's choices and recorded decisions, else those of the last compaction."""
    chosen = [
        f"{line(choice.question, 120)} → {line(choice.answer, 150)}"
        for choice in digest.gathered.choices
    ]
    if digest.decisions or chosen or not digest.compacts:
        return [*chosen, *digest.decisions]
    return best(section(digest.compacts[-1], "decided"), "", 5, _DECISION)


def _units(digest: Digest) -> str:
    """Return the last units with the progress of their checklists."""
    counts = {
        unit.title or unit.unit: f" ({sum(item.done for item in unit.items)} of {len(unit.items)})"
        for unit in digest.work.units
        if unit.items
    }
    return "; ".join(line(name, 60) + counts.get(name, "") for name in digest.units[-4:])


def _changed(digest: Digest) -> str:
    files = digest.session.files
    shown: list[str] = []
    for path in files:
        if len(", ".join([*shown, path])) > _CHANGED - 20:
            break
        shown.append(path)
    if files and not shown:
        shown = [excerpt(files[0], _CHANGED - 20)]
    more = len(files) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more > 0 else "")


def _trouble(digest: Digest) -> str:
    """Return the repetition marks, and which failures were repaired."""
    repaired = dict.fromkeys(
        failure.target for failure in digest.gathered.failures if failure.repaired
    )
    loops = {mark.what for mark in digest.marks if mark.kind == "error-loop"}
    seen: dict[str, str] = {}
    for mark in digest.marks:
        # Failing test runs with one error are listed once.
        if mark.kind not in _KINDS or (mark.kind == "test-failures" and mark.what in loops):
            continue
        what = mark.what
        if mark.kind == "edit-loop":
            what = "/".join(what.rsplit("/", 2)[-2:])
        text = _KINDS[mark.kind].format(what=line(what, 70), count=mark.count)
        seen[mark.what] = text + " (repaired)" * (mark.what in repaired)
    rest = [line(target, 50) for target in repaired if target not in seen]
    marked = _newest(list(seen.values()), _TROUBLE)
    repairs = ["repaired: " + ", ".join(rest[-2:])] if rest else []
    both = "; ".join([*filter(None, [marked]), *repairs])
    return both if len(both) <= _TROUBLE else marked


def _ended(digest: Digest) -> str:
    session = digest.session
    parts = [outcome(digest)]
    if minutes := duration_ms(digest) // 60_000:
        parts.append(f"{minutes} min" if minutes < 120 else f"{minutes // 60} h")
    counts = ((session.turns, "turn"), (session.compactions, "compaction"))
    return ", ".join([*parts, *(plural(count, noun) for count, noun in counts if count)])


def _open(digest: Digest) -> str:
    """Return open items, else those at the last compaction, and the last open failure."""
    found: list[str] = []
    if unit := current(digest.work):
        left = [line(item.text, 60) for item in unit.items if not item.done]
        found += left[:3] + ([f"{len(left) - 3} more items"] if len(left) > 3 else [])
    for text in digest.compacts[-1:]:
        if not found and not _NOTHING.match(open_tasks := section(text, "pending")):
            found += best(open_tasks, "", 2, 60)
            if found:  # some may have been done since
                found[0] = f"at the last compaction: {found[0]}"
    gathered = digest.gathered
    failing = [failure for failure in gathered.failures if not failure.repaired]
    if failing and (gathered.tests == "failed" or digest.error or status(digest) == "open"):
        what = line(failing[-1].target or failing[-1].tool, 60)
        found.append(f"{what} failed and did not succeed later")
    return "; ".join(found)


def _newest(texts: Sequence[str], most: int) -> str:
    """Join the newest texts that fit into `most` characters, but at least one."""
    joined = _as_sentences(texts, 200)
    while len(texts) > 1 and len(joined) > most:
        texts = texts[1:]
        joined = _as_sentences(texts, 200)
    return joined


def _as_sentences(texts: Iterable[str], most: int) -> str:
    """Join texts as sentences, with "; " after one without a full stop. most: characters each."""
    joined = ""
    for text in texts:
        found = line(text, most)
        if not found:
            continue
        if joined:
            end = joined[-1]
            joined += "" if end in "。！？" else " " if end in ".!?…:" else "; "  # noqa: RUF001
        joined += found
    return joined
