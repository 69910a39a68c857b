"""Past sessions for the cases about them, and what hooks put before Claude of them."""

from __future__ import annotations

from tests.cases.world import OTHER, World

ROUNDING = {
    "title": "Round prices in the cart", "files": ["src/cart.py", "src/totals.py"],
    "summary": "Rounding half up per line; the checkout totals agree with the invoice.",
    "decisions": ["Round per line, not per cart"], "engine": "extractive",
}  # fmt: skip
LOGIN = {
    "title": "ログイン画面の認証", "files": ["src/login.py"], "engine": "extractive",
    "summary": "認証トークンの期限切れを直した。",
}  # fmt: skip


def past(world: World, sid: str = OTHER, about: dict | None = None, **more: str) -> int:
    """Record a past session that ended and was summarised; return the seq of its summary."""
    world.start(sid=sid)
    world.prompt("make the rounding of prices right", sid=sid)
    world.tool("Edit", sid=sid, file_path=(about or ROUNDING)["files"][0])
    world.end(sid=sid)
    ended = world.events("session.ended")[-1]
    event = {"type": "session.summarized", "sid": sid, "of": sid, "upto": ended["seq"],
             "ended": ended["ts"], "branch": "main", **(about or ROUNDING), **more}  # fmt: skip
    return world.append(event)[0]


def injected(world: World, what: str) -> list[dict]:
    """Return the texts of one kind injected into this world's session."""
    return [
        event
        for event in world.events("context.injected")
        if (event["what"], event["sid"]) == (what, world.sid)
    ]
