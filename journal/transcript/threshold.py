"""Compute T, the token count at which Claude Code compacts by itself, with each term's provenance.

    W = min(model window, auto-compact window)    R = min(max output, 20,000)
    E = W - R                                     T = min(E - 13,000, E * percent / 100)

If it does not compact by itself because the user switched that off, it refuses prompts from
model window - R - 3,000 tokens on, and T is that count; if it waits for the API to refuse, T is the
model's window.

Formula and clamps are those of Claude Code 2.1.330. Pure: invalid values are ignored as if they
were not set.
"""

from __future__ import annotations

from journal.transcript.usage import count

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Term = tuple[str, float | str, str]

# Context windows by model ID. The window that Claude Code reports takes precedence; the table is
# used before its first report and without one. A model that is not in it is assumed to
# have one million tokens, as in Claude Code.
LONG = 1_000_000
SHORT = 200_000
WANTS_LONG = "[1m]"

# Observed with Claude Code 2.1.330: opus-4-8, opus-5-5, sonnet-5, sonnet-5-5, haiku-5-5 (long),
# sonnet-4-6, haiku-4-5 (short). Inferred from its generation: opus-4-6. Others: model pages.
_LONG = frozenset((
    "opus-4-7", "opus-4-8", "opus-5", "opus-5-5", "sonnet-5", "sonnet-5-5", "haiku-5-5",
    "fable-5", "fable-5-1",
))  # fmt: skip
_SHORT = frozenset(
    "opus-4 opus-4-1 opus-4-5 opus-4-6 sonnet-4 sonnet-4-5 sonnet-4-6 haiku-4-5".split()
)
_TIERS = ("opus", "sonnet", "haiku", "fable", "instant")
_FIRST_OF_TABLE = 4  # all earlier generations had at most 200,000 tokens

RESERVE = 20_000
MARGIN = 13_000
LAST_MARGIN = 3_000
LEAST_WINDOW = 100_000
"""Claude Code raises a smaller auto-compact window to this."""

WAITS = "waits for the API to refuse"
CLIENT = "Claude Code"
FORMULA = "formula"
"""Name of the term that is added if Claude Code's own threshold differs from the formula's."""

_TRUE = ("1", "true", "yes", "on")
_NEVER = "DISABLE_COMPACT"  # also switches /compact off
NO_COMPACTION = "compaction"
"""Name of the term that is added if nothing compacts, not even `/compact`."""


_STATED, _SET = "compaction threshold", "compaction point"


def stated_by(terms: Iterable[Sequence[object]]) -> str:
    """Return who states a threshold, by its terms: Claude Code or a setting; "" if neither does."""
    named = (str(term[2]) for term in terms if len(term) > 2 and term[0] in (_STATED, _SET))
    return next(named, "")


class Threshold:
    """The token count at which Claude Code compacts by itself.

    tokens: T, or None if neither the model nor its window is known.
    window: the model's full window (the denominator of Claude Code's percentage), or None.
    enabled: False if Claude Code does not compact by itself, or if T is unknown; in the first case
        tokens is where prompts are refused (or an override): pressure still has a denominator.
    terms: (name, value, provenance) in the order of the computation, to show to the user.
    """

    def __init__(
        self, tokens: int | None, window: int | None, enabled: bool, terms: tuple[Term, ...]
    ) -> None:
        self.tokens = tokens
        self.window = window
        self.enabled = enabled
        self.terms = terms


