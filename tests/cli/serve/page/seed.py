"""A sample journal home: three projects, three scripts, hostile titles, a sawtooth, live sessions.

Invariant: everything follows from `NOW`; the same home is made each time.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from journal.clock import iso, millis
from journal.log.record import frame

if TYPE_CHECKING:
    from pathlib import Path

NOW = "2026-11-21T15:00:00.000Z"
ROUND, PARQUET = "Round the totals", "Migrate the exporter"  # titles of two sessions
SHOP, EDITOR, MARKET = "shop-1a2b3c4d", "エディタ-0badcafe", "market-99887766"
IMAGE = "<img src=x onerror=\"window.hacked='img'\"> in a title"
SCRIPT = "</script><script>window.hacked='script'</script>"
TEMPLATE = "`${window.hacked='js'}` {{ window.hacked='vue' }} in a title"
LONG = "A title that goes on and on, " * 12
HOSTILE = (IMAGE, SCRIPT, TEMPLATE)
LIVE, SILENT = "11ve0000-b528-49db-9cf4-000000000001", "5i1e0000-b528-49db-9cf4-000000000002"
_HOUR = 3_600_000
_POINT = 167_000
_OPENED = {"type": "segment.opened", "sid": "", "format": 1, "journal": "0" * 32,
           "previous": "", "last_seq": 0, "digest": ""}  # fmt: skip


class Log:
    """One project's journal, written event by event."""

    def __init__(self, home: Path, name: str) -> None:
        self.path = home / name / "active.jsonl"
        self.events: list[dict[str, Any]] = [{"ts": iso(_ago(2000)), **_OPENED}]

    def add(self, kind: str, sid: str, at: int, **body: Any) -> None:
        """Add an event at a time (ms)."""
        self.events.append({"ts": iso(at), "type": kind, "v": 1, "sid": sid, **body})

    def write(self) -> None:
        """Write the journal."""
        self.path.parent.mkdir(parents=True, mode=0o700)
        lines = [frame(seq, {"v": 1, **event}) for seq, event in enumerate(self.events, 1)]
        self.path.write_bytes(b"".join(lines))
        self.path.chmod(0o600)


def _ago(hours: float) -> int:
    return (millis(NOW) or 0) - round(hours * _HOUR)


def session(log: Log, sid: str, title: str, hours: float, *, ended: bool = True, branch: str = "main",
            decision: str = "", file: str = "") -> int:  # fmt: skip
    """Record a session of an hour that began so long ago; return its last time (ms)."""
    at = _ago(hours)
    seen = {"branch": branch, "cwd": "/home/dev/shop"}
    log.add("session.started", sid, at, source="startup", model="claude-sonnet-4-5", **seen)
    log.add("prompt.submitted", sid, at + 60_000, text=title, prompt="p1", **seen)
    if file:
        log.add("tool.finished", sid, at + 120_000, tool="Edit", target=file, changed=True, **seen)
    if decision:
        log.add("decision.recorded", sid, at + 180_000, text=decision, **seen)
    log.add("turn.ended", sid, at + 240_000, message="It works, and the tests pass.", **seen)
    if ended:
        log.add("session.ended", sid, at + _HOUR, reason="other", **seen)
    return at + 240_000


# Minute of each reply of the session about the totals -> tokens that it read from the cache.
_REPLIES = {2: 118_000, 4: 140_000, 6: 160_000, 23: 14_000, 25: 45_000}


def _usage(read: int) -> dict[str, int]:
    """Return the tokens of a reply."""
    return {"input_tokens": 900, "output_tokens": 1_400, "cache_creation_input_tokens": 4_000,
            "cache_read_input_tokens": read}  # fmt: skip


def _cost(log: Log, sid: str, at: int, replies: dict[int, int]) -> None:
    """Record replies of a session, by minute, with a cost."""
    for minute, read in replies.items():
        log.add("usage.recorded", sid, at + 60_000 * minute, message=f"{sid[:8]}-{minute}", request=f"r{minute}",
                model="claude-sonnet-4-5-20250929", source="transcript", **_usage(read))  # fmt: skip


def _sawtooth(log: Log, sid: str, at: int) -> None:
    """Record a session that fills up three times: two warnings, two compactions."""
    minute = 60_000
    for tooth in range(3):
        for step in range(8):
            tokens = round(_POINT * (0.15 + 0.11 * step))
            at += minute
            log.add("pressure.sampled", sid, at, tokens=tokens, window=200_000, point=_POINT,
                    source="transcript", model="claude-sonnet-4-5")  # fmt: skip
            if tooth == 0 and step in (6, 7):
                level = "info" if step == 6 else "urgent"
                log.add("advice.given", sid, at + 1000, what="pressure", level=level,
                        channel="context", tokens=tokens, point=_POINT)  # fmt: skip
        if tooth < 2:
            at += minute
            log.add("compact.started", sid, at, trigger="auto", tokens=165_000, point=_POINT)
            log.add("compact.finished", sid, at + 20_000, trigger="auto", summary="the work so far")
            log.add("session.started", sid, at + 21_000, source="compact")


def sid(number: int) -> str:
    """Return a session id."""
    return f"{number:08x}-b528-49db-9cf4-92a4658e0b0f"


def damage(directory: Path) -> None:
    """Change a byte in a journal's tenth record."""
    segment = directory / "active.jsonl"
    lines = segment.read_bytes().splitlines(keepends=True)
    lines[9] = lines[9].replace(b'"sid":"', b'"sid":"x', 1)
    segment.write_bytes(b"".join(lines))


