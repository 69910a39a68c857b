"""Make a journal of any size with a realistic mix of events, fast and always the same."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

from journal.clock import iso
from journal.log.record import frame

if TYPE_CHECKING:
    from pathlib import Path

START = 1_790_000_000_000  # ms


def write_journal(directory: Path, events: int, *, sessions: int = 200, seed: int = 7) -> Path:
    """Write one active segment of `events` records (with the opening one); return the directory."""
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    random_ = random.Random(seed)
    path = directory / "active.jsonl"
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.writelines(lines(random_, events, sessions))
    return directory


def lines(random_: random.Random, events: int, sessions: int):
    """Yield framed records: sessions of prompts, tool calls and samples, with some compactions."""
    opened = {"type": "segment.opened", "v": 1, "sid": "", "format": 1, "journal": "0" * 32,
              "previous": "", "last_seq": 0, "digest": ""}  # fmt: skip
    yield frame(1, {"ts": iso(START), **opened})
    seq, now = 1, START
    per_session = max(20, events // sessions)
    while seq < events:
        sid = f"{random_.getrandbits(128):032x}"
        for body in session(random_, sid, min(per_session, events - seq)):
            seq += 1
            now += random_.randint(200, 20_000)
            yield frame(seq, {"ts": iso(now), **body})


def session(random_: random.Random, sid: str, count: int):
    """Yield `count` bodies of one session."""
    base = {"v": 1, "sid": sid}
    yield {"type": "session.started", **base, "key": f"{sid[:16]}.1", "source": "startup"}
    tokens, given = 20_000, 1
    while given < count:
        kind = random_.random()
        key = f"{random_.getrandbits(64):016x}"
        given += 1
        if kind < 0.72:
            tool = random_.choice(("Bash", "Read", "Edit", "Write", "Grep"))
            yield {"type": "tool.finished", **base, "prompt": sid[:8], "key": key, "branch": "main",
                   "tool": tool, "use": f"toolu_{key}", "target": f"src/module_{key[:2]}.py",
                   "ms": random_.randint(1, 900), "input_size": 120, "output_size": 900,
                   "digest": "b2:" + key, "changed": tool in ("Edit", "Write")}  # fmt: skip
        elif kind < 0.84:
            tokens += random_.randint(500, 4_000)
            if tokens > 167_000:
                tokens = 20_000
                yield {"type": "compact.started", **base, "trigger": "auto", "tokens": 167_500,
                       "point": 167_000}  # fmt: skip
                continue
            yield {"type": "pressure.sampled", **base, "tokens": tokens, "window": 200_000,
                   "point": 167_000, "used": 50.0, "pressure": 60.0, "source": "transcript",
                   "model": "claude-sonnet-4-6", "at": "2026-11-21T20:31:13.123Z"}  # fmt: skip
        elif kind < 0.90:
            yield {"type": "prompt.submitted", **base, "prompt": sid[:8], "key": key,
                   "origin": "human", "size": 60, "text": "please look at the parser again"}  # fmt: skip
        else:
            yield {"type": "turn.ended", **base, "prompt": sid[:8], "key": key, "size": 200,
                   "message": "Done: the parser reads both forms now."}  # fmt: skip
