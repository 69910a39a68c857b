"""What stands around a secret: schemes of headers, calls, continued lines, other languages."""

# ruff: noqa: RUF001  (full-width signs are part of the texts)
from __future__ import annotations

import random

import pytest

from journal.redaction import redact
from tests.journal.redaction.published import fill
from tests.support.examples import scaled

KEY = "{a40}"
PASSWORD = "Kestrel{d4}!"
PIN = "{d6}"
FORMS = {
    "a scheme of its own": ("Authorization: sso-key §", KEY),
    "a header by index": ("headers['Authorization'] = 'Basic §'", KEY),
    "a continued line": ("curl https://x.invalid/?a=b \\\n-u bob:§", PASSWORD),
    "a call around it": ('let api_key = String::from("§");', KEY),
    "a constructor": ('[Net.NetworkCredential]::new("admin", "§")', PASSWORD),
    "a flag --key": ("agent link --key=§ --host=x.invalid", KEY),
    "a log that says what happened": ("WARN token refreshed: §", KEY),
    "German": ("Der API-Schlüssel lautet §", KEY),
    "French quotes": ("le mot de passe est « § »", PASSWORD),
    "a user of Redis": ("user default on >§ ~* +@all", PASSWORD),
    "a community of SNMP": ("snmp-server community § RO", KEY),
    "a task of Windows": ("schtasks /create /tn a /ru admin /rp §", PASSWORD),
    "a short flag of a cloud": ("az sql server create -n s -u admin1 -p §", PASSWORD),
    "a here-string": ("databricks configure --token <<< §", KEY),
    "a key in place of the user": ("curl -s -u §: https://x.invalid/v1/charges", KEY),
    "an entry with dots": ('<entry key="acme.api.key">§</entry>', KEY),
    "an attribute with a prefix": ('<x android:name="a.API_KEY" android:value="§"/>', KEY),
    "a log that says key": ("[DEBUG] Using acme KEY=§", "{l32}"),
    "a key in YAML": ("key: §", "{l32}"),
    "the one argument of a call": ('mailer = Mailer("§")', "{l32}"),
    "a pair of a request": ('requests.get(url, auth=("§", ""))', KEY),
    "a file made by echo": ('echo "§" > ~/.acme/token', KEY),
    "standard input of any command": ("echo § | acme login --stdin", KEY),
    "a word that takes a secret": ("acme auth §", KEY),
    "a password that was changed": ("password changed to §", PASSWORD),
    "a token that was rotated": ("The token was rotated to §", KEY),
    "a sentence from behind": ("§ is my acme token", KEY),
    "a sentence with a use": ("use § as the acme api key", KEY),
    "a name of a variable behind": ("please store § as ACME_TOKEN", KEY),
    "a key of some issuer": ("acme key - §", KEY),
    "Korean with an issuer": ("acme 키를 §로 설정해줘", KEY),
    "an encoded sign": ("next=%2Fx%3Ftoken%3D§", KEY),
    "signs of a generator": ("the acme api key § expired", "!o09{a8}#k7L^q{d4}"),
    "a value longer than any bound": ("my acme api key is §", "{a300}"),
    "a PIN": ("the PIN for the door is §", PIN),
    "a PIN of a setting": ('"pin_code": "§"', PIN),
    "a PIN of a command": ("pkcs11-tool --login --pin § -O", PIN),
    "a PIN in German": ("Die PIN lautet §", PIN),
    "a PIN in Japanese": ("暗証番号：§", PIN),
    "a PIN in Korean": ("현관 비밀번호 §", PIN),
    "a code from behind": ("§ is your verification code", PIN),
    "a passcode": ("the voicemail passcode is §", PIN),
    "base64 of a command": ("echo -n '§' | base64", PASSWORD),
    "a field of a browser": ("fill_in 'Password', with: '§'", PASSWORD),
    "a call of four": ("$ua->credentials('h:80', 'realm', 'bob', '§')", PASSWORD),
    "a monitor of Redis": ('1700000000.1 [0 10.0.0.5:61] "AUTH" "§"', "thistle{d4}"),
    "a word and a number": ("neighbor 10.0.0.2 password §", "thistle_{d5}"),
    "a key of a router": ("tacacs-server key §", "violet-otter-garage"),
    "a name in brackets, encoded": ("login%5Bpassword%5D=§&commit=1", "thistle{d4}"),
    "a header as a pair": ('{"name":"Authorization","value":"Basic §"}', "{b43}="),
    "a constructor of C++": ('std::string apiKey{"§"};', "{l32}"),
    "a method of Lua": ('redis:auth("§")', "Thistle{d4}?"),
    "a profile of Windows": ("<keyMaterial>§</keyMaterial>", "thistle{d4}"),
    "a list of PHP": ("['auth' => ['bob', '§']]", "KestrelOtter{d3}"),
    "a login of a proxy": ("cache_peer h parent 3128 0 login=bob:§", "thistle{d4}"),
    "base64 that begins with a sign": ("APP_KEYS=§", "+{b42}="),
    "Azure": ("Primary key: §", "{a43}="),
    "Italian from behind": ("uso § come password", "thistle{d4}"),
    "HTML": ("<li>Password: <code>§</code></li>", "thistle{d4}"),
    "an array of C": ('char pass[] = "§";', "thistle{d4}"),
    "a parameter": ('{"ParameterKey":"DbPassword","ParameterValue":"§"}', "thistle{d4}"),
    "words from behind": ("don't commit §, that is the password", "thistle{d4}"),
    "Dutch from behind": ("gebruik § als wachtwoord", "thistle{d4}"),
    "Swedish": ("lösenordet är §", PASSWORD),
    "a here-string of any login": ("createuser -P app <<< '§'", "thistle{d4}"),
    "a password that was left": ("password changed from § today", "thistle{d4}"),
    "the cookie of Erlang": ("RABBITMQ_ERLANG_COOKIE=§", "thistle{d4}"),
    "a file of PPP": ('"bob" * "§" *', "thistle{d4}"),
    "the line below a user": ("user: bob@x.invalid\n§", PASSWORD),
    "letters of a router": ("neighbor 10.0.0.2 password §", "kR{l6}qxzvtrb"),
    "a login that is a token": ("sonar-scanner -Dsonar.login=§", "{h40}"),
    "Redis with a user": ("AUTH worker §", PASSWORD),
    "a sentinel of Redis": ("sentinel auth-pass mymaster §", PASSWORD),
    "a call of Redis": ("await redis.auth('§')", PASSWORD),
    "a fork of Redis": ("valkey-cli -a '§' ping", PASSWORD),
    "a flag with a dot": ("arangosh --server.password §", PASSWORD),
    "a flag with an underscore": ("linode-cli linodes create --root_pass '§'", PASSWORD),
    "a flag --pw": ("mosquitto_sub --pw § -t x", PASSWORD),
    "a flag --auth": ("netlify deploy --auth §", KEY),
    "the login of any tool": ("cf login -u bob -p §", PASSWORD),
    "configure set of any tool": ("acme configure set api-token §", KEY),
    "a login with and": ("log in with bob and §", PASSWORD),
    "a neighbor of a router": ("neighbor 10.0.0.2 password §", PASSWORD),
    "a key of OSPF": ("ip ospf message-digest-key 1 md5 §", PASSWORD),
    "a chat service": ("/msg NickServ identify §", PASSWORD),
    "a connection of three texts": ('pymysql.connect("host", "app", "§", "db")', PASSWORD),
    "an encrypted database": ("PRAGMA key = '§'", PASSWORD),
    "a user of a database": ("db2 connect to sample user app using §", PASSWORD),
    "a token of LDAP": ("ldap_default_authtok = §", PASSWORD),
    "a name with an owner": ("remotepass = §", PASSWORD),
    "a command that prints it": ("export BORG_PASSCOMMAND='echo §'", PASSWORD),
    "a here-string of Samba": ("saslpasswd2 -p -c bob <<< §", PASSWORD),
    "a question mark at its end": ("db.pass=§", "Dragon{d4}?"),
    "bytes of a text": ('var secret = []byte("§")', "thistle{d4}"),
    "a key of a text": ('EncodingKey::from_secret("§".as_ref())', "thistle{d4}"),
    "a key of bytes": ('SecretKeySpec("§".getBytes(), "HmacSHA256")', "thistle{d4}"),
    "a flag of a list": ('args: ["--requirepass", "§"]', "thistle{d4}"),
    "a switch with a privilege": ("username bob privilege 15 secret 0 §", PASSWORD),
    "standard input of another user": ("echo '§' | su -c id root", "thistle{d4}"),
    "a form": ('Content-Disposition: form-data; name="password"\n\n§\n--x', "thistle{d4}"),
    "a long code": ("recovery code: §", "{h40}"),
    "a genitive": ("My password's §", "thistle{d4}"),
    "Spanish from behind": ("usa § como contraseña", "thistle{d4}"),
    "a change in Spanish": ("cambia la contraseña a §", "thistle{d4}"),
    "words of a secret": ('jwt_secret = "§"', "violet otter garage thistle"),
    "words of a tunnel": (': PSK "§"', "violet otter garage thistle"),
    "words of a key": ("the passphrase of the key is §", "violet otter garage thistle"),
    "a user and a password": ("credentials are bob and §", "thistle{d4}"),
    "a request of a login": ('new LoginRequest("bob@x.invalid", "§")', "thistle{d4}"),
    "a hash of a framework": ("Hash::make('§')", "thistle{d4}"),
    "a list without quotes": ("args: [tool, --password, §]", "thistle{d4}"),
    "the right one": ("check whether § is the right password", "thistle{d4}"),
    "French with a slash": ("connecte-toi avec bob / §", PASSWORD),
    "a key in camel case": ('{"JwtKey": "§"}', "{l16}"),
    "a qualifier in camel case": ('"SecretString": "§"', "Thistle{d4}*"),
    "an equals sign at the end": ("host=x user=bob password=§= dbname=x", "Thistle{d4}"),
    "an equals sign within": ("ADMIN_PASSWORD: §", "y3{a6}=gNWa"),
    "a default of a shell": ('local password="${1:-§}"', "thistle{d4}"),
    "a member between name and value": (
        '"Name": "/prod/db_password", "Type": "SecureString", "Value": "§"',
        "thistle{d4}",
    ),
    "words in a block": ("passphrase: |-\n    §", "violet otter garage thistle"),
    "items of a mapping": ("secrets:\n  - name: db\n    value: §", "{a4}7qT{a4}"),
    "a pipe in a trace": ("++ echo §\n++ docker login --password-stdin", PASSWORD),
    "arguments of curl": ("Popen(['curl', '-u', 'bob:§', 'https://x'])", "thistle{d4}"),
    "any flag for a user": ('tunnel --basic-auth="bob:§"', "{a16}"),
    "a text file made by echo": ('echo "§" > token.txt', "{h40}"),
    "base64 in a URL": ("https://x/f?Signature=§%3D&Key-Pair-Id=K1", "{a20}%2B{a22}"),
    "base64 before a host": ("ss://§==@10.0.0.1:8388", "{a30}"),
    "the second argument": ('db.auth("bob", "§")', "Thistle{d4}_"),
    "a function of a path": ('let key = hex::decode("§").unwrap();', "{h64}"),
    "words and a number": ("hasło to §", "violet_otter_117"),
    "words and a number in a flag": ("tool --password=violet.§ up", "otter_117"),
    "a file of a command": ("$ aws get --query SecretString\n§", "Plum.orbit73"),
    "credentials in brackets": ("LoginException: bad credentials (bob/§)", PASSWORD),
    "an address that is the key": ("https://eth-mainnet.g.alchemy.com/v2/§", KEY),
}
ORDINARY = (
    "Authorization: sso-key is one of the schemes",
    '"AWS::IAM::AccessKey": "72c2d9dd90025459"',
    '"GroupId": "cg_2whCJoXMYCjHcxaLGrkllvyABC", --resource-id r-7afe0efbade843a58cdc10251fce992c',
    "tool --key=name-of-the-row --partition-key user_id",
    "WARN token refreshed: the session goes on",
    "user default on the first line of the file",
    'let name = String::from("the api key");',
    "curl -u alice_of_the_team_2: https://x.invalid",
    "key: node-modules-v2-linux-x64-of-the-build",
    'commit = Commit("5f3c9a7b1e2d4c6f8a0b5f3c9a7b1e2d4c6f8a0b")',
    'id = UserId("Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9St0")',
    "echo 5f3c9a7b1e2d4c6f8a0b5f3c9a7b1e2d4c6f8a0b > VERSION",
    "login some_user_of_the_team_number_2",
    "this is my third token of the 12 in the list",
    'toggle_key = "Ctrl+Shift+F12"',
    "the primary key is kR7vQ2mX9pL4sT8wY1zB3nC6",
    "acme 키를 눌러 주세요",
    "password reset to be sent by mail; token set to expire in 2h",
    "pin: 13, GPIO pin = 27, spin 4711, pins: 4711, PIN 2024-11-03, opt pin=1234567890",
    "the pin on the board is 1300 mV", "otp: 27.3.1, OTP 27", "パスワードは2024年に変更", "비밀번호 8자리",
    "error code is 4011", "Passcode: 4 digits", "404 is the error code of the security check",
    "user.login=octocat, login=some_user_of_the_team", "ROLE_ID=9e885e94-6a47-427d-a0ac-20d2de320627",
    "echo hello | base64", 'x = "a" * "b1" + c', "name: PassThroughProp",
    "user: bob\nsecond2 line", "<b>Password:</b> <i>required</i>", "the value, that is the password field",
    "AUTH LOGIN CRAM-MD5", "auth required pam_unix2.so", "redis.auth('user')",
    "gh auth login --hostname git.invalid -p https", "gcloud config set project my-proj2",
    "secret: Int32? = null, password = parent.value?", "log in with Google and Twitter",
    'signal.connect("clicked", "run", "done")', "neighbor 10.0.0.2 password is missing",
    "--server.passes 12 --root_path /x/2", "connect to the user using port 5432",
    'var key = []byte("the text of a file")', "The password's length is 12", "la contraseña en mysql",
    'secret = "name of the secret in vault"', "credentials are bob and ann, creds for the team2",
    'name="password"\n\n', "recovery codes are in vault7",
    "public_key: ed25519.Ed25519PublicKey", 'sortKey: "name2"', "password: str='', x: Int32=5",
    "password_encryption = scram-sha-256", "$ ls secrets\nvalues1.yaml", "token = x.y_12(z)",
    "password = settings.layer_name", '"passwordField": "username2"',
    "passwords updated to bcrypt, token changed to auth_token2 in api.py",
)  # fmt: skip


@pytest.mark.parametrize(("form", "template"), FORMS.values(), ids=FORMS)
def test_a_secret_goes_by_what_stands_around_it(form: str, template: str) -> None:
    """Random values in each form: nothing of them stays."""
    source = random.Random(form)
    for _ in range(scaled(20, 6)):
        secret = fill(template, source)
        assert secret[-12:] not in redact(form.replace("§", secret))


def test_the_same_words_without_a_secret_stay() -> None:
    """A name of a scheme, of a row or of a user is no secret."""
    assert [text for text in ORDINARY if redact(text) is not text] == []


def test_padded_base64_that_begins_with_a_slash_is_no_path() -> None:
    """A key of 64 bytes begins with `/` once in 64 times."""
    key = "/" + fill("{a40}+{a44}", random.Random(3)) + "=="
    assert key not in redact(f'"STORAGE_ACCOUNT_KEY": "{key}"')
    path = '"ACCOUNT_KEY": "/srv/keys/of/the/storage/account"'
    assert redact(path) is path