def transcript(home: Path) -> None:
    """Write the transcript of the session about the totals: calls, a compaction, markup."""
    shop = home.parent / "shop"
    shop.mkdir(exist_ok=True)
    begun = _ago(52)

    def line(kind: str, minute: int, content: Any = None, **more: Any) -> str:
        made = {"type": kind, "uuid": f"{kind}{minute}", "sessionId": sid(5), "cwd": str(shop),
                "timestamp": iso(begun + 60_000 * minute), "gitBranch": "fix/rounding", **more}  # fmt: skip
        if content is not None:
            made["message"] = {"role": kind, "content": content}
        if kind == "assistant":
            made["message"] |= {"id": f"m{minute}", "model": "claude-sonnet-4-5", "stop_reason": "end_turn",
                                "usage": _usage(_REPLIES[minute])}  # fmt: skip
        return json.dumps(made)

    def text(words: str) -> dict[str, str]:
        return {"type": "text", "text": words}

    def call(use: str, name: str, **given: str) -> dict[str, Any]:
        return {"type": "tool_use", "id": use, "name": name, "input": given}

    def result(use: str, words: str, *, error: bool = False) -> list[dict[str, Any]]:
        return [{"type": "tool_result", "tool_use_id": use, "content": words, "is_error": error}]

    lines = [
        line("user", 1, "Round the totals of the cart to cents. The receipt is off by one cent on some orders."),
        line("assistant", 2, [text("I will find where the total is made, then reproduce the difference."),
                              call("t1", "Grep", pattern="round\\(", path="shop")]),
        line("user", 3, result("t1", "shop/cart.py:41: return round(total, 2)\nshop/tax.py:18: return round(x)")),
        line("assistant", 4, [call("t2", "Bash", command="pytest -q tests/test_cart.py")]),
        line("user", 5, result("t2", "E   assert Decimal('10.01') == Decimal('10.02')\n1 failed", error=True)),
        line("assistant", 6, [text("The cause is `round()`: it rounds half to even, the receipt rounds half up.\n\n"
                                   "```python\nfrom decimal import ROUND_HALF_UP, Decimal\n\ntotal = sum(lines).quantize("
                                   "Decimal('0.01'), ROUND_HALF_UP)\n```"),
                              call("t3", "Edit", file_path=f"{shop}/cart.py", old_string="round", new_string="quantize")]),
        line("user", 7, result("t3", "updated")),
        line("system", 20, subtype="compact_boundary",
             compactMetadata={"trigger": "auto", "preTokens": 166_400, "postTokens": 11_800}),
        line("user", 20, "The totals of the cart are rounded half up.", isCompactSummary=True),
        line("user", 22, "<b onmouseover=\"window.hacked='over'\">And</b> the tax?"),
        line("assistant", 23, [call("t4", "Bash", command="pytest -q")]),
        line("user", 24, result("t4", "42 passed")),
        line("assistant", 25, [text("The tax is rounded like the totals now. All 42 tests pass.\n\n"
                                    "| call | before | after |\n|---|---|---|\n| `total` | half to even | half up |\n"
                                    "| `tax` | <b onmouseover=\"window.hacked='cell'\">half</b> to even | **half up** |")]),
    ]  # fmt: skip
    name = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(shop.resolve()))
    path = home.parent / "claude" / "projects" / name / f"{sid(5)}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def seed(home: Path, *, hostile: bool = True) -> None:
    """Write the journals; without the hostile titles they can be used for documentation."""
    transcript(home)
    shop = Log(home, SHOP)
    for number, title in enumerate((*HOSTILE, LONG) if hostile else (), 1):
        session(shop, sid(number), title, 100 - number, decision=title, file="cart.py")
    if hostile:
        for second in range(4):
            shop.add("pressure.sampled", sid(1), _ago(98) + second, tokens=40_000 + second,
                     window=200_000, point=_POINT, source="transcript")  # fmt: skip
    session(shop, sid(5), "Round the totals of the cart to cents", 52, branch="fix/rounding",
            decision="cents are integers", file="cart.py")  # fmt: skip
    _cost(shop, sid(5), _ago(52), _REPLIES)
    session(shop, sid(6), "Migrate the exporter to Parquet", 30, file="export.py")
    at = session(shop, SILENT, "Read the release notes", 5, ended=False)
    at = session(shop, LIVE, "Write the discount rules", 2, ended=False, branch="discounts",
                 decision="a discount never goes below zero", file="discount.py")  # fmt: skip
    _cost(shop, LIVE, at, dict.fromkeys(range(40), 65_000))
    _sawtooth(shop, LIVE, at)
    shop.write()
    editor = Log(home, EDITOR)
    session(editor, sid(21), "カートの合計を四捨五入する処理を直した", 28, file="合計.py")
    session(editor, sid(22), "検索の索引を作り直す", 27, decision="索引は捨ててよい")
    editor.write()
    market = Log(home, MARKET)
    session(market, sid(31), "장바구니 합계 반올림 오류 수정", 76, file="cart.kt")
    for back in range(6):
        session(market, sid(40 + back), f"Weekly report {back}", 100 + 168 * back)
        for number in range(20 if back < 5 else 0):
            file = f"reports/of-every-week/and-of-every-month/and-year/part-{back}-{number}.md"
            market.add("tool.finished", sid(40 + back), _ago(99.6 + 168 * back), tool="Edit",
                       target=file, changed=True)  # fmt: skip
            text = f"{number}: what was decided in week {back}, " + "told at length, " * 16
            market.add("decision.recorded", sid(40 + back), _ago(99.5 + 168 * back), text=text)
        log_at = _ago(99 + 168 * back)
        market.add("compact.started", sid(40 + back), log_at, trigger="manual", tokens=90_000,
                   point=_POINT)  # fmt: skip
        market.add("compact.finished", sid(40 + back), log_at + 9000, trigger="manual", summary="x")
    market.write()
