"""Public lines for measuring redaction: (text, its secret) pairs, and texts that must stay.

Every secret is invented and joined from pieces, so that scanners of source code stay silent.
"""

# ruff: noqa: RUF001, Q003  (full-width signs are part of the lines)
from __future__ import annotations

A = 20 * "a1B2"
HEX = 8 * "0a1b2c3d"
PW = "hunt" + "er2"
STRONG = "S3cr" + "et!pass"
GHP = "ghp" + "_" + A[:36]
JWT = "eyJ" + "hbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxMjM0In0." + A[:43]
AKID = "AKIA" + "IOSFODNN7EXAMPLE"
AWS = "wJalrXUtnFEMI/" + "K7MDENG/bPxRfiCYEXAMPLEKEY"
PEM = "MIIEpAIBAAKCAQEA" + A[:48]
SLACK = "xoxb" + "-123456789012-1234567890123-" + A[:24]
HOOK = "T00000000/" + "B00000000/" + A[:24]


def _same(*texts: str) -> list[tuple[str, str]]:
    return [(text, text) for text in texts]


SECRET: list[tuple[str, str]] = [
    # tokens with a prefix of their own
    *_same(
        AKID, "ASIA" + "Y34FZKBOKMUTVV7A", GHP, "gho" + "_" + A[:36], "ghu" + "_" + A[:36],
        "ghs" + "_" + A[:36], "ghr" + "_" + A[:36], "github" + "_pat_" + A[:22] + "_" + A[:59],
        "glpat" + "-" + A[:20], "gldt" + "-" + A[:20], SLACK, "xoxp" + "-1234567890-1234567890-" + HEX[:32],
        "xapp" + "-1-A012345-1234567890-" + HEX, "sk" + "_live_" + A[:24], "rk" + "_live_" + A[:24],
        "sk" + "_test_" + A[:24], "whsec" + "_" + A[:32], "sk" + "-ant-api03-" + A[:80] + "-xAA",
        "sk" + "-ant-oat01-" + A[:60], "sk" + "-ant-api03-FAKE-FAKE-FAKE-FAKE", "sk" + "-" + A[:48],
        "sk" + "-proj-" + A[:40] + "_x-" + A[:20], "sk" + "-svcacct-" + A[:40], "sk" + "-or-v1-" + HEX,
        "AIza" + "Sy" + A[:33], "ya29" + ".a0Af" + A[:60], "GOCSPX" + "-" + A[:28], "npm" + "_" + A[:36],
        "pypi-" + "AgEIcHlwaS5vcmc" + A[:70], "hf" + "_" + A[:34], "SG" + "." + A[:22] + "." + A[:43],
        "SK" + HEX[:32], "123456789" + ":AA" + A[:33], "dop" + "_v1_" + HEX, "doo" + "_v1_" + HEX, JWT,
        "MTIz" + "NDU2Nzg5MDEyMzQ1Njc4." + "GaBcDe." + A[:38],
    ),
    (f"https://discord.com/api/webhooks/123456789012345678/{A[:68]}", A[:68]),
    (f"curl -X POST https://hooks.slack.com/services/{HOOK}", HOOK),
    (f"see {GHP}.", GHP),
    (f"我的密钥是{GHP}，请保存", GHP),
    # AWS, Azure
    (f"aws_secret_access_key = {AWS}", AWS),
    (f"AWS_SECRET_ACCESS_KEY={AWS}", AWS),
    (f'"SecretAccessKey": "{AWS}"', AWS),
    (f"AWS Secret Access Key [None]: {AWS}", AWS),
    (f"DefaultEndpointsProtocol=https;AccountName=x;AccountKey={A[:70]}==;EndpointSuffix=y", A[:70]),
    (f"Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey={A[:43]}=", A[:43]),
    (f"https://x.blob.core.windows.net/c?sv=2022&sig={A[:40]}%3D&se=2024", A[:40]),
    # private keys
    ("-----BEGIN " + f"RSA PRIVATE KEY-----\n{PEM}\n-----END RSA PRIVATE KEY-----", PEM),
    ("-----BEGIN " + f"PRIVATE KEY-----\n{PEM}\n{PEM}", PEM),
    ("-----BEGIN " + f"OPENSSH PRIVATE KEY-----\\n{PEM}\\n-----END OPENSSH PRIVATE KEY-----", PEM),
    ("-----BEGIN " + "EC PRIVATE KEY-----\nMHcCAQEEIP", "MHcCAQEEIP"),
    ("-----BEGIN " + f"PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n{PEM}\n-----END", PEM),
    # addresses
    (f"postgres://app:{PW}@db.invalid:5432/x", PW),
    (f"redis://:{PW}@cache:6379/0", PW),
    (f"mongodb+srv://root:{STRONG}@cluster0.invalid/?retry=true", STRONG),
    ("git clone https://oauth2:" + A[:20] + "@git.invalid/x.git", A[:20]),
    ("git clone https://" + HEX[:40] + "@git.invalid/x.git", HEX[:40]),
    ("DATABASE_URL=mysql://root:" + "toor@localhost/db", "toor"),
    # headers
    (f"Authorization: Bearer {A[:32]}", A[:32]),
    (f"authorization: bearer {A[:24]}", A[:24]),
    ("Authorization: Basic " + "dXNlcjpwYXNzd29yZA==", "dXNlcjpwYXNzd29yZA"),
    ("'Authorization': 'Basic " + "dXNlcjpwYXNz'", "dXNlcjpwYXNz"),
    (f'{{"Authorization": "token {HEX[:40]}"}}', HEX[:40]),
    (f"-H 'X-Api-Key: {A[:20]}'", A[:20]),
    (f"PRIVATE-TOKEN: {A[:20]}", A[:20]),
    # commands
    (f"tool login --password {PW}", PW),
    (f"tool --password={PW} run", PW),
    (f"tool --password '{STRONG}'", STRONG),
    ("tool --password " + "swordfish --user bob", "swordfish"),
    (f"tool --token={A[:16]}", A[:16]),
    (f"tool --token {A[:16]}", A[:16]),
    (f"tool --api-key {A[:16]} list", A[:16]),
    (f"tool --client-secret {A[:16]}", A[:16]),
    (f"mysql -u root -p{PW} shop", PW),
    (f"mysqldump -h db -p'{STRONG}' shop", STRONG),
    (f"sshpass -p {PW} ssh bob@h", PW),
    (f"docker login -u bob -p {STRONG} r.invalid", STRONG),
    (f"redis-cli -h cache -a {PW} ping", PW),
    (f"curl -u bob:{PW} https://h/x", PW),
    (f'curl -sS --user "bob:{STRONG}" https://h/x', STRONG),
    (f"openssl rsa -in k.pem -passin pass:{PW}", PW),
    (f"keytool -storepass {PW} -list", PW),
    (f"machine h login bob password {PW}", PW),
    (f"ALTER USER bob IDENTIFIED BY '{PW}'", PW),
    # assignments
    (f"password={PW}", PW),
    (f"password: {PW}", PW),
    (f"Password: {STRONG}", STRONG),
    (f"passwd: {PW}", PW),
    (f"PGPASSWORD={PW} psql -h db", PW),
    ("PGPASSWORD=" + "postgres psql -h db", "postgres"),
    (f"export FOO_TOKEN={A[:20]}", A[:20]),
    (f"DB_PASS={PW}", PW),
    (f"MYSQL_ROOT_PASSWORD: {PW}", PW),
    ("docker run -e POSTGRES_PASSWORD=" + "mysecretpassword pg", "mysecretpassword"),
    (f'password = "{PW}"', PW),
    (f"  password: '{STRONG}'", STRONG),
    (f'const apiKey = "{A[:24]}";', A[:24]),
    (f'"api_key": "{A[:24]}"', A[:24]),
    (f"'client_secret': '{A[:24]}'", A[:24]),
    (f"secret_key = '{STRONG}{PW}'", STRONG),
    (f'SECRET_KEY = "django-insecure-{A[:30]}"', A[:30]),
    (f"access_token={A[:30]}&expires=3600", A[:30]),
    (f'{{\\"refresh_token\\":\\"{A[:30]}\\"}}', A[:30]),
    (f"//registry.invalid/:_authToken={A[:30]}", A[:30]),
    (f"String dbPassword = \"{PW}\";", PW),
    (f"spring.datasource.password={PW}", PW),
    (f'os.environ["API_TOKEN"] = "{A[:24]}"', A[:24]),
    (f"Server=db;User Id=sa;Password={STRONG};", STRONG),
    (f"$config['password'] => '{PW}'", PW),
    (f"<password>{PW}</password>", PW),
    ("docker run -e MYSQL_ROOT_PASSWORD=" + "my-secret-pw db", "my-secret-pw"),
    ("PGPASSWORD='" + "correct horse' psql", "correct horse"),
    (f"define('DB_PASSWORD', '{PW}');", PW),
    (f'config.setPassword("{PW}")', PW),
    (f"SECRET_KEY_BASE={HEX}", HEX),
    (f"aws configure set aws_secret_access_key {A[:40]}", A[:40]),
    (f"Cookie: session={A[:32]}; theme=dark", A[:32]),
    ("hvs" + "." + A[:24], "hvs" + "." + A[:24]),
    (f"#define PASSWORD \"{PW}\"", PW),
    ("password=p\u00e4ss" + "w0rd", "p\u00e4ss" + "w0rd"),
    (f"密码是{PW}", PW),
    (f"密码：{PW}", PW),
    (f"パスワード: {PW}", PW),
]  # fmt: skip

