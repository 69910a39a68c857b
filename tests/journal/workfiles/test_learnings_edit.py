"""Writing learnings: an addition only appends, a confirmation changes one entry's metadata."""

# ruff: noqa: RUF001 full-width signs are what is tested

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from journal.workfiles.learnings import parse_learnings
from journal.workfiles.learnings_edit import add, confirm
from tests.support.rows import each

DAY = "2026-11-21"


def test_a_new_entry_is_unverified() -> None:
    """A new entry has its phase, the date it was added, and a count of zero."""
    text = add("", "Cache the token", "Because it is slow.", "implement", DAY)
    assert text == (
        "### Cache the token\n<!-- confirmed: 0 | added: 2026-11-21 | phases: implement -->\n"
        "\nBecause it is slow.\n"
    )
    (entry,) = parse_learnings(text, "f")
    assert (entry.confirmed, entry.last, entry.phases) == (0, "", ("implement",))


def test_an_entry_drawn_from_others_starts_at_one() -> None:
    """An entry synthesized from others starts as confirmed once, today."""
    (entry,) = parse_learnings(add("", "T", "", "review", DAY, confirmed=1), "f")
    assert (entry.confirmed, entry.last) == (1, DAY)


APPENDS = {
    "to-text": ("# L\n", "# L\n\n### T\n"),
    "no-newline-at-end": ("# L", "# L\n\n### T\n"),
    "crlf": ("# L\r\n", "# L\r\n\r\n### T\r\n"),
}


@pytest.mark.parametrize("text, start", APPENDS.values(), ids=APPENDS)
def test_an_entry_is_set_off_in_the_files_own_line_endings(text: str, start: str) -> None:
    """A blank line separates the new entry, and its lines end as the file's do."""
    new = add(text, "T", "body\r\nmore", "debug", DAY)
    assert new.startswith(start)
    assert new.replace("\r\n", "").count("\n") == (0 if "\r\n" in text else new.count("\n"))


