"""What a later prompt corrects: never told as current, and never guessed."""

from __future__ import annotations

from projections.facts.correction import Corrections, without_corrected
from tests.support.rows import each

CORRECTED = [
    (
        "Use SQLite for the cart store, and write tests",
        "No, use Postgres after all instead of SQLite",
    ),
    (
        "Use tabs for indentation in all new files",
        "Go back to spaces for indentation, tabs were bad",
    ),
    (
        "Always run the linter with ruff before committing",
        "From now on flake8 instead of ruff please",
    ),
    ("Never commit without asking me first", "You may commit without asking from now on"),
    ("Put the prices into a YAML file", "On second thought, a TOML file is better for the prices"),
    ("Deploy to staging when the tests are green", "Don't deploy to staging any more, I do that"),
    ("丸めは decimal で実装してください。", "やっぱりdecimalではなく整数のセントにしてください"),
    ("金額は小数で持つ方針です", "金額は小数ではなく整数のセントで持つ"),
    ("Store the sessions in Redis with a ttl", "Use a plain table in place of Redis"),
    ("Write the Kubernetes manifests for staging", "Scrap the whole Kubernetes idea"),
    ("Migrate the database to Postgres next week", "Never mind Postgres"),
    ("Write the parser by hand", "Forget about the parser"),
    ("キャッシュは Redis に置いてください", "Redis はなしで、テーブルにしてください"),
    ("移行スクリプトを書いてください", "移行スクリプトは取りやめてください"),
    ("Design it with Redis and a short TTL", "We can't have Redis in that cluster"),
    ("Speichere alles in SQLite", "Doch nicht, nimm Postgres statt SQLite"),
    ("Utilise Redis pour les sessions", "Finalement une table au lieu de Redis"),
    ("Ship the report as PDF on Mondays", "Actually make it XLSX, not PDF, and Tuesday"),
    ("XMLで出力してください。", "やっぱりXMLではなくJSONで出力してください。"),
    ("把购物车存到SQLite里", "别用SQLite, 改用Postgres"),
    ("장바구니 할인을 SQLite 로 저장해 주세요.", "아니, SQLite 말고 Postgres 로 해 주세요"),
    ("Die Beträge sollen als Float gespeichert werden.", "Nicht Float, sondern Decimal."),
    ("Los importes se guardan como float.", "No float, sino Decimal."),
    ("Schreib den Export in dump.py", "Die Datei heißt export.py, nicht dump.py."),
    ("Keep the API, and functions at most 30 lines.", "functions may be 50 lines now"),
    ("Funktionen dürfen höchstens 30 Zeilen haben.", "Funktionen dürfen jetzt 50 Zeilen haben"),
    ("Las funciones tienen 30 líneas como máximo.", "Ahora las funciones pueden tener 50 líneas"),
    ("関数は30行以内にしてください。", "関数は50行までOKです"),
    ("함수는 30줄 이내로 해 주세요.", "이제 함수는 50줄까지 괜찮습니다"),
    ("有意水準は5%です。", "やっぱり有意水準は1%にしてください"),
    ("The error budget is 2% per month.", "the error budget may be 5% per month"),
    ("use an IORef not MVar", "stupid idea of mine. back to MVar"),
    ("Listen on port 8080 please", "the port is 3000, not 8080"),
    ("zapisz rabat w sesji", "Jednak nie w sesji, tylko w bazie"),
    ("копіюй фото через rsync", "передумав: замість rsync використай ddrescue"),
    ("dùng key theo index", "ok vậy dùng id, thay vì index"),
    ("a instância é db.r6g.xlarge", "mudei de ideia, db.r6g.2xlarge em vez de db.r6g.xlarge"),
    ("boyut 200 KB'ı geçmesin", "boyut 300 KB olabilir artık"),  # noqa: RUF001
    ("والحد الأقصى 3 محاولات", "خلاص خليها 5 محاولات بدل 3"),
    ("тесты хранят цены как float", "тесты теперь хранят цены вместо float в целых"),
]
CORRECTED.append((
    "Write the owners of lines to the cache",
    "Do not write the owners of lines to a cache: " + "it holds what a rebase has made untrue " * 5,
))  # fmt: skip
STANDING = [
    ("Never touch the file legacy.py", "Fix the report, not the importer"),
    ("Write the importer for supplier prices", "On second thought, sort the table by name"),
    ("Keep the tests fast, they run on each commit", "No, the page must open the cart first"),
    ("Use SQLite for the cart store", "Use SQLite for the list of suppliers too"),
    ("Keep the Redis client small and fast", "Don't forget Redis needs a password"),
    ("Keep the Redis client small and fast", "Never forget Redis"),
    ("Keep it bounded, a customer had an OOM", "Name the ticket but not the customer's name"),
    ("Keep the new cart page small", "Never mind the order of the rows"),
    ("Make step 1 of the currency table", "now make step 2 of the currency table"),
    ("Functions have at most 30 lines.", "tests may take 50 seconds now"),
    ("The timeout stays under 2 s", "no wait you wrote 1, not 2?"),
    ("use an IORef not MVar", "go back to the tests of the store"),
    ("не трогай базу, она не наша", "Это не то, не надо"),
    ("Functions have at most 30 lines.", "functions may have 30 lines now, like classes"),
    ("Functions have at most 30 lines.", "The 50 lines of the new functions are too many"),
    ("Functions have at most 30 lines.", f"functions may be 50 lines now: {'a log ' * 30}"),
    ("The bucket is inv-prod, versioned.", "not the whole bucket, only 2026 please"),
    ("Die Tests müssen laufen", "Bitte ändere nicht die Tests, nur den Code"),
    ("端数処理を直してください", "エラーなしで端数を出してください"),
    ("legacy.py は絶対に触らないでください。", "やっぱり decimal ではなく整数にしてください"),
    ("How would you track who owns a line?", "Instead of lines 235-236: take the map of owners"),
    ("Show the edits between two checkpoints", "I did not edit anything between the checkpoints"),
    ("Remove the warning entirely, it is inaccurate", "However, this is not entirely accurate."),
    ("Push the slow tests to the end of the file", "Are we able to not push tests to the end?"),
    ("Print the agent type in each scenario", "In which scenario might it not have an agent type?"),
    ("Both sessions have checkpoints", "You can continue here, but checkpoints of both sessions mix."),
    ("Use the owners map for each line", f"Instead of the map: {'owners = line(n); ' * 20}"),
    (f"Unknown command: session. {' '.join(map(hex, range(99, 120)))}", "no, session commands go"),
]  # fmt: skip


@each(("older", "newer"), CORRECTED)
def test_a_correction_names_what_it_is_about(older: str, newer: str) -> None:
    """A later sentence with a word of correction takes back a text with which it shares words."""
    assert Corrections([older, "And now something else", newer]).of(older) in newer
    assert Corrections([older, "And now something else", newer]).of(older)


@each(("older", "newer"), STANDING)
def test_what_is_about_something_else_stands(older: str, newer: str) -> None:
    """A correction of one thing leaves the others alone, and two requests do not correct."""
    assert not Corrections([older, newer]).of(older)


@each(("older", "newer"), CORRECTED)
def test_only_what_is_later_corrects(older: str, newer: str) -> None:
    """A text said again after its correction is current, and so is the correction itself."""
    assert not Corrections([newer, older]).of(older)
    assert not Corrections([older, newer]).of(newer)
    assert not Corrections([older, newer, older]).of(older)


def test_decisions() -> None:
    """Of decisions, newest first, those that a newer one corrects fall out."""
    newest = ["Prices are cents", "Use Postgres, not SQLite", "Use SQLite for the cart"]
    assert without_corrected(newest) == newest[:2]
