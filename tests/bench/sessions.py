"""Make journals with any number of sessions with varied texts, fast and always the same."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

from journal.clock import iso
from journal.log.record import frame
from tests.bench.corpus import START

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ROOTS = [
    "parse",
    "token",
    "cache",
    "index",
    "queue",
    "retry",
    "login",
    "session",
    "user",
    "order",
    "invoice",
    "report",
    "export",
    "import",
    "deploy",
    "build",
    "test",
    "merge",
    "branch",
    "commit",
    "schema",
    "table",
    "column",
    "query",
    "filter",
    "sort",
    "page",
    "chart",
    "theme",
    "layout",
    "button",
    "modal",
    "form",
    "field",
    "validate",
    "encode",
    "decode",
    "stream",
    "buffer",
    "socket",
    "proxy",
    "router",
    "handler",
    "worker",
    "job",
    "cron",
    "mail",
    "template",
    "upload",
    "download",
    "image",
    "video",
    "thumb",
    "search",
    "rank",
    "score",
    "metric",
    "trace",
    "log",
    "alert",
    "budget",
    "quota",
    "limit",
    "lock",
    "mutex",
    "thread",
    "pool",
    "async",
    "await",
    "signal",
    "event",
]
_VERBS = [
    "fix",
    "add",
    "move",
    "rename",
    "split",
    "speed-up",
    "remove",
    "explain",
    "review",
    "document",
    "test",
    "refactor",
]
_FILLERS = [
    "the",
    "a",
    "when",
    "after",
    "because",
    "of",
    "for",
    "with",
    "into",
    "from",
    "that",
    "every",
    "old",
    "new",
    "slow",
    "wrong",
]
_JAPANESE = [
    "認証",
    "検索",
    "索引",
    "画面",
    "設定",
    "移行",
    "帳票",
    "在庫",
    "通知",
    "権限",
    "性能",
    "障害",
    "復旧",
    "監視",
    "配信",
]
_KOREAN = [
    "로그인",
    "검색",
    "색인",
    "화면",
    "설정",
    "이전",
    "보고서",
    "재고",
    "알림",
    "권한",
    "성능",
    "장애",
    "복구",
    "감시",
    "배포",
]


def write_sessions(home: Path, sessions: int, projects: int, *, seed: int = 11) -> list[Path]:
    """Write `sessions` over `projects` journals below `home`; return their directories."""
    made = []
    for number in range(projects):
        directory = home / f"app{number:02d}-{number:08x}"
        directory.mkdir(parents=True, mode=0o700)
        random_ = random.Random(seed * 1000 + number)
        path = directory / "active.jsonl"
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.writelines(lines(random_, sessions // projects, number))
        made.append(directory)
    return made


def lines(random_: random.Random, sessions: int, project: int) -> Iterator[bytes]:
    """Yield the framed records of one journal."""
    opened = {"type": "segment.opened", "v": 1, "sid": "", "format": 1,
              "journal": f"{project:032x}", "previous": "", "last_seq": 0, "digest": ""}  # fmt: skip
    yield frame(1, {"ts": iso(START), **opened})
    seq, now = 1, START
    for _ in range(sessions):
        for body in session(random_):
            seq += 1
            now += random_.randint(500, 90_000)
            yield frame(seq, {"ts": iso(now), **body})
        now += random_.randint(60_000, 7_200_000)


def session(random_: random.Random) -> Iterator[dict[str, object]]:
    """Yield the events of one session: about thirty."""
    sid = "-".join(f"{random_.getrandbits(32):08x}" for _ in range(3))
    base = {"v": 1, "sid": sid, "branch": random_.choice(("main", "next", _word(random_)))}
    topic = [_word(random_) for _ in range(4)]
    files = [f"src/{topic[n % 4]}/{_word(random_)}_{_word(random_)}.py" for n in range(4)]
    yield {"type": "session.started", **base, "source": "startup", "model": "claude-sonnet-4-6"}
    for turn in range(random_.randint(2, 5)):
        prompt = f"{sid[:8]}.{turn}"
        text = _sentence(random_, topic)
        yield {"type": "prompt.submitted", **base, "prompt": prompt, "origin": "human",
               "key": f"{random_.getrandbits(64):016x}", "size": len(text), "text": text}  # fmt: skip
        for _ in range(random_.randint(3, 9)):
            yield _tool(random_, base, prompt, files)
        if random_.random() < 0.4:
            yield {"type": "decision.recorded", **base, "text": _sentence(random_, topic)}
        reply = " ".join(_sentence(random_, topic) for _ in range(3))
        yield {"type": "turn.ended", **base, "prompt": prompt, "size": len(reply),
               "key": f"{random_.getrandbits(64):016x}", "message": reply}  # fmt: skip
    if random_.random() < 0.95:
        yield {"type": "session.ended", **base, "reason": "prompt_input_exit"}


def _tool(random_: random.Random, base: dict[str, object], prompt: str,
          files: list[str]) -> dict[str, object]:  # fmt: skip
    tool = random_.choice(("Bash", "Read", "Edit", "Write", "Grep"))
    target = "pytest -q" if tool == "Bash" else random_.choice(files)
    known = {"prompt": prompt, "key": f"{random_.getrandbits(64):016x}", "tool": tool,
             "target": target, "ms": random_.randint(1, 900), "input_size": 120,
             "use": f"toolu_{random_.getrandbits(64):016x}"}  # fmt: skip
    if random_.random() < 0.08:
        error = f"{_word(random_).title()}Error: {_sentence(random_, [_word(random_)])}"
        return {"type": "tool.failed", **base, **known, "ok": False, "error": error}
    return {"type": "tool.finished", **base, **known, "output_size": 900,
            "digest": f"b2:{random_.getrandbits(64):016x}", "changed": tool in ("Edit", "Write")}  # fmt: skip


def _word(random_: random.Random) -> str:
    """Return one of about ten thousand words, the first ones far more often."""
    root = _ROOTS[min(int(random_.expovariate(0.05)), len(_ROOTS) - 1)]
    return root if random_.random() < 0.5 else f"{root}{random_.choice(_ROOTS)}"


def _sentence(random_: random.Random, topic: list[str]) -> str:
    words = [random_.choice(_VERBS), random_.choice(topic)]
    words += [random_.choice((random_.choice(_FILLERS), _word(random_), random_.choice(topic)))
              for _ in range(random_.randint(5, 14))]  # fmt: skip
    if random_.random() < 0.1:
        words.append(random_.choice((_JAPANESE, _KOREAN))[random_.randint(0, 14)])
    return " ".join(words)
