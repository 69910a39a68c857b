"""Make the sessions of the labelled set, always the same, and the grades of each query."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from journal.clock import iso
from journal.log.record import frame
from tests.bench.corpus import START

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SESSIONS = 5  # per topic
CHORES = {
    "english": ("run the tests again", "commit this, please", "what changed since yesterday",
                "fix the lint errors", "update the changelog and tag a release"),
    "japanese": ("テストをもう一度実行して", "コミットしてください", "昨日からの変更点は何ですか",
                 "警告を消してください", "変更履歴を更新してリリースする"),
    "korean": ("테스트를 다시 돌려 줘", "커밋해 주세요", "어제부터 바뀐 것이 무엇인가요",
               "경고를 없애 주세요", "변경 기록을 고치고 릴리스하기"),
}  # fmt: skip
_ALONE = 10  # sessions per language that consist of chores only


class Topic(NamedTuple):
    """A topic, with its lines by letter."""

    name: str
    language: str
    near: tuple[str, ...]
    lines: dict[str, list[str]]


class Query(NamedTuple):
    """A query, and the grade of each session (by id) that answers it."""

    text: str
    language: str
    grades: dict[str, int]


def topics() -> list[Topic]:
    """Read the topics."""
    found: list[Topic] = []
    for path in sorted(Path(__file__).parent.glob("*.txt")):
        for row in path.read_text(encoding="utf-8").splitlines():
            letter, _, text = row.partition(" ")
            if letter == "@":
                name, *near = text.split()
                found.append(Topic(name, path.stem, tuple(item[1:] for item in near), {}))
            elif row:
                found[-1].lines.setdefault(letter, []).append(text)
    return found


def queries() -> list[Query]:
    """Return the queries with their grades."""
    known = {topic.name: topic for topic in topics()}
    found = []
    for topic in known.values():
        grades = {sid_of(name, n): 1 for name in topic.near for n in range(SESSIONS)}
        grades |= {sid_of(topic.name, n): 2 for n in range(SESSIONS)}
        assert set(topic.near) <= set(known)
        found += [Query(text, topic.language, grades) for text in topic.lines["q"]]
    return found


def sid_of(name: str, number: int) -> str:
    """Return the id of a topic's session."""
    return f"{name}-{number}"


def write(home: Path) -> int:
    """Write the sessions into three journals below `home`, in mixed order; return their number."""
    random_ = random.Random(5)
    sessions = [
        (sid_of(topic.name, number), list(_topical(random_, topic, number)))
        for topic in topics()
        for number in range(SESSIONS)
    ]
    for language, chores in CHORES.items():
        for number in range(_ALONE):
            told = [("p", random_.choice(chores)), ("r", random_.choice(chores))]
            sessions.append((f"chores-{language}-{number}", told))
    random_.shuffle(sessions)
    for project in range(3):
        directory = home / f"work{project}-{project:08x}"
        directory.mkdir(parents=True, mode=0o700)
        with (directory / "active.jsonl").open("wb") as file:
            file.writelines(_records(sessions[project::3], project))
    return len(sessions)


def _topical(random_: random.Random, topic: Topic, number: int) -> Iterator[tuple[str, str]]:
    """Yield the lines of one session: some lines of the topic, and some chores."""
    lines, chores = topic.lines, CHORES[topic.language]
    prompts, replies, files = lines["p"], lines["r"], lines["f"][0].split()
    if number == 4:
        yield "p", random_.choice(chores)
    yield "p", prompts[number % len(prompts)]
    yield "f", files[number % len(files)]
    if number in (1, 4):
        yield from (("e", text) for text in lines.get("e", ()))
    yield "r", replies[number % len(replies)]
    if number in (0, 3):
        yield from (("d", text) for text in lines.get("d", ()))
    if number % 2:
        yield "p", prompts[(number + 1) % len(prompts)]
        yield "f", files[(number + 1) % len(files)]
    if number == 2:  # a passing remark from another topic
        others = [item for item in topics() if item.name not in (topic.name, *topic.near)]
        yield "r", random_.choice(random_.choice(others).lines["r"])
    yield "p", random_.choice(chores)
    yield "f", f"docs/notes_{random_.randint(1, 99)}.md"


def _records(
    sessions: Sequence[tuple[str, list[tuple[str, str]]]], project: int
) -> Iterator[bytes]:
    opened = {"type": "segment.opened", "v": 1, "sid": "", "format": 1,
              "journal": f"{project:032x}", "previous": "", "last_seq": 0, "digest": ""}  # fmt: skip
    seq = 1
    yield frame(seq, {"ts": iso(START), **opened})
    for sid, told in sessions:
        for body in ({"type": "session.started", "source": "startup"},
                     *(_event(letter, text) for letter, text in told),
                     {"type": "session.ended", "reason": "prompt_input_exit"}):  # fmt: skip
            seq += 1
            yield frame(seq, {"ts": iso(START + seq * 60_000), **body, "v": 1, "sid": sid})


def _event(letter: str, text: str) -> dict[str, object]:
    if letter == "p":
        return {"type": "prompt.submitted", "origin": "human", "size": len(text), "text": text}
    if letter == "r":
        return {"type": "turn.ended", "size": len(text), "message": text}
    if letter == "d":
        return {"type": "decision.recorded", "text": text}
    if letter == "e":
        tool, _, rest = text.partition(" ")
        target, _, error = rest.partition(": ")
        return {"type": "tool.failed", "tool": tool, "target": target, "ok": False, "error": error}
    return {"type": "tool.finished", "tool": "Edit", "target": text, "changed": True}


def ndcg(found: Sequence[str], grades: dict[str, int], most: int = 10) -> float:
    """Return the normalised discounted cumulative gain of the first `most`."""
    best = sorted(grades.values(), reverse=True)[:most]
    ideal = sum((2**grade - 1) / math.log2(at + 2) for at, grade in enumerate(best))
    gain = sum((2 ** grades.get(sid, 0) - 1) / math.log2(at + 2)
               for at, sid in enumerate(found[:most]))  # fmt: skip
    return gain / ideal


def recall(found: Sequence[str], grades: dict[str, int], most: int = 10) -> float:
    """Return the share of the fully answering sessions that are among the first `most`."""
    wanted = {sid for sid, grade in grades.items() if grade == 2}
    return len(wanted & set(found[:most])) / len(wanted)
