"""Makes the golden files: `python -m tests.golden.make journals|views|projections …`.

Invariant: a journal that exists is never replaced, unless `--anew` is said (before a release); the
states of a version of a projection are never replaced by others.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from pathlib import Path

from journal.codec import digest
from journal.log.read import Reader
from journal.log.record import frame
from projections.fold import Fold
from projections.registry import REGISTRY
from tests.cases.streams import STREAMS, Replay, recorded, remove
from tests.cases.test_size import session
from tests.cases.world import World, plain
from tests.projections.timeline import WORDS, fields_of

HERE = Path(__file__).parent
JOURNALS = HERE / "v1"
VERSIONS = HERE / "projections.json"

_MORE = ("stage finished audit", "stage stopped audit", "stage resumed ship", "stage abandoned ship",
         "progress closed", "progress saved 2", "progress adopted a", "progress discarded a",
         "unit checked b", "unit finished", "subagent ended", "about exported a")  # fmt: skip
_RESTS = {"reading": "130000", "told": "info", "compact": "auto 12", "stage": "started sprint",
          "progress": "saved 1", "unit": "started", "subagent": "started", "gap": "2", "stop": "3",
          "about": "summarized a", "trimmed": "4", "compound": "2", "part": "1", "task": "1 completed"}  # fmt: skip
_PAST = ("start", "titled Rounding in the cart", "usage r1", "prompt fix the rounding",
         "tool Edit cart.py", "end", "about summarized a", "about exported a",
         "about summarized a", "queued a notes", "part 1", "part 2", "part 3", "part 2",
         "start resume", "injected pack 10", "prompt go on", "injected related at start: #7 #8",
         "start clear a by x", "queued b for nobody",
         "checked 2")  # fmt: skip

_LATER = {"checked", "withdrawn"}  # words that are younger than the walk, which must stay as it was
_SIDS = ("a", "b", "c", "-")
_VARIED = {
    "start": ("startup", "resume", "clear a", "fork b", "compact"), "tool": ("Edit cart.py", "Bash x",
    "Read y.py", "Skill implement"), "compact": ("auto", "manual", "auto 3"), "end": ("other", "clear"),
    "reading": ("1000", "125000", "151000 167000"), "unit": ("started", "checked a", "finished"),
    "stage": ("started sprint", "finished sprint", "stopped ship", "resumed ship"),
    "progress": ("saved 1", "saved 2", "closed", "adopted a"), "queued": ("a x", "b y"), "part": ("1", "2", "3"),
}  # fmt: skip


def walk() -> list[str]:
    """Return 4,000 lines of several sessions, drawn from every word: always the same ones."""
    chance = random.Random(8)
    lines = []
    for number in range(4000):
        word = chance.choice(sorted(WORDS.keys() - _LATER))
        rest = chance.choice(_VARIED.get(word, (_RESTS.get(word, "x"),)))
        line = f"{chance.choice(_SIDS)} {9 + number // 400:02}:{number % 60:02} {word} {rest}"
        line += f" key k{chance.randrange(4)}" if not chance.randrange(10) else ""
        lines.append(line + (" by agent1" if not chance.randrange(10) else ""))
    return lines


def versions() -> dict[str, list[object]]:
    """Return projection → [version, digest of its states along the walk]."""
    fold, found = Fold(REGISTRY.values()), dict.fromkeys(REGISTRY, "")
    for seq, line in enumerate(walk(), 1):
        fold.feed([(seq, frame(seq, fields_of(line))[:-1])])
        if not seq % 100:
            for name, state in plain(fold.states).items():
                found[name] = digest(found[name] + json.dumps(state, sort_keys=True))
    return {name: [item.version, found[name]] for name, item in REGISTRY.items()}


def stale(now: dict[str, list[object]], frozen: dict[str, list[object]]) -> list[str]:
    """Return the projections of which a version has two states: the one stored and another."""
    return [
        name
        for name, (version, states) in now.items()
        if frozen.get(name, [0])[0] == version and frozen[name][1] != states
    ]


def views_of(directory: Path) -> dict[str, object]:
    """Fold a journal from the start with every projection, as plain data."""
    return plain(Fold(REGISTRY.values()).feed(Reader(str(directory))).states)


def _words() -> list[dict]:
    lines = [f"a 09:{at:02} {word} {_RESTS.get(word, 'x')}" for at, word in enumerate(WORDS)]
    lines += [f"b 10:{at:02} {rest}" for at, rest in enumerate(_MORE)]
    lines += ["b 10:30 prompt x by agent1", "b 10:31 note twice key k", "b 10:31 note twice key k"]
    opened = {"ts": "2026-11-21T08:59:00.000Z", "type": "segment.opened", "v": 1, "sid": "",
              "format": 1, "journal": "0" * 16, "last_seq": 0}  # fmt: skip
    return [opened, *(fields_of(line) for line in lines)]


def _past() -> list[dict]:
    """Give the events that bring past sessions back, the second of two keyed ones a repeat."""
    lines = [f"a 09:{at:02} {rest}" for at, rest in enumerate(_PAST)]
    return [fields_of(line) for line in lines]


def _taken_back() -> list[dict]:
    """Give a session whose first prompt a rewind took back."""
    said = ("start", "prompt go on", "stop 0", "prompt fix it", "withdrawn go on", "end x")
    return [fields_of(f"a 09:{at:02} {rest}") for at, rest in enumerate(said)]


def _played(name: str) -> list[dict]:
    world = World(Path(tempfile.mkdtemp(prefix="journal-test-")), inline=True)
    try:
        if name == "session":
            session(world, 200)
        else:
            replay = Replay(world)
            for call in recorded(name):
                replay.feed(call)
        text = json.dumps(world.events()).replace(str(world.base), "")
    finally:
        remove(world)
    events = json.loads(text)
    for event in events:
        del event["seq"], event["crc"]
        if "journal" in event:
            event["journal"] = "0" * len(event["journal"])
    return events


def journals(*, anew: bool) -> None:
    """Write the journals that are missing, or all of them."""
    for name in (*STREAMS, "session", "words", "past", "taken-back"):
        path = JOURNALS / name / "active.jsonl"
        if path.exists() and not anew:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        made = {"words": _words, "past": _past, "taken-back": _taken_back}.get(name)
        events = made() if made is not None else _played(name)
        lines = [frame(seq, fields) for seq, fields in enumerate(events, 1)]
        path.write_bytes(b"".join(lines))


def views() -> None:
    """Write the views of every journal."""
    for path in JOURNALS.glob("*/active.jsonl"):
        text = json.dumps(views_of(path.parent), indent=1, ensure_ascii=False, sort_keys=True)
        (path.parent / "views.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    if "journals" in sys.argv:
        journals(anew="--anew" in sys.argv)
    if "views" in sys.argv:
        views()
    if "projections" in sys.argv:
        made = versions()
        if wrong := stale(made, json.loads(VERSIONS.read_text(encoding="utf-8"))):
            sys.exit(f"raise the version of: {', '.join(wrong)}")
        VERSIONS.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
