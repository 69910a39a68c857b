"""The compaction point: the client's formula, its clamps, and the source of each term."""

from __future__ import annotations

import pytest

from journal.transcript.threshold import (
    CLIENT,
    compaction_threshold,
    family,
    from_client,
    stated_by,
)
from tests.support.rows import each

OPUS = "claude-opus-5-5"
ACW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
PCT = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
OUT = "CLAUDE_CODE_MAX_OUTPUT_TOKENS"
MAX = "CLAUDE_CODE_MAX_CONTEXT_TOKENS"
NO1M = "CLAUDE_CODE_DISABLE_1M_CONTEXT"


def point(model=OPUS, env=None, client=None, window=None, override=0, argument=0):
    """Compute the compaction point with everything unset that the test does not set."""
    settings = {"pressure.compaction_point": override, **(client or {})}
    return compaction_threshold(model, env or {}, settings, window, argument)


SEEN = [
    ("1M", OPUS, {}, 967_000),
    ("500k", OPUS, {ACW: "500000"}, 467_000),
    ("200k", "claude-sonnet-4-6", {}, 167_000),
    ("100k", OPUS, {ACW: "100000"}, 67_000),
    ("100k at 50 %", OPUS, {ACW: "100000", PCT: "50"}, 40_000),
    ("100k at 10 %", OPUS, {ACW: "100000", PCT: "10"}, 8_000),
    ("100k at 90 %", OPUS, {ACW: "100000", PCT: "90"}, 67_000),
    ("8,000 of output", OPUS, {ACW: "100000", OUT: "8000"}, 79_000),
    ("unknown id told", "my-model", {MAX: "150000"}, 117_000),
    ("1M switched off", OPUS, {NO1M: "1"}, 167_000),
]


@each(("model", "env", "tokens"), [row[1:] for row in SEEN], ids=[row[0] for row in SEEN])
def test_what_the_client_was_seen_to_do(model: str, env: dict, tokens: int) -> None:
    """The formula gives the points observed in the client's own debug log."""
    found = point(model, env)
    assert (found.tokens, found.enabled) == (tokens, True)


CLAMPED = [
    ("window below 100k is raised", {ACW: "50000"}, {}, 67_000),
    ("window of 1 is raised", {ACW: "1"}, {}, 67_000),
    ("window above the model's is cut", {ACW: "5000000"}, {}, 967_000),
    ("output above 20k reserves 20k", {OUT: "64000"}, {}, 967_000),
    ("output of 20k", {OUT: "20000"}, {}, 967_000),
    ("output of 1", {OUT: "1"}, {}, 986_999),
    ("percent may have a fraction", {ACW: "100000", PCT: "12.5"}, {}, 10_000),
    ("percent of 100 changes nothing", {PCT: "100"}, {}, 967_000),
    ("setting alone", {}, {"client.autoCompactWindow": 300_000}, 267_000),
    ("setting as a whole float", {}, {"client.autoCompactWindow": 300_000.0}, 267_000),
    ("setting below 100k", {}, {"client.autoCompactWindow": 9_000}, 67_000),
    ("env before setting", {ACW: "200000"}, {"client.autoCompactWindow": 300_000}, 167_000),
    ("bad env, good setting", {ACW: "lots"}, {"client.autoCompactWindow": 300_000}, 267_000),
    ("settings env", {}, {f"client.env.{ACW}": "200000"}, 167_000),
    ("settings env as a number", {}, {f"client.env.{ACW}": 200_000}, 167_000),
    ("process env before settings env", {ACW: "400000"}, {f"client.env.{ACW}": "200000"}, 367_000),
    ("blank process env", {ACW: " "}, {f"client.env.{ACW}": "200000"}, 167_000),
    ("settings env before setting", {}, {f"client.env.{ACW}": "200000", "client.autoCompactWindow": 300_000}, 167_000),
    ("blanks around", {ACW: " 200000\n"}, {}, 167_000),
    ("settings percent", {}, {f"client.env.{PCT}": 50}, 490_000),
]  # fmt: skip


@each(("env", "client", "tokens"), [row[1:] for row in CLAMPED], ids=[row[0] for row in CLAMPED])
def test_clamps_and_precedence(env: dict, client: dict, tokens: int) -> None:
    """Windows are clamped, the percentage only lowers, and process variables precede settings."""
    assert point(env=env, client=client).tokens == tokens


