"""Values that look like a secret, beside a word that announces one; and without such a word."""

from __future__ import annotations

import json
import random

import pytest

from journal.redaction import redact
from tests.journal.redaction.published import fill
from tests.support.rows import each

STRONG = "Kestrel{d4}!"
MIXED = "{a2}7{A3}4{u2}{a5}9{A2}"
CHOSEN = "thistle{d4}"
FORMS = {
    "a sentence that goes on": "change the admin password from § to something else",
    "a sentence from behind": "it works with § now (admin password)",
    "an assertion": "AssertionError: expected '§' to equal password",
    "a test of a browser": "await page.type('input[name=pass]', '§')",
    "a user of any command": "hey -a bob:§ https://x.invalid",
    "a network": 'WiFi.begin("Home", "§");',
    "a list of arguments": 'exec.Command("psql", "--password", "§")',
    "a file of a password": "rsync -a --password-file=<(echo '§') bob@h::m /x",
    "Russian": "пароль от базы §",
    "Danish": "adgangskode til serveren §",
    "German": "Das Kennwort vom Server wurde auf § geändert",
    "Japanese": "本番のパスワードを新しい § に変えました",
    "Korean": "스테이징 비번 바꿨어, § 로",
    "the line below": "$ op read op://vault/db/password\n§\n$",
    "a list below": f"passwords:\n  - {20 * 'a1'}\n  - §",
    "an account": "access it at https://x.invalid with demo / §",
    "an account in Japanese": "ログイン情報: bob@x.invalid / §",
    "a sign-in": "Einloggen geht mit bob@x.invalid und §",
    "a root shell": "ssh into 10.0.0.4 as root with §",
    "a here-string": 'restic init <<< "§"',
    "a name and a password of any command": "mycli -u app -p § -h db1",
}
TYPED = (
    "{A1}estrel{d4}!",
    "KestrelOtter{d3}~",
    "Kestrel20{d2}^",
    "G0ndola!{d3}",
    "aB3#{a3}Q7{a2}x9^",
)
TOKENS = ("§ is the API key", "JWT_SIGNING=§", 'x = "§"  # api token', "Authorization: Splunk §")
ORDINARY = (
    "the password moved from sha256 to argon2id in version 2.4.1",
    "see issue GH#44212 for the token, and file.c#L123 for the key",
    "num_tokens = height // merge_size**2 + num_patches+1",
    "class Qwen3NextForTokenClassification(GenericForTokenClassification):",
    "from transformers import AutoTokenizer, MetaClip2TextModelWithProjection",
    "token of user@Host1.example.org, password of bob@db2.internal",
    "the key of commit e5ddd6b3020045b7d8426618fd2515bc02ca045d is missing",
    "api/stubs/auth/token.pyi,sha256=sINAEC_pucjlldxJChrjgnhv_PzI",
    "libsasl2-2:amd64  2.1.28+dfsg-10+deb12u1  authentication by passwords",
    "the tokenizer of HunYuanMoEV1ForCausalLM, tokens of SocksClientState5",
    'result_key: "QueueConfigSummaryList", output_key = "HoursOfOperations"',
    "token: see\nthe file of commit e5ddd6b3020045b7d8426618fd2515bc02ca045d",
    "wifi: mac80211x: fix a leak",
    "wifi: at76c50x-usb: avoid a length of 0",
    "glColor3fVertex3fSUN@Base 0 of the password",
    "needs the password of 8.3~rc1-1~",
    "password hashing: PBKDF2WithHmacSHA512, Outer$Inner1, 0x1F00AB9C4411",
)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_value_of_the_form_of_a_password_goes(form: str) -> None:
    """A sign in it, or letters of both cases with digits between: no grammar is needed."""
    source = random.Random(form)
    for template, least in ((STRONG, 20), (MIXED, 18)):
        secrets = [fill(template, source) for _ in range(20)]
        found = [secret not in redact(form.replace("§", secret)) for secret in secrets]
        assert sum(found) >= least


