"""Cards of past sessions, and their topics."""

from __future__ import annotations

from projections.past import Card
from projections.terms import significant_terms

TOPICS = {
    "rounding": "Round prices in the cart\nhalf up per line, checkout totals agree with invoice",
    "login": "Login screen for expired tokens\nsessions time out, redirect keeps the query",
    "search": "Search index rebuild\nembeddings and BM25 merged by reciprocal rank",
    "ログイン": "ログイン画面の認証\nトークンの期限切れを直した",
    "在庫": "在庫管理の集計\n倉庫ごとの数量を夜間バッチで集計する",
    "결제": "결제 화면 오류\n환불 처리와 영수증 발행",
    "退款": "退款流程\n订单取消后自动退款",
    "export": "Export rows as parquet\nschema_version 3, TICKET-481 closed",
}


def card(sid: str, text: str = "", seq: int = 1, **more: object) -> Card:
    """Build a card whose terms are those of its text."""
    title, _, head = text.partition("\n")
    return Card(**{"sid": sid, "seq": seq, "date": "2026-11-20T09:00:00.000Z", "title": title,
                   "head": head or "What it found.", "terms": " ".join(significant_terms(text, 40)), **more})  # fmt: skip


ALL = [card(name, text, seq) for seq, (name, text) in enumerate(TOPICS.items(), 1)]
