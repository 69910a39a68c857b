"""What a user's text demands."""

from __future__ import annotations

import pytest

from projections.demands import demands_of, is_rule, is_terse
from tests.support.rows import each


@each(
    "text",
    [
        "Never touch config/prod.yaml, another team manages it.",
        "Write the report, but never mention prices.",
        "config/prod.yaml は絶対に触らないでください。",
        "テストは必ず実行してください。",
        "절대 커밋하지 마세요.",
        "Auf keinen Fall die Tabelle löschen.",
        "Ne touche jamais à ce fichier.",
        "No toques la base de datos.",
        "不要改测试。",
        "周五前必须完成。",
        "不要加新的依赖。",
        "金额一律保留两位小数。",
        "Draai altijd eerst de migraties.",
        "Gebruik nooit floats.",
        "Non modificare mai i CSV originali.",
        "Usa sempre la virgola.",
        "Não toque nisso, e nunca rode apply.",
        "Napraw to, ale nigdy nie ruszaj app/Legacy.",
        "НІКОЛИ не пиши на вихідні диски.",
        "Никогда не трогай базу.",
        "Fizik hızını değiştirme, asla.",  # noqa: RUF001
        "لا تستخدم مكتبة requests أبداً",
        "db ग्रुप को कभी मत छूना।",
        "Đừng thêm gói mới.",
        "rules: nothing destructive, UTC times",
        "Ask me before changing any regex.",
        "fix. then pr. never merge urself",
    ],
)
def test_a_rule(text: str) -> None:
    """A sentence that forbids something, or demands it each time, is a rule in each language."""
    assert is_rule(text)


@each(
    "text",
    [
        "This causes the total to always return 0.",
        "I don't know why the test fails.",
        "Why do you never run the tests?",
        "The import never finished.",
        "テストが必ず失敗する。",
        "테스트가 항상 실패합니다.",
        "不要なコードが残っている。",
        "要不要加测试?",
        "别的文件也看一下。",
        "Het werkt altijd.",
        "Il test fallisce sempre.",
        "Testy zawsze przechodzą na CI.",
        "Sunucu her zaman çöküyor.",
        "main is red",
    ],
)
def test_a_report_is_no_instruction(text: str) -> None:
    """What happens always or never is told of a program, not demanded."""
    assert not is_rule(text)


@pytest.mark.parametrize(
    ("text", "demanded"),
    [
        ("Build it. The CSV must have a BOM. It is for Excel.", "The CSV must have a BOM."),
        ("Never push. Look at the logs. A title is required.", "Never push. A title is required."),
        ("Der Export muss UTF-8 sein. Danke!", "Der Export muss UTF-8 sein."),
        ("Must the CSV have a BOM?", ""),
        ("Look at the logs.", ""),
    ],
)
def test_the_demands_of_a_text(text: str, demanded: str) -> None:
    """Rules and requirements stay as they are; a question and what is only told do not."""
    assert demands_of(text) == demanded


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("no pandas", True),
        ("use tabs", True),
        ("seed is 1234", True),
        ("keine Emojis", True),
        ("Deadline is Friday.", True),
        ("no problem", False),
        ("use tabs?", False),
        ("go on", False),
        ("no, that is a longer sentence, which says what went wrong", False),
    ],
)
def test_a_short_wish(text: str, is_one: bool) -> None:
    """A few words say how to work, unless they are an answer or a question."""
    assert is_terse(text) == is_one
