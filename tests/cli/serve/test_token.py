"""The token: who has it, and what needs it."""

from __future__ import annotations

import hmac
import os
import stat
from typing import TYPE_CHECKING

import pytest

from cli.serve.token import ENV, Token, new_token
from journal.errors import UsageError
from tests.cli.serve.conftest import OTHER, TOKEN

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Workspace
    from tests.cli.serve.conftest import Asker

TOKENS = {
    "the token": (f"Bearer {TOKEN}", True),
    "lower case scheme": (f"bearer {TOKEN}", True),
    "none": (None, False),
    "empty": ("Bearer ", False),
    "another": ("Bearer not-the-token-of-this-server", False),
    "its beginning": (f"Bearer {TOKEN[:-1]}", False),
    "more than it": (f"Bearer {TOKEN}x", False),
    "other case": (f"Bearer {TOKEN.upper()}", False),
    "other scheme": (f"Basic {TOKEN}", False),
    "alone": (TOKEN, False),
    "not ASCII": (f"Bearer {TOKEN}\xe9", False),
}
WRITES = {
    "/api/obs": {"session": OTHER, "title": "x"},
    "/api/packs": {"sessions": [OTHER]},
}


@pytest.mark.parametrize("path", WRITES)
@pytest.mark.parametrize("name", TOKENS)
def test_every_write_needs_the_token(api: Asker, home: Workspace, path: str, name: str) -> None:
    """Without the exact token: 401, journal unchanged. With it, the write succeeds."""
    given, let = TOKENS[name]
    before = home.segment.read_bytes()
    headers = {} if given is None else {"authorization": given.encode("latin-1")}
    answer = api.ask("POST", path, json=WRITES[path], headers=headers)
    assert answer.status_code == (201 if let else 401)
    assert (home.segment.read_bytes() != before) is let
    if not let:
        assert answer.headers["www-authenticate"] == "Bearer"
        assert set(answer.json()) == {"error", "hint"}


def test_the_token_in_the_address_or_a_cookie_is_none(api: Asker) -> None:
    """A token that a link or another site can make a browser send does not count."""
    body = WRITES["/api/obs"]
    for path, headers in (
        (f"/api/obs?token={TOKEN}", {}),
        (f"/api/obs?authorization=Bearer {TOKEN}", {}),
        ("/api/obs", {"cookie": f"token={TOKEN}; journal-token={TOKEN}"}),
    ):
        assert api.ask("POST", path, json=body, headers=headers).status_code == 401
    assert api.post("/api/obs", body).status_code == 201


def test_a_fresh_token_at_every_start() -> None:
    """All are different, and each is long."""
    tokens = {new_token({}).value for _ in range(50)}
    assert len(tokens) == 50
    assert min(map(len, tokens)) >= 32


@pytest.mark.parametrize(
    ("given", "good"),
    [(TOKEN, True), ("short", False), ("with spaces in the token", False), ("é" * 20, False)],
    ids=["good", "short", "spaces", "not ASCII"],
)
def test_a_token_that_is_given(given: str, good: bool) -> None:
    """The environment may set a token that is long and simple enough."""
    if good:
        assert new_token({ENV: given}).value == given
    else:
        with pytest.raises(UsageError):
            new_token({ENV: given})


def test_the_token_is_of_the_user_alone(tmp_path: Path) -> None:
    """Its file is 0600, replaces an old one, is not written through a link, and is removed."""
    token = Token(TOKEN)
    target = tmp_path / "target"
    target.write_text("mine")
    (tmp_path / "cache").mkdir(0o700)
    (tmp_path / "cache" / "serve-1.token").symlink_to(target)
    path = token.write_file(str(tmp_path), 1)
    page = token.write_page("http://127.0.0.1:1")
    for made_here in (path, page):
        assert stat.S_IMODE(os.lstat(made_here).st_mode) == 0o600
        assert not os.path.islink(made_here)
    assert target.read_text() == "mine"
    token.remove_files()
    assert not os.path.lexists(path)
    assert not os.path.lexists(page)


def test_the_token_is_compared_without_telling_how_much_fits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The library's constant-time comparison decides about right and wrong tokens."""
    asked = []
    real = hmac.compare_digest
    monkeypatch.setattr(hmac, "compare_digest", lambda a, b: asked.append(a) or real(a, b))
    assert Token(TOKEN).matches(TOKEN)
    assert not Token(TOKEN).matches(TOKEN[:-1])
    assert len(asked) == 2
