"""Lines with and without a secret, and bare tokens, that several tests redact."""

from __future__ import annotations

import runpy
from pathlib import Path

LINES = runpy.run_path(str(Path(__file__).with_name("redact_lines.py")))
SECRET: list[tuple[str, str]] = LINES["SECRET"]
KEPT: list[str] = LINES["KEPT"]
GH = "ghp" + "_" + 9 * "FAKE"
BARE = {
    "aws": "AKIA" + "IOSFODNN7EXAMPLE",
    "github": GH,
    "github-pat": "github" + "_pat_" + 11 * "1A" + "_" + 29 * "x9",
    "gitlab": "glpat" + "-" + 10 * "x1",
    "slack": "xoxb" + "-123456789012-1234567890123-" + 12 * "aB",
    "stripe": "sk" + "_live_" + 12 * "4e",
    "anthropic": "sk-" + "ant-api03-FAKE-FAKE-FAKE-FAKE",
    "openai": "sk" + "-proj-" + 12 * "Ab3_",
    "google": "AIza" + "Sy" + 11 * "D-9",
    "npm": "npm" + "_" + 18 * "a1",
    "huggingface": "hf" + "_" + 17 * "aB",
    "jwt": "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0." + 12 * "s1_",
    "telegram": "123456789" + ":AA" + 17 * "x1",
    "digitalocean": "dop" + "_v1_" + 32 * "a1",
}