def test_a_word_with_a_number_needs_the_word_close_by() -> None:
    """`thistle1234` could be a name: only within 40 characters of a word for a password it goes."""
    secret = fill(CHOSEN, random.Random(1))
    far = f"the password of the server in the second rack on the left is unlike {secret}"
    assert secret not in redact(f"tried {secret} (admin password)")
    assert redact(far) is far


@pytest.mark.parametrize("template", TYPED)
def test_a_form_that_only_passwords_have_needs_no_word(template: str) -> None:
    """A word, digits and a sign; a word with a digit for a letter; three classes and a sign."""
    secret = fill(template, random.Random(template))
    assert redact(f"please try {secret} there") == "please try [redacted:beside] there"


@pytest.mark.parametrize("form", TOKENS)
def test_hexadecimal_digits_go_beside_words_that_say_what_they_are(form: str) -> None:
    """Behind the value, too: `X is the API key`; a digest said to be one of a commit stays."""
    digits = fill("{h32}", random.Random(form))
    assert digits not in redact(form.replace("§", digits))
    assert redact(f"{digits} is the head of main") == f"{digits} is the head of main"


@pytest.mark.parametrize("template", ["{h32}", "{h40}", "{uuid}"])
def test_hexadecimal_digits_go_behind_a_word_for_a_token(template: str) -> None:
    """In front of it, or behind a word for a digest, they stay."""
    digits = fill(template, random.Random(2))
    assert digits not in redact(f"set STRIPE_KEY to {digits}")
    ordinary = f"{digits} is what the token of commit {digits} became"
    assert redact(ordinary) is ordinary


@each("form", [
    "Password for 'https://bob@x.invalid': §", "Passwort →  §", "root pw from old to §",
    "passwords:\n  alice: §", "- name: PASSWORD\n  value: §", "10.0.0.4 (bob/§)", "10.0.0.4;bob;§",
    "bob@10.0.0.4 (§)", "qa@x.com | §", "auth = bob:§", "test: bob / §",
    "password changed from [redacted:sentence] to §", "heslo: §", "jelszó: §", "kata sandi: §",
    "qa@x.invalid:§", "10.0.0.4 root §", "Router: admin §", "u: bob p: §",
    '"adminPassword": {\n  "type": "string",\n  "defaultValue": "§"',
    "docs: test account bob/§", "vpn bob §", 'b64encode(b"bob:§")', 'passwords = ["§", "x1"]',
    "rotate the db password (was §)", "κωδικός: §", "كلمة المرور: §",
    'secret = (\n    "" + "a1B2c3D4e5F6a1B2c3D4"\n    "§"',
    "USERS = {'admin': '§'}", "ssh bob@web1 / §", "license: §-§", "ssid Home key §",
])  # fmt: skip
def test_the_place_of_a_value_announces_it(form: str) -> None:
    """Right behind a word, below one, behind an account or an address, below a redacted half."""
    secret = fill("{a2}7{A3}4{u2}{a5}9{A2}", random.Random(form))
    assert secret not in redact(form.replace("§", secret))


@pytest.mark.parametrize("form", [
    "tool -u bob -p § up", "tool --user bob:§", 'tool("--proxy-auth", "bob:§")', "tool -xu bob -xp § now", 'btoa("bob:§")',
])  # fmt: skip
def test_a_flag_for_a_user_announces_any_value(form: str) -> None:
    """Letters alone, words and digits: behind the user nothing but a password follows."""
    for secret in ("tangofalcon", "violet-otter-garage", "thistle42x"):
        assert secret not in redact(form.replace("§", secret))
    for other in ("8080", "$PASSWORD", "password"):
        assert redact(form.replace("§", other)) == form.replace("§", other)


@pytest.mark.parametrize("secret", ["xb1m+rzkuw", "violet-otter-garage", "tangofalcon"])
def test_quotes_around_a_value_beside_a_word(secret: str) -> None:
    """A quoted text is one if a word for a password is near and no name of another member."""
    assert secret not in redact(f'check("{secret}", config.getPassword());')
    other = f'{{"username": "{secret}", "password": ""}}'
    assert redact(other) is other


