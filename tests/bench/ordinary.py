"""Ordinary lines of this machine, by kind: what redaction should leave alone.

Installed packages, system files, documentation, data files, messages of commits, and prompts as
developers write them to an assistant. The files are taken in the order of a checksum of their
paths, so a part of a kind is a sample of it.
"""

# ruff: noqa: RUF001  (full-width signs are part of the prompts)
from __future__ import annotations

import gzip
import random
import subprocess
import sysconfig
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 400  # characters; longer lines are those of minified files
BLOCK = 40  # lines of a text
_PACKAGES = (sysconfig.get_path("purelib"), "/usr/lib/python3")
_MODULES = ("/usr/lib/node_modules", str(ROOT / "tests" / "e2e" / "node_modules"))
_SYSTEM = ("/usr/include", "/usr/share/perl", "/usr/share/perl5", "/usr/share/bash-completion")
_DOCUMENTS = ("/usr/share/doc", "/usr/share/man")
# kind: folders, and how the names of files end
KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "Python packages": (_PACKAGES, (".py", ".pyi")),
    "JavaScript packages": (_MODULES, (".js", ".mjs", ".cjs", ".ts", ".mts")),
    "system sources": (_SYSTEM, ("",)),
    "documentation": ((*_DOCUMENTS, *_PACKAGES, *_MODULES), (".gz", ".md", ".rst", ".txt")),
    "data files": ((*_PACKAGES, *_MODULES), (".json", ".yaml", ".yml", ".toml", ".lock", ".cfg")),
}
_PROMPTS = """
why does {path} fail with a 401 when the token in the header is expired?
the tests in {path} broke after {sha}, can you bisect?
revert {sha} and keep the change to {path}
cherry-pick {sha} onto release/{version}
add a field apiKey to {class} and read it from the environment
rename getToken() to {function}() in {path}
the session {uuid} has no end event, look why
what does {class}.{function} do with the password it gets?
we hash passwords with argon2id; should {function} use a salt per user?
update {package} to {version} and regenerate the lock file
the model is {model}, max_tokens {number}, temperature 0.2
switch from {model} to {model} and compare the cost per 1000 tokens
user {number} sees "invalid credentials" although the password is correct
please write a migration that drops the column password_hash from {table}
the primary key of {table} should be ({table}_id, created_at)
sort key and partition key of the table are {table}_id and region
where do we store the refresh token? I think in {path}
{path}:{number} logs the whole request, make sure it never logs the secret
move the secret to the vault and read it as ${{{upper}}} in the workflow
set {upper} in the CI settings, not in the file
explain the error: KeyError: 'token' in {path}, line {number}
ERROR {class}: token expired at {time}
the digest of the image is sha256:{digest}
etag "{digest}" does not match after the upload
npm prints integrity sha512-… for {package}@{version}, is that a problem?
request id {uuid}, trace {trace}, please find it in the logs
docker image ghcr.io/acme/app@sha256:{digest} starts but {function} times out
open https://docs.example.com/api/{package}/authentication and follow the steps for tokens
my login works on staging but not on prod since {version}
create a form with email, password and "remember me", with labels
the password must have at least {number} characters, one digit and one sign
make the test for "wrong password" independent of the clock
use the token from the keyring; never print it
the tokenizer of {model} splits {function} into 4 tokens
key {function} is missing in {path}
generate a random key in the test with secrets.token_hex(16)
the cache key is f"{table}:{{user_id}}:{{page}}"
does {class} compare the tokens in constant time?
run {package} {version} with --token-file instead of --token
the public key is in {path}, the private key stays on the server
press the key {upper} to continue does not work in the terminal
why is {upper}_KEY undefined in {class}?
I get `{class}Error: bad signature` for commit {sha}
branch feature/{table}-{number}-{function} is behind main by {number} commits
the cookie has SameSite=Lax, should it be Strict for {path}?
translate "Enter your password" and "Forgot password?" in {path}
wifi drops on the test device {package}-{number}, ignore that failure
/compact keep the decisions about {class} and token refresh
id {uuid} appears twice in {table}, keep the one with checksum {digest}
bump {package} {version} -> {version} (security fix for token handling)
{model} answers slower than {model} on {function}, show tokens per second
see {path} at {sha}, the function {function} swallows the AuthenticationError
PIN the version of {package} to {version}
the OTP screen should accept paste; the code has {number} digits
our login page loads {package}.{trace}.js twice
パスワードのリセット画面で{function}が呼ばれない
トークンの有効期限を{number}秒にしたい（{path}）
비밀번호 변경 화면에서 {class} 오류가 납니다
토큰 갱신은 {function}에서 처리해줘
Das Passwort-Feld in {path} verliert den Fokus
der Token läuft nach {number} Sekunden ab, bitte in {class} erneuern
密码重置页面调用{function}时报错
令牌过期后{class}没有刷新，看一下{path}
""".strip().splitlines()
_WORDS = "order invoice user session event report payment profile message upload".split()
_PARTS = "Client Store Parser Handler Service Manager Tokenizer Provider Config Router".split()
_MODELS = """claude-opus-4-1-20250805 claude-sonnet-4-5-20250929 gpt-4o-2024-08-06 Qwen2.5-7B-Instruct
HunYuanMoEV1ForCausalLM Llama-3.1-70B-Instruct mixtral-8x7b-32768 text-embedding-3-small""".split()
_NAMES = "requests fastapi react vite ruff pytest lodash next eslint pydantic sqlalchemy".split()