def compaction_threshold(
    model: str,
    env: Mapping[str, str],
    settings: Mapping[str, object],
    window: int | None,
    argument: int = 0,
) -> Threshold:
    """Compute T.

    Args:
        model: its ID, as the user chose it if known (`…[1m]`).
        env: environment of the process.
        settings: the journal's, of which `pressure.compaction_point` is T itself unless it is 0,
            and Claude Code's as `client.autoCompactWindow`, `client.autoCompactEnabled` and
            `client.env.NAME`; the latter applies if `env` has no NAME.
        window: the true window, if Claude Code has reported it.
        argument: the auto-compact window that Claude Code was started with, 0 for none.

    """
    full = _window(model, env, settings, window)
    wanted = _auto_compact_window(env, settings, argument)
    size = full[1] if full else None
    off = _switched_off(model, env, settings, size, explicit=wanted is not None)
    terms: list[Term] = [full] if full else []
    tokens: int | None = size
    configured = _configured(settings)
    if configured and (off is None or size is None):
        terms.append((_SET, configured, "config pressure.compaction_point"))
        tokens = configured
    elif off is not None and size is not None and WAITS not in off[2]:
        reserve = _reserve(env, settings)
        terms += [reserve, ("margin", LAST_MARGIN, "default")]
        tokens = max(1, size - reserve[1] - LAST_MARGIN)
    elif off is None and size is not None:
        tokens = max(1, _threshold_of(size, wanted, env, settings, terms))
    if off is not None:
        terms.append(off)
    return Threshold(tokens, size, off is None and tokens is not None, tuple(terms))


def from_client(point: Threshold, tokens: int, settings: Mapping[str, object]) -> Threshold:
    """Return Claude Code's own threshold, with the formula's result as an additional term.

    A threshold that the user has configured takes precedence.
    """
    if not tokens or _configured(settings):
        return point
    terms = [*point.terms, (_STATED, tokens, CLIENT)]
    if point.tokens and point.tokens != tokens:
        terms.append((FORMULA, point.tokens, "differs from Claude Code's"))
    return Threshold(tokens, point.window, True, tuple(terms))


def _configured(settings: Mapping[str, object]) -> int:
    """Return the threshold that the user has configured, 0 for none."""
    value = settings.get("pressure.compaction_point", 0)
    return value if isinstance(value, int) and value > 0 else 0


def _window(
    model: str, env: Mapping[str, str], client: Mapping[str, object], window: int | None
) -> tuple[str, int, str] | None:
    """Return the model's full window as a term."""
    if count(window):
        assert window is not None
        return "window", window, CLIENT
    name = family(model)
    if not name:
        return None
    listed = window_of(name)
    if listed is None or _is_true(_variable(_NEVER, env, client)[0]):
        text, where = _variable("CLAUDE_CODE_MAX_CONTEXT_TOKENS", env, client)
        stated = _whole_number(text)
        if stated:
            return "window", stated, where
    if WANTS_LONG in model.lower():
        size, source = LONG, f"suffix {WANTS_LONG}"
    elif listed is not None:
        size, source = listed, f"model table: {name}"
    else:
        size, source = LONG, f"default for a model not in the table: {name}"
    if size > SHORT:
        text, where = _variable("CLAUDE_CODE_DISABLE_1M_CONTEXT", env, client)
        if _is_true(text):
            return "window", SHORT, where
    return "window", size, source


def _auto_compact_window(
    env: Mapping[str, str], client: Mapping[str, object], argument: int
) -> tuple[str, int, str] | None:
    text, where = _variable("CLAUDE_CODE_AUTO_COMPACT_WINDOW", env, client)
    value = _whole_number(text)
    if not value and argument:
        value, where = argument, "claude --autocompact"
    if not value:
        where = "setting autoCompactWindow"
        setting = client.get("client.autoCompactWindow")
        if isinstance(setting, float) and setting.is_integer():
            setting = int(setting)
        value = count(setting)
    if not value:
        return None
    if value < LEAST_WINDOW:
        return "auto-compact window", LEAST_WINDOW, f"{where}, raised from {value:,}"
    return "auto-compact window", value, where


def _reserve(env: Mapping[str, str], client: Mapping[str, object]) -> tuple[str, int, str]:
    text, where = _variable("CLAUDE_CODE_MAX_OUTPUT_TOKENS", env, client)
    value = _whole_number(text)
    if value and value < RESERVE:
        return "reserve", value, where
    return "reserve", RESERVE, "default"