BODIES = {
    "heading": "## Not an entry\ntext",
    "setext": "Not an entry\n---",
    "open-fence": "```\ncode",
    "open-comment": "<!-- open",
    "obsolete": "Obsolete",
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_body_cannot_break_the_file(body: str) -> None:
    """A body line that would start an entry, swallow the next or mark it obsolete is quoted."""
    text = add(add("", "One", body, "debug", DAY), "Two", "plain", "debug", DAY)
    one, two = parse_learnings(text, "f")
    assert (one.title, two.title) == ("One", "Two")
    assert not one.obsolete
    for line in body.split("\n"):
        assert f"> {line}\n" in text


def test_a_body_that_harms_nothing_stays_as_written() -> None:
    """A body with lists, closed fences and words like Confirmed stays unquoted."""
    body = "- Confirmed: 9\n\n```\n### x\n```\n#### part"
    text = add("", "One", body, "debug", DAY)
    assert f"\n{body}\n" in text
    assert parse_learnings(text, "f")[0].confirmed == 0


@pytest.mark.parametrize("title", ["C #", "#", "# x", "a ##", "C#", "x | y", "日本語　題"])
def test_a_title_reads_back_as_given(title: str) -> None:
    """Number signs and other marks in a title are kept; runs of spaces become one."""
    assert parse_learnings(add("", title, "b", "p", DAY), "f")[0].title == " ".join(title.split())


REFUSED = {
    "empty-title": ("", " ", "", "debug", DAY),
    "long-title": ("", "x" * 201, "", "debug", DAY),
    "control-in-title": ("", "a\x1b", "", "debug", DAY),
    "obsolete-title": ("", "~~T~~", "", "debug", DAY),
    "phase-with-comment-end": ("", "T", "", "a-->b", DAY),
    "phase-with-comma": ("", "T", "", "a,b", DAY),
    "empty-phase": ("", "T", "", "", DAY),
    "no-date": ("", "T", "", "debug", ""),
    "invalid-date": ("", "T", "", "debug", "2026-13-01"),
    "title-in-use": ("### A  b\n", "A b", "", "debug", DAY),
    "open-fence-before": ("```\n", "T", "", "debug", DAY),
}


@each("args", REFUSED.values(), ids=REFUSED)
def test_a_bad_addition_is_refused(args: tuple[str, str, str, str, str]) -> None:
    """Invalid titles, phases and dates, titles in use and broken files raise ValueError."""
    with pytest.raises(ValueError, match=r"."):
        add(*args)


def test_an_obsolete_title_can_be_told_anew() -> None:
    """The title of an obsolete entry can be used again."""
    assert add("### T\n- Obsolete\n", "T", "", "debug", DAY).count("### T\n") == 2


CONFIRMS = {
    "comment": (
        "### T\n<!-- confirmed: 3 | last: 2026-11-20 | phases: implement -->\nb",
        "### T\n<!-- confirmed: 4 | last: 2026-11-21 | phases: implement, debug -->\nb",
    ),
    "added": (
        "### T\n<!-- confirmed: 0 | added: 2026-11-01 | phases: debug -->\n",
        "### T\n<!-- confirmed: 1 | last: 2026-11-21 | added: 2026-11-01 | phases: debug -->\n",
    ),
    "bullets": (
        "### T\n- Confirmed: 3 times\n- Last confirmed: 2026-11-20 (CI)\n- Phases: implement\n",
        "### T\n- Confirmed: 4 times\n- Last confirmed: 2026-11-21 (CI)\n- Phases: implement, debug\n",
    ),
    "bold-bullet": ("### T\n- **Confirmed: 9**\n", "### T\n- **Confirmed: 10 | last: 2026-11-21 | phases: debug**\n"),
    "japanese": (
        "### T\n- 確認回数：３回\n- 最終確認：2026年11月20日\n- フェーズ：debug\n",
        "### T\n- 確認回数：4回\n- 最終確認：2026-11-21\n- フェーズ：debug\n",
    ),
    "none": ("### T\nbody\n", "### T\n<!-- confirmed: 1 | last: 2026-11-21 | phases: debug -->\nbody\n"),
    "none-crlf": ("### T\r\nb", "### T\r\n<!-- confirmed: 1 | last: 2026-11-21 | phases: debug -->\r\nb"),
    "none-no-newline": ("### T", "### T\n<!-- confirmed: 1 | last: 2026-11-21 | phases: debug -->"),
    "setext": ("T\n---\n", "T\n---\n<!-- confirmed: 1 | last: 2026-11-21 | phases: debug -->\n"),
    "later-date-stays": (
        "### T\n<!-- confirmed: 1 | last: 2027-01-01 | phases: debug -->\n",
        "### T\n<!-- confirmed: 2 | last: 2027-01-01 | phases: debug -->\n",
    ),
    "phase-known": (
        "### T\n- Confirmed: 1\n- Last: 2026-11-21\n- Phases: `debug` / review\n",
        "### T\n- Confirmed: 2\n- Last: 2026-11-21\n- Phases: `debug` / review\n",
    ),
}  # fmt: skip


@each("text, expected", CONFIRMS.values(), ids=CONFIRMS)
def test_confirming_adds_one_in_place(text: str, expected: str) -> None:
    """Count, date and phases change in place and keep their notation."""
    new, entry = confirm(text, "T", "debug", DAY)
    assert new == expected
    assert entry.title == "T"
    assert entry.confirmed == parse_learnings(text, "")[0].confirmed + 1
    assert "debug" in entry.phases


SEVERAL = (
    "### Retry once\n### Retry twice\n### Cache\n### ~~Never~~\n- Confirmed: 1\n### 再試行は一回\n"
)
NAMED = {
    "title": "Retry once",
    "case": "cache",
    "prefix": "Retry o",
    "blanks": " Retry   once ",
    "cjk": "再試行",
}


@pytest.mark.parametrize("name", NAMED.values(), ids=NAMED)
def test_an_entry_is_named_by_title_or_beginning(name: str) -> None:
    """A title, in any case and spacing, or a beginning that fits one title names an entry."""
    _, entry = confirm(SEVERAL, name, "debug", DAY)
    assert entry.title.lower().startswith(" ".join(name.split()).lower())


def test_an_entry_is_named_by_its_digest() -> None:
    """The digest from a listing names its entry."""
    digest = parse_learnings(SEVERAL, "")[1].digest
    assert confirm(SEVERAL, digest, "debug", DAY)[1].title == "Retry twice"


LOST = {
    "unknown-with-close": ("Retri once", "Retry once"),
    "unknown-cjk": ("再試行が一回", "再試行は一回"),
    "unknown": ("zzz", "no learning"),
    "empty": ("", "no learning"),
    "ambiguous": ("Retry", "matches 2"),
    "obsolete": ("~~Never~~", "obsolete"),
}


@pytest.mark.parametrize("name, said", LOST.values(), ids=LOST)
def test_a_name_that_fits_none_or_several_is_refused(name: str, said: str) -> None:
    """LookupError names a similar title, or the entries that match."""
    with pytest.raises(LookupError, match=said):
        confirm(SEVERAL, name, "debug", DAY)


def test_a_double_title_is_refused() -> None:
    """If two entries have the same title, neither is confirmed."""
    with pytest.raises(LookupError, match=r"line 1.*line 2"):
        confirm("### A\n### A\n", "A", "debug", DAY)


def test_a_bad_phase_is_refused_on_confirming() -> None:
    """A phase that would break the comment raises ValueError."""
    with pytest.raises(ValueError, match="phase"):
        confirm("### A\n", "A", "x --> y", DAY)


PARTS = st.sampled_from(
    ["### A", "### B", "## C", "### ~~D~~", "## G\n### E", "- Confirmed: 3", "<!-- confirmed: 2 -->",
     "- Last: 2026-11-01 | Phases: review", "body", "", "```\n### no\n```", "- Obsolete: no", "#### part",
     "<!-- phases: implement -->", "- **Confirmed:** 7 times", "T\n---", "> q", "- item"]
)  # fmt: skip
FILES = st.tuples(st.lists(PARTS, max_size=15), st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda drawn: drawn[1].join(part.replace("\n", drawn[1]) for part in drawn[0]) + drawn[1] * drawn[2]
)  # fmt: skip


@given(FILES, st.integers(0, 20), st.sampled_from(["debug", "review"]))
def test_confirming_changes_one_entry_and_nothing_else(text: str, pick: int, phase: str) -> None:
    """One count rises by one; every other entry, and all other text, stays."""
    before = [entry for entry in parse_learnings(text, "") if not entry.obsolete]
    titles = [entry.title.lower() for entry in parse_learnings(text, "")]
    assume(before)
    chosen = before[pick % len(before)]
    assume(titles.count(chosen.title.lower()) == 1)
    new, after = confirm(text, chosen.title, phase, DAY)
    assert after.confirmed == chosen.confirmed + 1
    assert after.last == max(chosen.last, DAY)
    assert set(after.phases) == {*chosen.phases, phase}
    assert new[: chosen.start] == text[: chosen.start]
    assert new[len(new) - (len(text) - chosen.end) :] == text[chosen.end :]

    def facts(of: str) -> list[tuple[str, int, str, tuple[str, ...], bool]]:
        every = parse_learnings(of, "")
        return [(e.title, e.confirmed, e.last, e.phases, e.obsolete) for e in every]

    changed = [pair for pair in zip(facts(text), facts(new), strict=True) if pair[0] != pair[1]]
    assert len(changed) == 1


BODY = st.text(
    alphabet=st.sampled_from("a #`~<!->\n\r|=: 日\t*"), max_size=60
)  # the characters that Markdown interprets


@given(FILES, BODY)
def test_adding_only_appends_one_entry(text: str, body: str) -> None:
    """The new text begins with the old one and has exactly one more entry, unverified."""
    before = parse_learnings(text, "")
    new = add(text, "A wholly new title", body, "debug", DAY)
    assert new.startswith(text)
    after = parse_learnings(new, "")
    assert [entry.title for entry in after] == [*(e.title for e in before), "A wholly new title"]
    assert (after[-1].confirmed, after[-1].phases, after[-1].obsolete) == (0, ("debug",), False)
