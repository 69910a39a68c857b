"""Select the user's own words for a recovery: refusals, the goal, rules, the newest requests.

Invariant: words that the user corrected later are marked as corrected.
"""

from __future__ import annotations

from collections.abc import Sequence

from journal.text import quoted
from projections.demands import is_rule
from projections.facts.correction import Corrections
from projections.facts.gathering import last_request, without_digits
from projections.facts.session import LastCompaction, SessionFacts, TimedText, Trail
from projections.messages.message import Input, Texts
from projections.pasted import without_pasted
from projections.prose import item_number

_RULES = 4  # standing instructions that come before the requests after the first
_ROWS = 2  # sentences that differ in digits alone
_TEXT, _EARLIER_TEXT = 280, 160  # characters
_REFUSED: Texts = ("(a refusal or correction)", "(拒否・訂正)", "(거부·정정)")
_EARLIER: Texts = ("(an earlier refusal or correction)", "(以前の拒否・訂正)", "(이전 거부·정정)")
_CORRECTS: Texts = (
    "(corrects or limits the earlier {earlier})",
    "(以前の {earlier} を訂正・限定)",
    "(이전의 {earlier} 을(를) 정정·제한)",
)
_ANSWERS: Texts = ("(answer to {question})", "({question} への答え)", "({question} 에 대한 답)")
CORRECTED: Texts = (
    "(corrected or limited later)",
    "(後で訂正・限定)",
    "(나중에 정정·제한됨)",
)


def person_words(given: Input, trail: Trail, last: LastCompaction) -> tuple[list[str], int]:
    """Return the user's words that the summary left out, the most important first.

    The second value is the number of those that are more than extras (`TextPart.firm`).
    """
    prompts = [] if last.request else trail.prompts
    requests = [*prompts[:1], last_request(prompts)] if prompts else []
    shown = " ".join(" ".join(without_pasted(request.text) for request in requests).split())
    refused, words, more = _missing(last.facts, shown)
    marks = {text: given.phrase(_EARLIER) for text in refused}  # a newer one may take it back
    marks.update((text, given.phrase(_REFUSED)) for text in last.facts.refused[-1:])
    texts = without_rows([*refused[:2], *words, *refused[2:], *more])
    host_of = _hosts(_in_order(trail.prompts[::-1], last.facts.said), texts)
    asked = {one.answer: one.question for one in last.facts.choices if not one.options}
    items: list[str] = []
    firm = 0
    for text in texts:
        host = host_of.get(text)
        if host:
            continue  # it is shown with the text that corrects it
        mark = marks.get(text, "")
        if host is not None:
            mark = given.phrase(CORRECTED)
        elif earlier := [quoted(old, _EARLIER_TEXT) for old in texts if host_of.get(old) == text]:
            mark = given.phrase(_CORRECTS, earlier=", ".join(earlier))
        elif answer := next((one for one in asked if one.startswith(text.rstrip("…"))), ""):
            mark = given.phrase(_ANSWERS, question=quoted(asked[answer], _EARLIER_TEXT))
        items.append(f"{quoted(text, _TEXT)} {mark}".rstrip())
        firm = firm if text in more else len(items)
    return items, firm


def without_rows(texts: Sequence[str]) -> list[str]:
    """Return texts; of those that differ only in digits, such as rows of a table, keep two."""
    count: dict[bytes, int] = {}
    found = []
    for text in texts:
        shape = without_digits(text)
        count[shape] = count.get(shape, 0) + 1
        if count[shape] <= _ROWS:
            found.append(text)
    return found


def _missing(facts: SessionFacts, shown: str) -> tuple[list[str], list[str], list[str]]:
    """Return refusals, requests with rules, and other words, each with the most important first.

    shown: the requests that the recovery shows anyway; words in them are left out.
    """
    reasons = {call.reason for call in facts.calls}  # told with the calls
    refused = [
        text
        for text in reversed(facts.refused)
        if text not in reasons and text.rstrip("…") not in shown
    ]
    words = [text for text in facts.said if text.rstrip("…") not in shown]
    first, words = words[:1], words[1:]
    rules = [text for text in reversed(words) if is_rule(text)][:_RULES]
    words = [text for text in words if text not in rules]
    more = [text for text in facts.more if text.rstrip("…") not in shown]
    return refused, [*first, *rules, *words[:2], *_newest_first(words[2:])], _newest_first(more)


def _newest_first(texts: Sequence[str]) -> list[str]:
    """Return texts in reverse, but the items of a numbered list in its order."""
    found: list[str] = []
    at = last = 0
    for text in texts:
        number = int(item_number(text)[:-1] or 0)
        at = at + 1 if number == last + 1 > 1 else 0
        last = number
        found.insert(at, text)
    return found


def _in_order(prompts: Sequence[TimedText], said: Sequence[str]) -> list[str]:
    """Return prompts and, between them, the sentences of prompts that the view has dropped.

    Both arguments and the result are oldest first.
    """
    found = [" ".join(prompt.text.split()) for prompt in prompts]
    at = -1
    for text in said:
        hosts = [where for where, prompt in enumerate(found) if text.rstrip("…") in prompt]
        at = hosts[-1] if hosts else at + 1
        if not hosts:
            found.insert(at, text)
    return found


def _hosts(prompts: Sequence[str], texts: Sequence[str]) -> dict[str, str]:
    """Return corrected text → the text that corrects it, "" if that is not in `texts`."""
    corrections = Corrections(prompts)
    newer = {text: found for text in texts if (found := corrections.of(text))}

    def host(text: str) -> str:
        found = newer[text]
        held = (one for one in texts if found in one or one.rstrip("…") in found)
        return next((one for one in held if newer.get(one) != found), "")

    hosts = {text: host(text) for text in newer}
    for _ in hosts:  # a correction may be corrected too
        hosts = {text: hosts.get(other, other) for text, other in hosts.items()}
    return {text: "" if other in hosts else other for text, other in hosts.items()}