JUNK = [
    "",
    "0",
    "-5",
    "abc",
    "1e5",
    "100k",
    "1_000",
    "1_0",
    "\u0663\u0663",
    "9" * 400,
    "nan",
    "inf",
    "-inf",
    "0x10",
]


@pytest.mark.parametrize("name", [ACW, OUT, MAX, PCT])
def test_junk_in_a_variable_is_passed_over(name: str) -> None:
    """An invalid variable counts as unset."""
    for junk in JUNK:
        text = "-1e5" if name == PCT and junk == "1e5" else junk
        assert point("some-model", {name: text}).tokens == 967_000, text
        assert point("some-model", {}, {f"client.env.{name}": text}).tokens == 967_000, text


@pytest.mark.parametrize("value", [None, True, -1, 0, 3.5, "300000", [], {}, 10**30], ids=str)
def test_junk_in_a_setting_is_passed_over(value: object) -> None:
    """An invalid value in the settings file counts as unset, whatever its type."""
    client = {
        "client.autoCompactWindow": value,
        "client.autoCompactEnabled": value,
        f"client.env.{OUT}": value,
    }
    if value == "300000":
        del client[f"client.env.{OUT}"]
    found = point(client=client)
    assert (found.tokens, found.enabled) == (967_000, True)


WINDOWS = {
    "claude-opus-4-8": 1_000_000,
    "claude-opus-5-5": 1_000_000,
    "claude-sonnet-5": 1_000_000,
    "claude-sonnet-5-5": 1_000_000,
    "claude-haiku-5-5": 1_000_000,
    "claude-sonnet-4-6": 200_000,
    "claude-haiku-4-5": 200_000,
    "claude-sonnet-4-6[1m]": 1_000_000,
    "claude-sonnet-4-5-20250929[1m]": 1_000_000,
    "claude-sonnet-4-5-20250929[1M]": 1_000_000,
    "claude-sonnet-4-5": 200_000,
    "claude-sonnet-4-5-20250929": 200_000,
    "claude-opus-4-5-20251101": 200_000,
    "claude-haiku-4-5-20251001": 200_000,
    "claude-opus-4-1-20250805": 200_000,
    "claude-opus-4-20250514": 200_000,
    "claude-sonnet-4-0": 200_000,
    "claude-4-sonnet-20250514": 200_000,
    "claude-3-7-sonnet-20250219": 200_000,
    "claude-3-5-haiku-latest": 200_000,
    "claude-3-opus-20240229": 200_000,
    "claude-2.1": 200_000,
    "claude-instant-1.2": 200_000,
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0": 200_000,
    "anthropic.claude-3-5-sonnet-20241022-v2:0": 200_000,
    "global.anthropic.claude-opus-5-5-v1:0": 1_000_000,
    "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-haiku-4-5-20251001-v1:0": 200_000,
    "claude-sonnet-4-5@20250929": 200_000,
    "anthropic/claude-sonnet-4.5": 200_000,
    "anthropic/claude-3.7-sonnet:thinking": 200_000,
    "  Claude-Sonnet-4-5 ": 200_000,
    "claude-sonnet-9-9": 1_000_000,
    "claude-sonnet-45": 1_000_000,
    "claude-opus-40-5": 1_000_000,
    "claude-newtier-1": 1_000_000,
    "gpt-oss": 1_000_000,
    "sonnet": 1_000_000,
}


def test_window_of_a_model() -> None:
    """Dated, prefixed and suffixed ids resolve to their family; an unknown one has a million tokens."""
    assert {model: point(model).window for model in WINDOWS} == WINDOWS


def test_families_do_not_run_into_each_other() -> None:
    """A family is tier and version, without date and provider."""
    assert family("us.anthropic.claude-3-5-sonnet-20241022-v2:0") == "sonnet-3-5"
    assert family("claude-sonnet-5") != family("claude-sonnet-5-5")
    assert family("claude-sonnet-4-20250514") == "sonnet-4"
    assert family("") == family("[1m]") == ""


def test_the_status_line_knows_the_window() -> None:
    """The status line's window takes precedence over the table, the suffix and the environment."""
    found = point(
        "claude-sonnet-4-6[1m]", {MAX: "150000", NO1M: "1", ACW: "900000"}, window=500_000
    )
    assert (found.window, found.tokens) == (500_000, 467_000)
    assert found.terms[0] == ("window", 500_000, "Claude Code")