@pytest.mark.parametrize("form", [
    "- rotate § (root pw)", "drop § before the merge (the password)", 'type("§")  # password',
    "使用密码§登录", "비밀번호를 §로", "wlan: Home / §",
])  # fmt: skip
def test_a_label_behind_a_value_and_a_word_without_a_space_announce_it(form: str) -> None:
    """Parentheses or a comment with the word alone; a word of a language without spaces."""
    for secret in ("wbudo0g0x", "violet-otter-garage", "violet-otter-garage7", "otter_lamp@1662"):
        assert secret not in redact(form.replace("§", secret))
    for other in ("hashing", "sha256", "user_password", "$PASSWORD"):
        assert redact(form.replace("§", other)) == form.replace("§", other)


def test_a_word_or_two_may_stand_between_a_noun_for_a_password_and_its_value() -> None:
    """The verb `pass`, names in code such as `PassRef` and values further away announce nothing."""
    for secret in ("otter_lamp@1662", "violet-otter-garage", "kx7q2-mfw9z"):
        assert secret not in redact(f"the password hint says {secret}")
        for other in (f"pass it on to {secret}", f"PassRef of a {secret}"):
            assert redact(other) is other
        far = f"the password is, as we all know by now, not {secret}"
        assert redact(far) is far


def test_a_call_that_compares_is_no_name_of_data_beside_a_word_for_a_password() -> None:
    """`assert("X", password)`: without that word the value is one of the code's own."""
    secret = fill("{a4}7{A2}4{a5}", random.Random(3))
    assert secret not in redact(f"assert '{secret}' == 'x'  (password)")
    other = f"assert '{secret}' == 'x'  (token)"
    assert redact(other) is other


@each("text", [
    "root: this.#actualTree, license: GPL-2.0-or-later", "'admin': 'AdminPanel'",
    "#: contrib/admin/options.py:1598", "the password is base64-encoded", "Password:\nconfirm2",
    'msgstr "Senha modificada com sucesso"', "// From linux-2.6.8.1/include/asm-i386/ipc.h",
    "Ann Otter <ann@x.invalid>: fixes 12 tests of the parser", "ann@x.invalid: 5f3c9a7b1e2d4c6f",
    "Author: ann@x.invalid Date: 2026-03-02 10:00:01", "account settings/version2",
    '"root": "5f3c9a7b-1e2d-4c6f-8a90-b1c2d3e4f506",\n"title": "reset the password"',
    'msgstr "Vanha salasana on virheellinen."', "credentials: SMTPConnectionCredentials & {", "10.0.0.4 - - [02/Mar/2026:10:00:01 +0000]",
])  # fmt: skip
def test_paths_prose_and_types_in_such_a_place_stay(text: str) -> None:
    """A path with `admin/` in it, participles of other languages, types, logs."""
    assert redact(text) is text


@each("text", ORDINARY)
def test_names_versions_and_digests_beside_such_a_word_stay(text: str) -> None:
    """Code, addresses, issues and digests have not the form of a password."""
    assert redact(text) is text


@pytest.mark.parametrize("form", [
    "WEBHOOK_SECRETS = {\n    'github': '§',", '"aes_keys": {\n\t"first": "§"', "tokens = [\n  '§',",
    'secrets := map[string]string{\n\t"hub": "§"', "# Signing secret\nVAR = '§'",
    '// api key of the shop\nconst k = "§"', 'Client("AC5f3c9a7b1e2d4c6f5f3c9a7b1e2d4c6f", "§")',
    "{ user: 'api', key: '§-5f3c9a7b-1e2d4c6f' }", "secrets:\n  # of the hub\n  hub: §",
])  # fmt: skip
def test_hexadecimal_digits_go_where_code_announces_them(form: str) -> None:
    """In a mapping of secrets, below a comment, as the argument behind a first secret."""
    digits = fill("{h32}", random.Random(form))
    assert digits not in redact(form.replace("§", digits))


@pytest.mark.parametrize("form", [
    "commits = {\n    'hub': '§',", "translated keys\n    'hub': '§',", "# Digest of the image\nVAR = '§'",
    "# The secret is elsewhere\n\nVAR = '§'", 'Client("SK", "§")', "run --token\nrun --rev §",
])  # fmt: skip
def test_digests_in_other_mappings_and_below_other_comments_stay(form: str) -> None:
    """A heading without a list, a comment about a digest or with a line in between say nothing."""
    text = form.replace("§", fill("{h40}", random.Random(form)))
    assert redact(text) is text