def prompts(count: int = 2000) -> list[str]:
    """Return made-up prompts about tokens, keys, passwords, hashes and ids, without a secret."""
    drawn = random.Random(7)
    return [drawn.choice(_PROMPTS).format(**_fillers(drawn)) for _ in range(count)]


def _fillers(drawn: random.Random) -> dict[str, str]:
    def digits(size: int) -> str:
        return f"{drawn.getrandbits(4 * size):0{size}x}"

    def version() -> str:
        return f"{drawn.randrange(9)}.{drawn.randrange(40)}.{drawn.randrange(20)}"

    word, part = drawn.choice(_WORDS), drawn.choice(_PARTS)
    return {
        "sha": digits(drawn.choice((7, 8, 10, 40))),
        "digest": digits(64),
        "trace": digits(drawn.choice((8, 16, 32))),
        "uuid": "-".join(map(digits, (8, 4, 4, 4, 12))),
        "path": f"src/{word}/{drawn.choice(_WORDS)}_{part.lower()}.{drawn.choice(('py', 'ts'))}",
        "class": word.title() + part,
        "function": f"{drawn.choice(('get', 'refresh', 'parse', 'handle'))}{word.title()}{part}",
        "table": f"{word}s",
        "upper": f"{word}_{part}".upper(),
        "package": drawn.choice(_NAMES),
        "version": version(),
        "model": drawn.choice(_MODELS),
        "number": str(drawn.randrange(2, 4000)),
        "time": f"2026-0{drawn.randrange(1, 9)}-1{drawn.randrange(9)}T0{drawn.randrange(9)}:14:07Z",
    }


def texts(kind: str, most: int, skip: int = 0) -> Iterator[list[str]]:
    """Yield blocks of lines of a kind: about `most` lines behind the first `skip` ones."""
    folders, ends = KINDS[kind]
    files = {
        path
        for folder in folders
        for path in Path(folder).rglob("*")
        if path.name.endswith(ends) and ".min." not in path.name and path.is_file()
    }
    count = 0
    for path in sorted(files, key=lambda path: (zlib.crc32(str(path).encode()), path)):
        lines = _lines(path)
        if count >= skip:
            for at in range(0, len(lines), BLOCK):
                yield lines[at : at + BLOCK]
        count += len(lines)
        if count >= skip + most:
            return


def commits(root: Path = ROOT) -> list[list[str]]:
    """Return the messages of a repository's commits, in blocks of lines."""
    command = ["git", "-C", str(root), "log", "--format=%B"]
    text = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    lines = _ordinary(text)
    return [lines[at : at + BLOCK] for at in range(0, len(lines), BLOCK)]


def _lines(path: Path) -> list[str]:
    """Return the lines of a file that are not empty, long or marked as private; at most 2,000."""
    try:
        raw = path.read_bytes()[:2_000_000]
        text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    except (OSError, EOFError, UnicodeDecodeError, zlib.error):
        return []
    return _ordinary(text)[:2000]


def _ordinary(text: str) -> list[str]:
    lines = text.splitlines()
    return [n for n in lines if n.strip() and len(n) <= LONGEST and "private>" not in n]