@pytest.mark.parametrize("window", [None, 0, -1, True, 10**12], ids=str)
def test_a_window_that_is_none_is_not_believed(window: int | None) -> None:
    """With an invalid window, the table of models is used."""
    assert point(window=window).window == 1_000_000


def test_told_windows_are_for_unknown_ids_only() -> None:
    """CLAUDE_CODE_MAX_CONTEXT_TOKENS does not change a model the client knows."""
    assert point(OPUS, {MAX: "150000"}).window == 1_000_000
    assert point("claude-sonnet-4-6", {MAX: "150000"}).window == 200_000
    assert point("claude-sonnet-9-9", {MAX: "150000"}).window == 150_000


@pytest.mark.parametrize("model", [OPUS, "claude-sonnet-4-6", "claude-sonnet-9-9"])
def test_without_compaction_the_window_is_as_stated(model: str) -> None:
    """Where DISABLE_COMPACT is set, CLAUDE_CODE_MAX_CONTEXT_TOKENS holds for every model."""
    assert point(model, {MAX: "150000", "DISABLE_COMPACT": "1"}).tokens == 127_000
    known = point(model, {MAX: "150000", "DISABLE_AUTO_COMPACT": "1"}).window
    assert known == point(model, {MAX: "150000"}).window


@pytest.mark.parametrize("text", ["1", "true", "TRUE", "yes", "on", " on "])
@pytest.mark.parametrize(
    ("name", "what"),
    [("DISABLE_AUTO_COMPACT", "auto-compaction"), ("DISABLE_COMPACT", "compaction")],
)
def test_switched_off_by_a_variable(name: str, what: str, text: str) -> None:
    """With compaction switched off T is where prompts are refused, whatever window was requested."""
    for found in (point(env={name: text}), point(client={f"client.env.{name}": text})):
        assert (found.enabled, found.tokens, found.window) == (False, 977_000, 1_000_000)
        assert found.terms[-1][:2] == (what, "off")
    assert point(env={name: text, ACW: "100000", PCT: "10"}).tokens == 977_000


@pytest.mark.parametrize(
    ("env", "tokens"), [({NO1M: "1"}, 177_000), ({NO1M: "1", OUT: "8000"}, 189_000)]
)
def test_where_the_client_was_seen_to_refuse(env: dict, tokens: int) -> None:
    """With compaction switched off the client refused prompts 3,000 tokens before the reserve."""
    assert point(env={**env, "DISABLE_AUTO_COMPACT": "1"}).tokens == tokens


@pytest.mark.parametrize("text", ["", "0", "false", "no", "off", "2", "maybe"])
@pytest.mark.parametrize("name", ["DISABLE_AUTO_COMPACT", "DISABLE_COMPACT"])
def test_not_switched_off(name: str, text: str) -> None:
    """A value the client does not read as true leaves compaction on, as does an overruled setting."""
    assert point(env={name: text}).enabled
    assert point(env={name: "0"}, client={f"client.env.{name}": "1"}).enabled


@pytest.mark.parametrize("value", [False, True, None, 0, "false"], ids=repr)
def test_switched_off_by_the_setting(value: object) -> None:
    """Only a plain false in the settings switches compaction off."""
    found = point(client={"client.autoCompactEnabled": value})
    assert found.enabled is (value is not False)
    assert found.tokens == (967_000 if found.enabled else 977_000)


@each(
    ("model", "env", "window", "enabled", "tokens"),
    [
        ("claude-haiku-4-5-20251001", {}, None, False, 200_000),
        ("claude-haiku-4-5", {PCT: "50"}, None, False, 200_000),
        ("claude-haiku-4-5", {ACW: "200000"}, None, True, 167_000),
        ("claude-haiku-4-5", {ACW: "junk"}, None, False, 200_000),
        ("claude-sonnet-4-6[1m]", {}, None, False, 1_000_000),
        ("claude-sonnet-4-6", {}, 1_000_000, False, 1_000_000),
        ("claude-sonnet-4-6[1m]", {ACW: "300000"}, None, True, 267_000),
        ("claude-sonnet-4-6[1m]", {NO1M: "1"}, None, True, 167_000),
        ("claude-sonnet-4-6", {}, 200_000, True, 167_000),
        ("claude-haiku-5-5", {}, None, True, 967_000),
    ],
)
def test_models_that_wait_for_the_api(model, env, window, enabled, tokens) -> None:
    """Two models do not compact ahead of time unless a window was set by hand."""
    found = point(model, env, window=window)
    assert (found.enabled, found.tokens) == (enabled, tokens)