def _threshold_of(
    size: int,
    wanted: tuple[str, int, str] | None,
    env: Mapping[str, str],
    client: Mapping[str, object],
    terms: list[Term],
) -> int:
    """Return T of a window that Claude Code compacts by itself; append the terms to `terms`.

    T is the window less reserve and margin, or its percent override if lower. wanted: the
    auto-compact window, None if it is not set.
    """
    reserve = _reserve(env, client)
    if wanted is not None:
        terms.append(wanted)
        size = min(size, wanted[1])
    effective = size - reserve[1]
    terms += [reserve, ("margin", MARGIN, "default")]
    text, where = _variable("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE", env, client)
    try:
        percent = float(text) if text.isascii() and "_" not in text else 0.0
    except ValueError:
        percent = 0.0
    if not 0 < percent <= 100:
        return effective - MARGIN
    terms.append(("percent override", int(percent) if percent.is_integer() else percent, where))
    return min(effective - MARGIN, int(effective * percent / 100))


def _switched_off(
    model: str,
    env: Mapping[str, str],
    client: Mapping[str, object],
    size: int | None,
    *,
    explicit: bool,
) -> Term | None:
    """Return why Claude Code does not compact by itself, or None if it does."""
    for name, what in ((_NEVER, NO_COMPACTION), ("DISABLE_AUTO_COMPACT", "auto-compaction")):
        text, where = _variable(name, env, client)
        if _is_true(text):
            return what, "off", where
    if client.get("client.autoCompactEnabled") is False:
        return "auto-compaction", "off", "setting autoCompactEnabled"
    name = family(model)
    waits = name == "haiku-4-5" or (name == "sonnet-4-6" and (size or 0) > SHORT)
    if waits and not explicit:  # with an auto-compact window, from any source, they do not wait
        return "auto-compaction", "off", f"{name} {WAITS}"
    return None


def _variable(name: str, env: Mapping[str, str], client: Mapping[str, object]) -> tuple[str, str]:
    """Return the value in effect and its provenance, or ("", "") if it is not set."""
    text = env.get(name, "").strip()
    if text:
        return text, f"env {name}"
    setting = client.get(f"client.env.{name}")
    if isinstance(setting, bool):
        setting = "true" if setting else "false"
    if isinstance(setting, int | float | str):
        return str(setting).strip(), f"settings env {name}"
    return "", ""


def _whole_number(text: str) -> int | None:
    """Parse a decimal whole number; None for anything else ("100k", "-5", "1_000")."""
    if len(text) > 9 or not (text.isascii() and text.isdigit()):
        return None
    return count(int(text))


def _is_true(text: str) -> bool:
    return text.lower() in _TRUE


def used_percent(tokens_without_output: int, window: int) -> int:
    """Return the used percentage of the full window as Claude Code rounds it: half up, 0..100.

    0 if there is no window.
    """
    if window <= 0:
        return 0
    return max(0, min(100, (200 * tokens_without_output + window) // (2 * window)))


def family(model: str) -> str:
    """Return tier and version (`sonnet-4-5`) of a model ID with any date, prefix or suffix.

    An ID that is not of the form `…claude-…` is returned in lower case, without `[1m]`.
    """
    name = model.strip().lower().partition("[")[0]
    at = name.rfind("claude-")
    if at < 0:
        return name
    name = name[at + 7 :]
    for separator in "@:/":  # they precede a date, a revision, a part of a resource name
        name = name.partition(separator)[0]
    words, numbers = [], []
    for part in name.replace(".", "-").split("-"):
        if part.isdigit():
            if len(part) < 3:  # longer numbers are dates
                numbers.append(part)
        elif part:
            words.append(part)
    if len(numbers) > 1 and numbers[1] == "0":
        del numbers[1:]
    tier = next((word for word in words if word in _TIERS), "-".join(words))
    return "-".join([tier, *numbers[:2]]) if tier else "-".join(numbers[:2])


def window_of(name: str) -> int | None:
    """Return the window of a `family` in tokens, or None if it is not listed."""
    if name in _LONG:
        return LONG
    if name in _SHORT or name.startswith("instant"):
        return SHORT
    version = next((part for part in name.split("-") if part.isdigit()), "")
    tier = name.partition("-")[0]
    if version and int(version) < _FIRST_OF_TABLE and (tier in _TIERS or tier.isdigit()):
        return SHORT
    return None
