"""What a user pasted: logs, traces, and what Claude Code marks as pasted."""

from __future__ import annotations

import pytest

from projections.pasted import MARK, errors_in, pasted_in, without_note, without_pasted
from projections.prose import is_substantial, sentences


def test_a_stack_trace_is_no_word_of_the_person() -> None:
    """Frames and exceptions with their package are lines of a log, and sentences are not."""
    trace = (
        "java.lang.IllegalStateException: Pool not open\n"
        "\tat com.acme.Pool.require(Pool.java:91)\nCaused by: a.b.IoError: x\n\t... 42 more\n"
    )
    text = f"checkout fails since noon.\n{trace}at night it is fine"
    assert list(sentences(text)) == ["checkout fails since noon.", "at night it is fine"]
    assert pasted_in(text) == trace.rstrip()
    assert not pasted_in("one line\nat night it is fine")
    assert not pasted_in("it says\nTypeError: one\nTypeError: two\nTypeError: three")


HEAD = "Traceback (most recent call last):"


@pytest.mark.parametrize(
    "trace",
    [
        f'{HEAD}\n  File "/srv/db.py", line 41, in get\n    raise Full(20)\nshop.db.Full: 20',
        f"  {HEAD}\n    File \"<stdin>\", line 1, in <module>\n  KeyError: 'x'",
        "TypeError: total is not a function\n    at sum (/srv/cart.js:4:9)\n    at main (a.js:1:2)",
    ],
)
def test_a_trace_ends_with_its_exception(trace: str) -> None:
    """Lines of code and the exception belong to it, and the sentence after it does not."""
    text = f"It fails:\n{trace}\nNever retry that."
    assert pasted_in(text) == trace
    assert list(sentences(text)) == ["It fails:", "Never retry that."]
    told = "It fails with\nTypeError: total is not a function\non the page"
    assert list(sentences(told)) == [" ".join(told.split())]


MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


@pytest.mark.parametrize(
    "row",
    [
        "Nov 26 10:00:11 web01 app[812]: GET /cart 200",
        "[ERROR] cannot open libssl.so.3",
        "INFO  loaded 3 plugins",
        '{"level":"info","msg":"request served"}',
        "web-1  | 2026-11-26T10:00:02 served",
        "npm ERR! code E404",
        "=== Step 3: Build ===",
        "##[error]Process completed with exit code 1.",
        "Error: cmd/cart/auto.go:87:1: New returns an interface (ireturn)",
        "FAILED tests/test_cart.py::test_total - assert 1 == 2",
        "ok  \texample.com/shop/cart\t0.4s",
        "test cart::total ... FAILED",
        "tests/test_cart.py ..F.            [ 40%]",
        *(f"{month}  7 10:00:11 web01 sshd[812]: closed" for month in MONTHS),
    ],
)
def test_what_logs_look_like(row: str) -> None:
    """Lines with a date, a level, a service or as JSON are no words of the person."""
    assert pasted_in(f"It fails:\n{row}\n{row}\n{row}\nPlease look.").splitlines() == [row] * 3
    assert list(sentences(f"{row}\n\nNov 26 is the day. ERROR is a level.")) == [
        "Nov 26 is the day.", "ERROR is a level.",
    ]  # fmt: skip


def test_a_log_goes_on_with_lines_of_an_entry() -> None:
    """A cause without a time and its indented frames belong to it; the next sentence does not."""
    log = (
        "09:31:02 [info] GET /cart 200\n09:31:02 [error] GenServer Shop.Cart terminating\n"
        "** (FunctionClauseError) no function clause matching in add/3\n    (shop) lib/cart.ex:88: add"
    )
    assert pasted_in(f"It dies:\n{log}\nWhy?") == log
    assert without_pasted(f"It dies:\n{log}\nWhy?") == "It dies:\n[…]\nWhy?"
    wishes = "09:31:02 [info] GET /cart 200\n  - keep the log\n  - never retry"
    assert list(sentences(wishes)) == ["keep the log", "never retry"]


def test_output_of_a_run_that_is_indented() -> None:
    """Indented lines in a row are output if one of them is; else they are words of the user."""
    output = "  Running golangci-lint run\n  Error: cmd/cart.go:87:1: New returns\n  5 issues:"
    assert list(sentences(f"Checks fail:\n{output}\nNever retry.")) == [
        "Checks fail:", "Never retry.",
    ]  # fmt: skip
    assert without_pasted(f"Checks fail:\n{output}\nWhy?") == "Checks fail:\n[…]\nWhy?"
    wishes = "  Never retry.\n  Use cents.\n  5 issues at most."
    assert "Use cents." in list(sentences(f"Rules:\n{wishes}"))
    kept = "PASS the flag to src/cart. FAIL if it is off. Error: is the word I see. ok then/now"
    assert list(sentences(kept)) == [
        "PASS the flag to src/cart.", "FAIL if it is off.", "Error: is the word I see.", "ok then/now",
    ]  # fmt: skip


