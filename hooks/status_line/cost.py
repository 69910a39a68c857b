"""Compute the cost of today and of the current five-hour block from Claude Code's own figures.

Claude Code reports the cost of each session so far (`cost.total_cost_usd`). The difference to the
previous reading is added to today and to the block. Invariant: time and size are bounded; if the
state cannot be read or written, the figures are missing, never the line. The file can be deleted.
"""

from __future__ import annotations

import fcntl
import os

from journal.blocks import BLOCK, block_start
from journal.clock import local
from journal.codec import digest, dumps, loads
from journal.files import open_regular, read_regular
from journal.replace_file import write_atomic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from journal.transcript.statusline import Reading

FILE = "statusline.cost"
_SESSIONS = 200  # sessions remembered, the latest ones
_SIZE = 64 * 1024


def spent(home: str, reading: Reading, now: int) -> str:
    """Add a reading; return `today $4.20 · 5h $1.10 until 15:00`, "" if nothing is known."""
    path = os.path.join(home, FILE)
    state = _read(path)
    is_new = state["day"] != _day(now) or state["sessions"].get(_key(reading)) != reading.cost
    if reading.cost is not None and is_new:
        state = _updated(path, reading, now) or state
    return _text(state, now)


def _updated(path: str, reading: Reading, now: int) -> dict[str, Any] | None:
    """Add a reading under the lock and store the result; None if another window holds the lock."""
    lock = open_regular(path + ".lock", os.O_RDWR | os.O_CREAT, linked=True)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return None  # the next reading adds this cost too
        state = _read(path)
        _add(state, reading, now)
        write_atomic(path, dumps(state))
        return state
    finally:
        os.close(lock)


def _add(state: dict[str, Any], reading: Reading, now: int) -> None:
    total, key = reading.cost or 0.0, _key(reading)
    previous = state["sessions"].pop(key, None)
    started = now - (reading.duration if reading.duration is not None else now)
    if previous is None:  # what came before the first reading counts if all of it was today
        added = total if _day(started) == _day(now) else 0.0
        in_block = total if started >= (state["start"] or now) else 0.0
    else:  # a session that is resumed counts from zero again
        added = in_block = total - previous if total >= previous else total
    state["sessions"][key] = total
    state["sessions"] = dict(list(state["sessions"].items())[-_SESSIONS:])
    if state["day"] != _day(now):
        state["day"], state["today"] = _day(now), 0.0
    state["today"] += added
    if not added:
        return
    start = block_start(now, state["start"], state["last"])
    if start != state["start"]:
        state["start"], state["block"] = start, 0.0
        in_block = added
    state["block"] += in_block
    state["last"] = now


def _text(state: dict[str, Any], now: int) -> str:
    """Return the text, without a day or a block that is over."""
    if state["day"] != _day(now):
        return ""
    text = f"today ${state['today']:.2f}"
    if 0 <= now - state["start"] <= BLOCK and now - state["last"] <= BLOCK:
        text += f" · 5h ${state['block']:.2f} until {local(state['start'] + BLOCK)[11:16]}"
    return text


def _read(path: str) -> dict[str, Any]:
    """Return the stored state, or an empty one if there is no valid file."""
    empty: dict[str, Any] = {
        "day": "",
        "today": 0.0,
        "start": 0,
        "last": 0,
        "block": 0.0,
        "sessions": {},
    }
    try:
        found: Any = loads(read_regular(path, _SIZE))
    except (OSError, ValueError):
        return empty
    if not isinstance(found, dict) or found.keys() != empty.keys():
        return empty
    sessions = found["sessions"]
    numbers = [found[name] for name in ("today", "start", "last", "block")]
    numbers += sessions.values() if isinstance(sessions, dict) else [None]
    return found if all(isinstance(number, int | float) for number in numbers) else empty


def _key(reading: Reading) -> str:
    return digest(reading.session_id)


def _day(ms: int) -> str:
    return local(ms)[:10]