KEPT: list[str] = [
    # code that handles secrets
    "token_x = parser.next(3)", "password = getpass()", "password: str", "secret=$SECRET",
    "token=<your token>", "password=None", "def login(user: str, password: str) -> Token:",
    "password = os.environ['DB_PASSWORD']", 'token = os.getenv("GITHUB_TOKEN")',
    "const token = await getToken();", "this.password = password;", "self.token = token",
    "login(user=user, password=password)", "client = Client(api_key=settings.api_key)",
    "secret := os.Getenv(name)", "let token = tokens.next()?;", "if (token == null) return;",
    "if password != confirm:", "token = next(tokens)", "tokens = text.split()", "max_tokens=4096,",
    '"max_tokens": 1024, "total_tokens": 15000', "input_tokens=9763905 output_tokens=211031",
    "token: string;", "password?: string;", "accessToken: string | null", "type Token = { kind: string }",
    'kind: "token", token: "identifier"', "enum { TOKEN = IDENT }", "tokenizer = AutoTokenizer()",
    "pad_token = '[PAD]'", 'eos_token="<|endoftext|>"', "case Token::Plus => 1,", "password_hash = hash(password)",
    "secrets.token_hex(16)", "from secrets import token_urlsafe", "password = request.form.get('password')",
    "req.body.password", "api_key = config['api_key']", "apiKey: process.env.API_KEY,",
    "token = f'{prefix}{n}'", "password=password1_field", "secret_name = 'app-secret'",
    "secretKeyRef: {name: db-secret, key: password}", "secretName: tls-cert-2024", "token = match.group(1)",
    "token = tok2", "for key, secret in pairs: pass", "private_key = load_pem(path)",
    "private_key_path = 'keys/id.pem'", "auth_key=None", "access_key=...", "credentials: 'include'",
    "pass", "passes: 12", "bypass=true1234", "compass: north1", "PASS: test_login2", "pwd=/home/dev/x",
    "PWD=/home/dev/project2", "key: value1234", "primary_key=True", "sort_key = row2key",
    "<input type=\"password\" name=\"password\" placeholder=\"Password\">", 'label="Password:"',
    '"password": "Enter your password"', '"token_type": "Bearer"', "grant_type=password&scope=all",
    "next_page_token=" + A[:24], "password = ''", 'password: ""', "password: '********'", "token=xxxxxxxx",
    "password: required", "token: expired", "secret: true", "API_KEY=your-api-key-here",
    "TOKEN=${{ secrets.TOKEN }}", "password: ${DB_PASSWORD}", "password = var.db_password",
    "password: {{ .Values.password }}", "PASSWORD=$(cat /run/x)", "export TOKEN=$GITHUB_TOKEN",
    "DB_PASSWORD_FILE=/run/secrets/db1", "password=%s", "password=%(pw)s", 'token = "Token %s"',
    "secret=/run/secrets/app_1", "TOKEN_LIMIT=200000", "token_count: 12345678", "assert token == 'EOF'",
    'fields = ["password", "username1"]', "split_password('user1:pw')", "pass_value('str1')",
    'EXPECTED = ("token", "identifier1")', "getpass('Password 2: ')", "cookie: name=value",
    "Cookie: accept all", "def set_password(self, value: str) -> None:", 'ERROR_PASSWORD="Wrong password"',
    "it('rejects a wrong password', async () => {", 'expect(screen.getByLabel("password"))',
    "password_validators = [MinLength(8)]", "SELECT password, token FROM users WHERE id = 12",
    "password VARCHAR(255) NOT NULL", "ALTER TABLE users ADD COLUMN token text", "token_urlsafe(32)",
    "const [password, setPassword] = useState('')", "<Input.Password value={password} />",
    "@Value(\"${app.secret}\") String secret", "secret: !Ref DbSecret1", "password: !vault |",
    "passwordFrom: secretRef", "auth: { token: ctx.token1 }", "data.token?.value2", "token->next2",
    "std::string token = tokens[1];", "char *password = NULL;", "Token token = lexer.peek2();",
    "password.length >= 8", "if password is None or len(password) < 8:", "x.password = y.password2",
    # commands
    "tool --password-stdin < file1", "tool --password-file /run/x1", "tool --token $TOKEN",
    "tool --token <token>", "  --token string   the token to use", "  --password PASSWORD  log in with it",
    "use --password to be asked for it", "the --token flag is required", "--max-tokens 4096", "mkdir -p src/app1",
    "mysql -u root -p shop", "ssh -p 2222 bob@h", "docker run -p 8080:80 nginx", "cp -pr a1 b1",
    "curl -u $USER:$PASS https://h/x", "curl -sSL https://h/x:1 | sh", "python -m pytest -k token",
    "git log --grep='password'", "grep -rn 'password' src | head -20", "rg token= --type py",
    # headers, addresses
    "Authorization: Bearer $TOKEN", "Authorization: Bearer <token>", "Authorization: required",
    "Bearer authentication is used", "headers['Authorization'] = `Bearer ${token}`",
    'f"Bearer {self.token}"', "Basic auth: see RFC 7617", "https://host.invalid:8080/@scope/pkg@1.2.3",
    "https://user@host.invalid/x", "git@github.com:org/repo.git", "ssh://git@host:22/x.git",
    "postgres://$USER:$PASS@db/x", "postgres://user:<password>@db/x", "http://[::1]:3048/x",
    "https://medium.invalid/@name/post-1234567890",
    # things that look random
    "commit 310fb2a9c1e2d3f4a5b6c7d8e9f0a1b2c3d4e5f6", "123e4567-e89b-42d3-a456-426614174000",
    "sha256:" + HEX, "integrity sha512-" + A[:80] + "==", "etag: W/\"" + HEX[:32] + '"',
    "session 0b9f8a7c-1111-4222-8333-abcdefabcdef ended", "0x7ffee4b2a1c0", "base64: aGVsbG8gd29ybGQ=",
    "risk-free, task-runner, disk-usage, desk-lamp, task-3f2a1b4c5d6e7f8a9b0c", "sk-fading-circle",
    "sk-toggleable__content", "highp_precision", "npm_config_registry npm_package_version",
    "hf_hub_download", "AKIA is the prefix of key ids", "eyJ is how they start", "pypi-upload", "SG.mail.send",
    # prose and logs
    "The password must have 8 characters and a digit.", "Forgot your password? Reset it here: settings",
    "Invalid password: 3 attempts left", "login failed for user bob: wrong password",
    "secret: a thing that nobody knows", "The token budget is 200000; tokens used: 15000.",
    "Tokens: 1,234,567 (12.3 %)", "2026-11-21T21:40:17Z INFO token refreshed in 12ms",
    "ERROR auth: token: invalid signature", "3 passed, 1 failed in 0.12s", "password: see the vault",
    "请在设置页面输入密码，然后点击登录。", "密码：至少8位", "密码不能为空", "该函数返回一个 token，用于后续请求。",
    "token：表示访问令牌", "パスワードを入力してください。", "秘密鍵は表示しません：注意", "비밀번호를 잊으셨나요?",
    "口令：由管理员发放", "令牌数量：15000", "api_key：必填，字符串类型", "密码=$PASSWORD",
]  # fmt: skip