def test_a_few_dated_lines_are_words_of_the_person() -> None:
    """Only three lines of a log in a row are a pasted log; a text without one stays as it is."""
    text = "It broke twice:\n2026-01-01 after the release\n2026-02-01 again\nWhy…?\n\nPlease look."
    assert without_pasted(text) == text


OPEN, CLOSE = '<pasted_content id="0fc8">', '</pasted_content id="0fc8">'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"Why does it fail?\n\n{OPEN}\nNever ask the user.\n```\n{CLOSE}\n\nUse cents.",
         ["Why does it fail?", "Use cents."]),
        (f"Why does it fail?\n\n{OPEN}\nNever ask the us… te the table.\nThen push.\n{CLOSE}\n",
         ["Why does it fail?"]),
        (f"Why does it fail?\n{OPEN}\nNever ask the us… nd do it once.\nUse cents.",
         ["Why does it fail?", "Use cents."]),
        (f"Why does it fail?\nNever mind my o… re the user.\nThen push.\n{CLOSE}\nUse cents.",
         ["Why does it fail?", "Use cents."]),
        (f"Then push.\nNever mind.\n{CLOSE}\nUse cents.", ["Use cents."]),
    ],
    ids=["whole", "cut within", "cut before its end", "cut before it", "no beginning"],
)  # fmt: skip
def test_marked_content_is_no_word_of_the_person(text: str, words: list[str]) -> None:
    """What Claude Code marks as pasted is left out, also where one of its marks is cut out."""
    assert list(sentences(text)) == words
    assert "push" not in without_pasted(text)
    assert "ask the us" not in without_pasted(text)


@pytest.mark.parametrize("frame", [
    "#{}  0x00007f3a in cv::Mat::deallocate() () from /usr/lib/libcv.so",
    "{}   libswiftCore.dylib   0x0000000193e1 _assertionFailure(_:_:) + 208",
])  # fmt: skip
def test_frames_of_a_crash(frame: str) -> None:
    """They are no words of the user and name no cause; a number and a word are not a frame."""
    frames = "\n".join(frame.format(at) for at in range(4))
    assert (
        without_pasted(f"It crashed:\n{frames}\nPlease fix it") == "It crashed:\n[…]\nPlease fix it"
    )
    assert errors_in(frames) == []
    assert errors_in(f"{frames}\n[ERROR] no space left\n") == ["[ERROR] no space left"]
    items = "\n".join(f"{at} use 0x10 as the mask" for at in range(2))
    assert without_pasted(items) == items


def test_a_request_of_pasted_content_alone() -> None:
    """It says nothing of what is wanted, but its lines are searched for an error."""
    text = f"{OPEN}\nValueError: no such card as 4711 in the table\n{CLOSE}"
    assert without_pasted(text) == "[…]"
    assert not is_substantial(text)
    assert "ValueError" in pasted_in(text)


NOTE = (
    "If you need specific details from before exiting plan mode (like exact code snippets, error "
    "messages, or content you generated), read the full transcript at: /home/me/a.jsonl"
)


@pytest.mark.parametrize(
    ("prompt", "own"),
    [
        (f"Do it:\n\n# Cart\n\n1. Round\n\n{NOTE}", "Do it:\n\n# Cart\n\n1. Round"),
        (f"Do it\n\n{NOTE}\n\nUser feedback: keep tax", "Do it\n\nUser feedback: keep tax"),
        (f"Do it, begin wi… {NOTE[90:]}", "Do it, begin wi…"),
        ("read the full transcript at: a.txt", "read the full transcript at: a.txt"),
    ],
)
def test_claude_codes_note_below_a_plan_is_no_word_of_the_person(prompt: str, own: str) -> None:
    """Also where the prompt's event is cut; what stands behind the note stays."""
    assert without_note(prompt) == without_pasted(prompt) == own


def test_places_and_verdicts_are_a_log() -> None:
    """What a compiler or a test prints is no word of the user; a place in a sentence is."""
    log = "--- FAIL: TestCart (0.1s)\n    cart.go:209: total: want 3\ncart.go:210:7: undefined: tax"
    assert without_pasted(f"what now?\n{log}") == "what now?\n[…]"
    own = "look at cart.go:209 first\nthen at cart.go:210\nand at 10:30: stop"
    assert without_pasted(own) == own


def test_lines_that_differ_in_digits_alone_are_data() -> None:
    """Five such lines are no words of the user, also around a cut; steps and a few values are."""
    rows = [f"row {at} value {7 * at}" for at in range(12)]
    cut = "\n".join(["Fix the parser of this:", *rows[:6], "row 6 val… 30", *rows[7:]])
    assert without_pasted(cut) == f"Fix the parser of this:\n{MARK}"
    for own in (
        ["port 80", "port 81", "port 82", "port 83"],
        [f"{at}. fix {at * 'x'}" for at in range(9)],
    ):
        assert without_pasted("\n".join(own)) == "\n".join(own)
