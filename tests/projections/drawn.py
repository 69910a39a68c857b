"""Random timelines: every kind of event, a few sessions, some subagents, some repeated keys."""

from __future__ import annotations

from hypothesis import strategies as st

SIDS = ("a", "b", "c")
_NAMES = st.sampled_from(["x", "cart.py", "implement", "p:design", "understanding-check", "y z"])
_COUNTS = st.integers(0, 9).map(str)
_TOKENS = st.sampled_from(["0", "1000", "110000", "125000", "151000", "160000"])

_RESTS = {
    "start": st.sampled_from(
        ["startup", "resume", "clear a", "clear b", "fork a", "fork c", "compact", "clear z"]
    ),
    "end": st.sampled_from(["other", "clear"]),
    "prompt": _NAMES,
    "command": _NAMES,
    "tool": st.builds(
        "{} {}".format, st.sampled_from(["Bash", "Edit", "Read", "Skill", "Write"]), _NAMES
    ),
    "task": st.builds(
        "{} {}".format, _COUNTS, st.sampled_from(["pending", "completed", "deleted"])
    ),
    "todos": st.sampled_from(["one", "one two", ""]),
    "fail": st.builds("{} {}".format, st.sampled_from(["Bash", "Edit"]), _NAMES),
    "stop": st.one_of(st.just(""), _COUNTS),
    "reading": st.one_of(_TOKENS, st.builds("{} {}".format, _TOKENS, st.sampled_from([0, 67000]))),
    "told": st.builds("{} {}".format, st.sampled_from(["info", "urgent"]), _TOKENS),
    "suggested": _NAMES,
    "injected": st.sampled_from(
        [
            "recovery",
            "start",
            "guidance",
            "pack 1",
            "pack 2",
            "pack 5",
            "decision",
            "related x: #3 #4",
        ]
    ),
    "compact": st.one_of(
        st.sampled_from(["auto", "manual"]),
        st.builds("{} {}".format, st.sampled_from(["auto", "manual"]), _COUNTS),
    ),
    "done": st.just(""),
    "forked": _NAMES,
    "gathered": _NAMES,
    "written": _NAMES,
    "summary": _NAMES,
    "trimmed": _COUNTS,
    "note": _NAMES,
    "compound": _COUNTS,
    "decide": _NAMES,
    "checkpoint": st.sampled_from(["compact", "pressure"]),
    "model": st.sampled_from(["claude-opus-5-5", "claude-sonnet-4-5"]),
    "stage": st.builds(
        "{} {}".format,
        st.sampled_from(["started", "finished", "stopped", "resumed", "abandoned"]),
        st.sampled_from(["sprint", "audit", "ship", "retrospective"]),
    ),
    "progress": st.sampled_from(
        ["saved 1", "saved 2", "closed", "adopted a", "adopted b", "discarded a", "discarded"]
    ),
    "unit": st.sampled_from(["started", "checked a", "checked d", "finished"]),
    "learned": _NAMES,
    "confirmed": _NAMES,
    "failed": st.sampled_from(["unknown", "rate_limit"]),
    "notified": st.sampled_from(["idle_prompt", "permission_prompt"]),
    "subagent": st.sampled_from(["started", "ended"]),
    "about": st.builds(
        "{} {}".format, st.sampled_from(["summarized", "exported"]), st.sampled_from(SIDS)
    ),
    "queued": st.builds("{} {}".format, st.sampled_from(SIDS), _NAMES),
    "part": st.sampled_from(["1", "2", "3"]),
    "titled": _NAMES,
    "usage": _NAMES,
    "gap": _COUNTS,
    "future": st.sampled_from(["thing", "x"]),
}


@st.composite
def _line(draw: st.DrawFn, sids: tuple[str, ...] = (*SIDS, "-"), repeats: bool = True) -> str:
    word = draw(st.sampled_from(sorted(_RESTS)))
    sid = draw(st.sampled_from(sids))
    minute = draw(st.integers(0, 59))
    line = f"{sid} 09:{minute:02} {word} {draw(_RESTS[word])}".rstrip()
    if repeats and draw(st.integers(0, 9)) == 0:
        line += f" key k{draw(st.integers(0, 3))}"
    if draw(st.integers(0, 9)) == 0:
        line += " by agent1"
    return line


LINES = st.lists(_line(), max_size=40)
"""Lines of several sessions, of none (`-`), and of subagents."""


def lines_of(*sids: str) -> st.SearchStrategy[list[str]]:
    """Lines of these sessions only, without keys: the events of one lineage."""
    return st.lists(_line(sids=sids, repeats=False), max_size=25)
