"""Facts found in one text: instructions, refusals, reasons, names, the core of a command."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.facts.text import (
    created,
    details,
    findings,
    gives_reason,
    identifiers,
    instructions,
    is_refusal,
    own_words,
    question_at_end,
    reported,
    without_longer,
)
from tests.support.rows import each


def reasons(text: str) -> list[str]:
    """Return the sentences that give a reason."""
    return [*filter(gives_reason, findings(text))]


@pytest.mark.parametrize(
    "text",
    [
        "Never touch the tax tables, they are not ours.",
        "テーブルは絶対に変更しないでください。",
        "테이블은 절대 바꾸지 마세요, 제발 부탁합니다.",
    ],
)
def test_an_instruction_is_found(text: str) -> None:
    """A wish, rule or prohibition is an instruction in each language."""
    assert len(instructions(f"{text}\n\n```\nkeep = never\n```")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "The cart is in src/cart.py and has tests.",
        "Why must it be so?",
        "Rules that you must follow all day:",
    ],
)
def test_a_statement_is_no_instruction(text: str) -> None:
    """A statement or question is not an instruction."""
    assert instructions(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Am Bootloader darf auf keinen Fall etwas geändert werden.",
        "Il ne faut surtout pas toucher aux tables des impôts.",
        "No cambies bajo ninguna circunstancia el formato del informe.",
        "Таблицы налогов ни в коем случае менять нельзя.",
        "绝对不要修改会计部门的税率表和公式。",
    ],
)
def test_a_language_without_a_word_list_loses_no_instruction(text: str) -> None:
    """In another language each telling sentence of the person may be an instruction."""
    assert instructions(text) == [text]


@each(
    ("text", "refuses"),
    [
        ("no, use the standard library for this", True),
        ("違います、キャッシュを使ってください", True),
        ("아니요, Redis 잠금을 사용하세요", True),
        ("Nein, nimm den Interrupt statt der Schleife", True),
        ("不要用数据库 用缓存就可以了", True),
        ("no", False),
        ("note that the cart has two tests", False),
        ("I said no new dependencies!", True),
        ("Please don't use mocks here", True),
        ("not like that: one function per rule", True),
        ("wait, don't delete the table", True),
        ("Nicht mit Regex, nimm den Parser", True),
        ("Halt, das ist die falsche Datei", True),
        ("pas comme ça, utilise une liste", True),
        ("eso no es lo que pedí, solo renombra", True),
        ("それはダメです、元に戻して", True),
        ("그거 아니야 다른 파일이야", True),
        ("不是这样的 用列表就可以", True),
        ("no idea why it fails, can you look?", False),
        ("No worries, go on with the next one", False),
        ("wait for the CI to finish, then merge", False),
        ("Stop the dev server when you are done", False),
        ("Don't forget to update the changelog", False),
        ("别的文件也看一下", False),
        ("hm no, the accountant wants two decimals", True),
        ("well actually keep the old one for invoices", True),
        ("hayır, sadece oyuncu için yap", True),  # noqa: RUF001
        ("ні, не запускай e2fsck без -n", True),
        ("لا، لا تستخدم الانتظار الأسي", True),
        ("nie, zostaw stary moduł tak jak jest", True),
        ("nie działa mi logowanie na stronie", False),
        ("нет доступа к серверу, посмотри", False),
        ("لا تلمس ملف billing/keys.py أبداً", False),
    ],
)
def test_a_refusal_begins_with_one(text: str, refuses: bool) -> None:
    """A refusal says no and what to do instead; a bare "no" is useless later."""
    assert is_refusal(text) is refuses


@pytest.mark.parametrize(
    "text",
    [
        "The root cause is that each line is rounded before the sum is taken.",
        "I chose decimals because floats lose cents.",
        "列を追加する代わりにキャッシュを使う方針を採用しました。",
        "原因は小数の誤差です。",
        "데이터베이스 잠금 대신 Redis 잠금을 채택했습니다.",
    ],
)
def test_a_reason_is_found(text: str) -> None:
    """A cause, or a choice with its reason, is found without the text around it."""
    assert len(list(reasons(f"Let me look at the file.\n{text}\nDone."))) == 1


def test_names_are_whole() -> None:
    """Commits, tickets, links and ids are found complete; standards and colours are not names."""
    text = (
        "Fixed in 4be91c7 for SHOP-412 (#88), see https://x.test/a/b. Session "
        "44df7d08-6bc4-4532-bef8-167ea3797cee. UTF-8, 1234567, deadbeef."
    )
    assert identifiers(text) == [
        "4be91c7", "SHOP-412", "#88", "https://x.test/a/b", "44df7d08-6bc4-4532-bef8-167ea3797cee",
    ]  # fmt: skip


def test_a_particle_after_a_name_is_not_part_of_it() -> None:
    """Japanese and Korean write particles behind a name without a space."""
    text = "티켓은 PAY-2291입니다. 커밋은 c81d0fe입니다。#418を見て"
    assert identifiers(text) == ["PAY-2291", "c81d0fe", "#418"]


@pytest.mark.parametrize(
    ("output", "names"),
    [
        ("[main 4be91c7] Round once\n 1 file changed", ["4be91c7"]),
        ("[main (root-commit) 4be91c7] Begin", ["4be91c7"]),
        ("Creating merge request\nhttps://git.test/x/981\n", ["https://git.test/x/981"]),
        ("remote: View it:\nremote:   https://git.test/x/981", ["https://git.test/x/981"]),
        ("remote:   https://git.test/x/pull/new/branch", []),
        ("commit 4be91c7\nsee https://x.test/a for more", []),
    ],
)
def test_a_command_announces_what_it_made(output: str, names: list[str]) -> None:
    """A new commit or page has a line of its own; what an output only mentions was not made."""
    assert created(output) == names


def test_a_link_between_facts_is_found() -> None:
    """A sentence that says what follows from what is found, after those that give a reason."""
    text = (
        "The reader opens the pool lazily, so a changed password leaves it closed. "
        "I looked at the file and it has two parts."
    )
    assert list(findings(text)) == [text.partition(". ")[0] + "."]
    assert not any(map(gives_reason, findings(text)))


def test_a_reason_after_a_colon_comes_with_it() -> None:
    """A sentence that only announces its reasons is found together with the first of them."""
    text = "Owners of lines are hard to track because:\n\n1. A rebase rewrites every commit.\n"
    joined = "Owners of lines are hard to track because: A rebase rewrites every commit."
    assert list(findings(text)) == [joined.replace("A rebase", "1. A rebase")]


@pytest.mark.parametrize("fence", ["```", "  ```python", "~~~"])
def test_a_comment_in_code_is_no_reason_of_claude(fence: str) -> None:
    """What stands in fenced code is not said by Claude; what stands around it is."""
    said = "The totals differ because the cart rounds each line twice."
    code = "# instead of rounding, the till keeps the cents of each line"
    assert list(findings(f"{fence}\n{code}\n{fence[:5]}\n{said}")) == [said]
    assert code.lstrip("# ") in next(findings(code))


def test_a_detail_names_what_it_is_about() -> None:
    """A statement with a name or a number is a detail; plans and talk are not."""
    text = (
        "Frames above MAX_FRAME are rejected before anything is allocated for them. "
        "Let me look at the file src/frame.rs and its forty tests now. "
        "That makes the whole program a good deal easier to read for everybody."
    )
    assert list(details(text)) == [text.partition(". ")[0] + "."]
    finding = text.partition(". ")[0] + ", so no frame of a client can fill the memory."
    assert not list(details(finding))
    assert list(findings(finding)) == [finding]
    item = "Filter the products in the controller before the process sees them"
    assert not list(details(f"1. {item}"))
    assert list(details(f"1. {item}: cart.ex")) == [f"{item}: cart.ex"]


@each(
    "text",
    [
        "La causa es que el Arena duplica su tamaño, así que falla la segunda vez.",
        "J'utilise DateTimeImmutable au lieu de Carbon, pour éviter une dépendance de plus.",
        "Ich nehme den Interrupt statt der Schleife, weil sie den Takt verpasst.",
        "De migratie faalt omdat rij 881 geen eigenaar heeft en dus leeg blijft.",
        "Lo script si ferma perché due righe hanno il punto come separatore.",
        "O plano falha devido a um lock antigo, portanto atualizei o provider.",
        "Rabat ginie, ponieważ jest zapisany tylko w koszyku gościa.",
        "Масив не збирається, тому що третій диск відстає на 41 подію.",
        "Titreme, hizalamanın aynı karede çakışmasından kaynaklanıyor.",  # noqa: RUF001
        "فشل الاختبار لأن العميل لا يقرأ ترويسة Retry-After من الرد.",
        "web3 तक नहीं पहुँच पाए क्योंकि वहाँ पुरानी SSH कुंजी है।",
        "Nguyên nhân: TypeScript kiểm tra chặt hơn, vì vậy dòng 41 không còn hợp lệ.",
        "Причина в том, что индекс записи не атомарный, а не в размере буфера.",  # noqa: RUF001
    ],
)
def test_a_reason_in_other_languages(text: str) -> None:
    """Reasons are found in each language of the table."""
    assert list(reasons(text)) == [text]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("It leaks.\n\nShall I also drop the table?", "Shall I also drop the table?"),
        ("It has two sides.\n\n1. Use S3\n2. Use GCS\n\n**Which?**", "1. Use S3 2. Use GCS Which?"),
        ("고쳤습니다.\n\n어느 쪽으로 할까요?\n\n1. 가드\n2. 거른다", "어느 쪽으로 할까요? 1. 가드 2. 거른다"),
        ("どちらにしますか。", "どちらにしますか。"),
        ("Why did it leak? The pool was closed twice, and nobody saw.\n\nIt is mended.", ""),
        ("It reads a?b:c now.", ""),
        (f"{'long ' * 80}\n{'word ' * 60}so which?", f"… {'word ' * 60}so which?"),
    ],
)  # fmt: skip
def test_a_question_at_the_end_comes_with_its_choices(text: str, question: str) -> None:
    """The list around it says what "2" means; the beginning of a long paragraph is cut."""
    found = question_at_end(text)
    assert found == question or (found[:2] == question[:2] == "… " and question.endswith(found[1:]))


@given(st.text(max_size=300))
def test_what_is_found_stands_in_the_text(text: str) -> None:
    """Extractors only quote: whatever the text, what they find is in it."""
    assert all(one in text for one in identifiers(text))
    assert all(len(one) <= 330 for one in reasons(text))


def test_sentences_at_a_cut_are_left_out() -> None:
    """Of a long prompt its event has beginning and end; what was cut there says nothing."""
    text = (
        "Move the importer to the new reader. " + "x" * 462 + "… w header once. Keep the old table."
    )
    assert own_words(text) == "Move the importer to the new reader.\n\nKeep the old table."
    log = "".join(f"2026-11-20 09:{at:02}:00 INFO worker-3 did batch {at}\n" for at in range(20))
    text = "Skip what is there.\n" + log
    assert "batch" not in own_words(f"{text[:499]}… {text[-200:]}")
    assert own_words("Wait… not this table, please.") == "Wait… not this table, please."


@pytest.mark.parametrize(
    "text",
    [
        "It was not the cache: the test still fails without it.",
        "That wasn't the timeout, it fails with 60 seconds as well.",
        "The leak in the pool is ruled out by the second trace.",
        "It is not the pull-ups: the rise time is 280 ns.",
        "The clock is not the cause, all hosts agree on it.",
        "Der Zwischenspeicher war nicht die Ursache, der Test scheitert auch ohne ihn.",
        "La hipótesis del CDC queda descartada.",
    ],
)
def test_a_cause_that_was_given_up_is_a_reason(text: str) -> None:
    """Else the cause that was assumed first would stand alone."""
    assert reasons(text) == [text]
    assert not reasons("It was the second call, and the test passes without it.")


@pytest.mark.parametrize(
    "text",
    [
        "Can you look at the cron job without touching the crontab?",
        "Can you fix it w/o raising the target?",
        "Kannst du nachsehen, ohne die Datei zu ändern?",
        "Puoi guardare il foglio senza modificarlo?",
        "Kun je kijken zonder de server te herstarten?",
        "Pode listar os snapshots sem apagar nada?",
    ],
)
def test_a_question_may_say_what_not_to_do(text: str) -> None:
    """Such a question comes back as an instruction; one that only asks does not."""
    assert instructions(text) == [text]
    assert instructions("Here is the next one. Can you look at the cron job?") == []


@pytest.mark.parametrize(
    "text",
    [
        "Let me verify the cart rather than speculate about it.",
        "Now, let me also check the converter, since the store has the field as well.",
        "Phase 1: Root Cause Investigation",
        "API Error: 500 because of an overload, see 4be91c7 and the request of today",
    ],
)
def test_a_look_and_a_heading_find_nothing(text: str) -> None:
    """Neither is a finding, unlike a plan with its reason."""
    assert not list(findings(text))
    assert list(findings("Let me use a lock instead of a queue, the order must hold."))


def test_a_commit_is_named_once() -> None:
    """Of a hash the shortest form is kept; the rest of one is a file; tickets are alike, and stay."""
    whole = "4be91c7d2f00aa11bb22cc33dd44ee55ff667788"
    names = [whole, "SHOP-4", "4be91c7", "SHOP-41", "9d0e1f22cc", "0e1f22cc"]
    assert without_longer(names) == ["SHOP-4", "4be91c7", "SHOP-41", "9d0e1f22cc"]


def test_a_commit_of_an_example_is_none() -> None:
    """Hashes in sequence, or of letters and digits in turn, are typed by hand; others are not."""
    typed = ["abc1234", "def5678", "abc123def456", "a1b2c3d4e5f6", "deadbeef", "c123def456"]
    real = ["a1b2c3d", "abcdef1", "1f7e908d", "d9978a8723e02b52"]
    assert without_longer([*typed, *real]) == real


def test_a_report_begins_with_what_it_says() -> None:
    """That a subagent now knows everything, or will report, is no report."""
    done = "Perfect! Now I have a comprehensive understanding of it. Let me write a report."
    assert reported(f"{done} The cart has three callers.") == ["The cart has three callers."]
    assert reported(done) == []
    others = ("Summary: The Callers of the Cart", "I've explored all callers of the cart.",
              'API Error: 500 {"type":"error"}')  # fmt: skip
    for text in others:
        assert reported(text) == [], text
