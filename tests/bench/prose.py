"""Make transcripts of long answers in English, Japanese and Korean, with code and tool results.

`tests.bench.talk` copies this repository's documents; here sentences are put together from parts,
so that CJK text without spaces is as long as in real answers and seldom repeats as a whole.
"""

from __future__ import annotations

import json
import random
import uuid
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

_NOUNS = """parser cursor retry queue worker cache index session record buffer handler schema router
batch lock cookie header column migration scheduler pipeline socket timeout token response payload
checksum segment snapshot renderer config""".split()
_VERBS = """reads skips drops returns checks appends rewrites holds flushes closes merges validates
caches repeats ignores measures""".split()
_JA = """処理 設定 接続 画面 関数 認証 応答 記録 入力 出力 順序 署名 例外 遅延 同期 通知 集計 検索
保存 並列 文字列 一時ファイル キャッシュ セッション トランザクション インデックス""".split()
_KO = """처리 설정 연결 화면 함수 인증 응답 기록 입력 출력 순서 서명 예외 지연 동기화 알림 집계 검색
저장 병렬 문자열 임시파일 캐시 세션 트랜잭션 인덱스""".split()
_FORMS = {
    "en": (
        _NOUNS,
        (
            "The {0} {v} the {1} before the {2} is complete, so `{c}` sees an old {3}. ",
            "I found that {c} fails because the {0} of the {1} is {n} bytes shorter than expected. ",
            "After the change the {0} {v} each {1} once; the {2} test in tests/{p}.py passes. ",
            "Nothing else uses this {0}, and the {1} can stay as it is until the {2} moves. ",
            "If the {0} is empty, the {1} {v} the {2} and the {3} waits for {n} ms. ",
        ),
    ),
    "ja": (
        _JA,
        (
            "{0}の{1}が終わる前に{2}が始まるため、`{c}`は古い{3}を読んでしまいます。",
            "原因は{0}と{1}の間で{2}が{n}回繰り返されていたことでした。",
            "そこで{0}を先に行い、{1}の結果を{2}に渡すように直しました。",
            "この変更で{0}の{1}は{n}ミリ秒になり、{2}の試験もすべて通ります。",
            "なお{0}については、{1}と{2}の関係を整理してから改めて検討します。",
        ),
    ),
    "ko": (
        _KO,
        (
            "{0}의 {1}이 끝나기 전에 {2}가 시작되어 `{c}`가 오래된 {3}을 읽습니다. ",
            "원인은 {0}와 {1} 사이에서 {2}가 {n}번 반복된 것이었습니다. ",
            "그래서 {0}를 먼저 하고 {1}의 결과를 {2}에 넘기도록 고쳤습니다. ",
            "이 변경으로 {0}의 {1}은 {n}밀리초가 되었고 {2} 시험도 모두 통과합니다. ",
            "참고로 {0}는 {1}와 {2}의 관계를 정리한 뒤 다시 검토하겠습니다. ",
        ),
    ),
}


def write(client: Path, *, sessions: int, turns: int, seed: int = 3) -> int:
    """Write `sessions` transcripts below `client`; return their total size in bytes."""
    drawn = random.Random(seed)
    folder = client / "projects" / "-srv-prose"
    folder.mkdir(parents=True)
    size = 0
    for number in range(sessions):
        sid = str(uuid.UUID(int=drawn.getrandbits(128)))
        path = folder / f"{sid}.jsonl"
        rows = _session(drawn, sid, ("en", "ja", "ko")[number % 3], turns)
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        size += path.write_bytes(text.encode())
    return size


def _sentence(drawn: random.Random, language: str) -> str:
    nouns, forms = _FORMS[language]
    return drawn.choice(forms).format(
        *drawn.choices(nouns, k=4),
        v=drawn.choice(_VERBS),
        c=_name(drawn),
        n=drawn.randint(2, 9_999),
        p=f"test_{drawn.choice(_NOUNS)}",
    )


def _name(drawn: random.Random) -> str:
    return f"{drawn.choice(_VERBS)}_{drawn.choice(_NOUNS)}_{drawn.randint(1, 400)}"


def _code(drawn: random.Random, rows: int) -> str:
    return "\n".join(
        f"    {drawn.choice(_NOUNS)} = {_name(drawn)}({drawn.choice(_NOUNS)}, {drawn.randint(0, 99)})"
        for _ in range(rows)
    )


def _answer(drawn: random.Random, language: str) -> str:
    parts = []
    for _ in range(drawn.randint(2, 9)):
        kind = drawn.random()
        text = [_sentence(drawn, language) for _ in range(drawn.randint(2, 6))]
        if kind < 0.15:
            parts.append(f"```python\ndef {_name(drawn)}():\n{_code(drawn, 8)}\n```")
        elif kind < 0.35:
            parts.append("\n".join("- " + one.strip() for one in text))
        else:
            parts.append("".join(text).strip())
    return "\n\n".join(parts)


def _result(drawn: random.Random, language: str) -> str:
    if drawn.random() < 0.5:
        return _code(drawn, drawn.randint(5, 60))
    return "\n".join(_sentence(drawn, language) for _ in range(drawn.randint(1, 12)))


def _session(drawn: random.Random, sid: str, language: str, turns: int) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []

    def add(kind: str, content: Any, **message: Any) -> None:
        second = len(rows)
        at = f"2026-11-{1 + second // 86_400:02}T{second // 3600 % 24:02}:{second // 60 % 60:02}"
        rows.append({
            "type": kind, "sessionId": sid, "cwd": "/srv/prose", "gitBranch": "main",
            "isSidechain": False, "uuid": str(uuid.UUID(int=drawn.getrandbits(128))),
            "timestamp": f"{at}:{second % 60:02}.000Z",
            "message": {"role": kind, "content": content, **message},
        })  # fmt: skip

    for _ in range(turns):
        add("user", "".join(_sentence(drawn, language) for _ in range(drawn.randint(1, 4))))
        for step in range(drawn.randint(0, 3), -1, -1):
            use = f"toolu_01{drawn.getrandbits(90):x}"
            usage = {"input_tokens": 5, "output_tokens": 90, "cache_read_input_tokens": 20_000}
            reason = "tool_use" if step else "end_turn"
            of = {
                "id": f"msg_{use}",
                "model": "claude-opus-5-5",
                "stop_reason": reason,
                "usage": usage,
            }
            add("assistant", [{"type": "text", "text": _answer(drawn, language)}], **of)
            if step:
                given = {"command": f"rg {_name(drawn)} src", "description": "Search the source"}
                call = {"type": "tool_use", "id": use, "name": "Bash", "input": given}
                add("assistant", [call], **of)
                shown = _result(drawn, language)
                add("user", [{"type": "tool_result", "tool_use_id": use, "content": shown}])
    return rows