@pytest.mark.parametrize(
    ("env", "client", "tokens"),
    [
        ({}, {}, 67_000),
        ({ACW: "500000"}, {}, 467_000),  # the variable precedes the argument
        ({ACW: "junk"}, {}, 67_000),
        ({}, {"client.autoCompactWindow": 500_000}, 67_000),  # the argument precedes the setting
    ],
)
def test_the_argument_of_the_client(env, client, tokens) -> None:
    """`claude --autocompact N` ranks after the variable and before the setting, and is named."""
    found = point(env=env, client=client, argument=100_000)
    assert found.tokens == tokens
    named = [term[2] for term in found.terms if term[0] == "auto-compact window"]
    assert named == [f"env {ACW}" if tokens == 467_000 else "claude --autocompact"]


def test_unknown_without_model_and_window() -> None:
    """Without a model and a window the point is unknown, not zero; a window alone is enough."""
    found = point("", {ACW: "100000"})
    assert (found.tokens, found.window, found.enabled) == (None, None, False)
    assert point("", window=200_000).tokens == 167_000


@pytest.mark.parametrize("size", [1, 30_000, 33_000, 33_001])
def test_a_tiny_window_never_gives_a_point_below_one(size: int) -> None:
    """The point is at least 1, so pressure can always be divided by it."""
    assert point(window=size).tokens == 1
    assert point(window=size, env={"DISABLE_COMPACT": "1"}).tokens == max(1, size - 23_000)


def test_our_own_configuration_wins() -> None:
    """`pressure.compaction_point` overrides the client's terms, and is named as the source."""
    found = point(env={ACW: "100000", PCT: "10"}, override=123_456)
    assert (found.tokens, found.window, found.enabled) == (123_456, 1_000_000, True)
    assert found.terms[-1] == ("compaction point", 123_456, "config pressure.compaction_point")
    assert point("", override=5000).tokens == 5000
    assert point(override=-1).tokens == point(override=0).tokens == 967_000


def test_terms_name_their_provenance() -> None:
    """Every term of the sum is listed in order, with its value and source."""
    found = point(
        "claude-sonnet-4-5-20250929",
        {ACW: "50000"},
        {f"client.env.{PCT}": "50", f"client.env.{OUT}": "8000"},
    )
    assert found.terms == (
        ("window", 200_000, "model table: sonnet-4-5"),
        ("auto-compact window", 100_000, f"env {ACW}, raised from 50,000"),
        ("reserve", 8_000, f"settings env {OUT}"),
        ("margin", 13_000, "default"),
        ("percent override", 50, f"settings env {PCT}"),
    )
    assert found.tokens == 46_000


def test_an_off_point_names_the_switch() -> None:
    """If compaction is off, the last term names the switch, the first one of several."""
    found = point(env={"DISABLE_COMPACT": "1"})
    assert (found.tokens, found.enabled) == (977_000, False)
    assert "env DISABLE_COMPACT" in found.terms[-1]
    both = {"DISABLE_COMPACT": "1", "DISABLE_AUTO_COMPACT": "1"}
    assert point(env=both).terms == found.terms


def test_a_switch_that_changes_nothing_is_not_named() -> None:
    """A switch is named only if it changes the window of that model."""
    assert point("claude-sonnet-4-6", {NO1M: "1"}).terms[0][2] == "model table: sonnet-4-6"
    assert point("claude-opus-5-5", {NO1M: "1"}).terms[0] == ("window", 200_000, f"env {NO1M}")


def test_who_states_a_threshold() -> None:
    """Claude Code or a setting may state it, as its terms show; else it is the formula's."""
    assert stated_by(point().terms) == ""
    assert stated_by(from_client(point(), 960_000, {}).terms) == CLIENT
    assert stated_by(point(override=50_000).terms) == "config pressure.compaction_point"
    assert stated_by([["compaction threshold"], []]) == ""