@pytest.mark.parametrize(
    "form", ["{} §", "{}\n§", "{}: §", "use {} with §", "Secret Access Key [None]: §"]
)
def test_forty_characters_of_base64_go_behind_a_key_of_aws(form: str) -> None:
    """With slashes in them, too; a path of forty characters stays."""
    key = "AKIA" + fill("{u16}", random.Random(form))
    secret = fill("{a12}/{a13}+{a13}", random.Random(form))
    assert secret not in redact(form.format(key).replace("§", secret))
    path = "src/Components/Button4/Primary2Button/Ab"
    assert path in redact(form.format(key).replace("§", path))


@each("form", FORMS.values(), ids=FORMS)
def test_json_stays_json(form: str) -> None:
    """A text within JSON within JSON can be read after redaction, and nothing more is found."""
    inner = json.dumps(
        {"said": f"first\n{form.replace('§', 'Kestrel2359!')}\nlast"}, ensure_ascii=False
    )
    clean = redact(json.dumps({"text": inner}, ensure_ascii=False))
    assert "Kestrel" not in json.loads(json.loads(clean)["text"])["said"]
    assert redact(clean) is clean


GENERATED = (
    "{a2}7{A3}4{u2}{a3}9{A1}",
    "{a4}x9-{a6}-{a5}Q",
    "4L{d1}3O-NCAQB-0A5IF-9UCX8",
    "II4M6GVV{A1}R4FB7BJ",
)


@pytest.mark.parametrize("form", ["try § there", "wp-admin bob §", "run('§')", "用 § 登录"])
@pytest.mark.parametrize("template", GENERATED)
def test_what_a_program_made_up_needs_no_word(form: str, template: str) -> None:
    """Ordinary lines have no such words; behind the name of an ID or of data they stay."""
    value = fill(template, random.Random(form))
    assert value not in redact(form.replace("§", value))


@pytest.mark.parametrize(
    "form", ["log in as bob, but with § there", "TODO remove: §", "[x]\nbob = §"]
)
def test_a_password_may_have_an_equals_sign_in_it(form: str) -> None:
    """Where digits, signs and letters of both cases alternate, it is no name with its value."""
    value = "Zf9#" + "T3C=U6wV2mjF4#w"
    assert redact(form.replace("§", value)) == form.replace("§", "[redacted:beside]")
    query = "see x?a=B1&c=D2#e and WIDTH_A1=Val#2x and A1b=%2Fc%3AD"
    assert redact(query) is query


@pytest.mark.parametrize(("head", "goes"), [
    ("[admins]", True), ("[http_auth]", True), ("users:", True), ("[paths]", False),
])  # fmt: skip
def test_a_section_of_users_announces_its_values(head: str, goes: bool) -> None:
    """In an INI file the members of a section have no indent."""
    value = "kQ7z" + "m2V4-wRx9"
    text = f"{head}\n{'  ' if head[-1] == ':' else ''}bob = {value}\n"
    assert (value not in redact(text)) is goes


@pytest.mark.parametrize("text", ["id: §", "src/§/x.js", "import §(x)", "v=§", "commit §"])
def test_an_id_of_letters_and_digits_stays(text: str) -> None:
    """So do a path and a name that is called."""
    value = "kQ7z" + "m2VwRx9"
    assert redact(text.replace("§", value)) == text.replace("§", value)


@pytest.mark.parametrize(("text", "goes"), [
    ("la chiave API è §", True), ("klucz API: §", True), ("de sleutel is §", True), ("WPA2 key §", True), ("the token is §", True),
    ("license: §-2", False), ("the tokens of §", False), ("key § of the table", False),
])  # fmt: skip
def test_a_chosen_value_is_the_key_that_a_sentence_says(text: str, goes: bool) -> None:
    """A word with digits behind may be a name, so the word for a key stands right before it."""
    value = "thistle" + "4711"
    assert (value not in redact(text.replace("§", value))) is goes
