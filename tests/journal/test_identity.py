"""The identity of a journal home, and the normalized names of repositories."""

from __future__ import annotations

import json
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal.errors import JournalError
from journal.identity import (
    identity_of,
    make_identity,
    normalized,
    remember_repo,
    repo_of,
    save_epochs,
    stored_repo,
)
from tests.support.rows import each

SAME = (
    "git@github.com:Shop/Cart.git", "ssh://git@github.com/shop/cart", "ssh://git@ssh.github.com:443/shop/cart.git",
    "https://github.com/shop/cart", "https://GitHub.com/Shop/Cart.git/", "git://github.com//shop/cart.git",
    "https://ann:hunter2@github.com/shop/cart", "https://oauth2:a@b@github.com:443/shop/cart?x=1#y",
    "git+ssh://git@github.com:22/shop/cart.git", "  github.com:shop/cart ",
)  # fmt: skip
OTHER = {
    "git@git.example.com:Team/sub/Cart.git": "git.example.com/Team/sub/Cart",
    "https://git.example.com:8443/Team/Cart": "git.example.com/Team/Cart",
    "work:o/n": "work/o/n",
    "ssh://git@[::1]:22/a/b": "[::1]/a/b",
    "nas:/home/ann/repos/shop.git": "nas/shop",
    "ssh://nas/Users/ann/shop": "nas/shop",
    "https://git.example.com/scm/TEAM/cart.git": "git.example.com/TEAM/cart",
    "ssh://git@git.example.com:7999/TEAM/cart.git": "git.example.com/TEAM/cart",
    "https://git.example.com/Team/Cart/.git": "git.example.com/Team/Cart",
    "git@ssh.dev.azure.com:v3/Shop/web/Cart": "dev.azure.com/shop/web/cart",
    "https://ann@dev.azure.com/Shop/web/_git/Cart": "dev.azure.com/shop/web/cart",
}
NONE = ("", "/srv/git/x.git", "../x", "./x:y", "file:///home/ann/x", "C:\\work\\x", "C:/work/x", "\\\\nas\\x",
        "https://github.com", "https://github.com/", "ext::sh -c x", "s3://bucket/x", "h:a/../b",
        "https://h/a b", "https://h/a\nb", "h:" + "x" * 300)  # fmt: skip


@each("url", SAME)
def test_all_ways_to_write_a_remote_give_one_name(url):
    """Protocol, user, password, port, case and the .git ending make no difference."""
    assert normalized(url) == "github.com/shop/cart"


@each("url", OTHER)
def test_other_hosts_keep_their_case(url):
    """Only known hosts ignore case; a server's own folders are not part of the name."""
    assert normalized(url) == OTHER[url]


@each("url", NONE)
def test_a_path_is_no_repository(url):
    """A local path, or any other text that is no remote, has no name."""
    assert normalized(url) == ""


@given(st.text(max_size=40), st.text(alphabet="abc", min_size=1))
def test_no_credentials_are_left(user, password):
    """User and password are left out, and a normalized name is normalized to itself."""
    found = normalized(f"https://{user}:{password}X9@github.com/shop/cart")
    assert f"{password}X9" not in found
    assert normalized(f"https://{found}") == found


def checkout(top, config: str):
    """Make a checkout with a git configuration; return it."""
    (top / ".git").mkdir(parents=True)
    (top / ".git" / "config").write_text(config)
    return top


def test_the_remote_origin_counts(tmp_path):
    """The name is that of the remote `origin`, else of the first; without a remote it is empty."""
    fork = '[remote "fork"]\n\turl = git@github.com:me/cart\n'
    origin = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://t:k@github.com/shop/cart\n'
    assert repo_of(str(checkout(tmp_path / "a", fork + origin)), {}) == "github.com/shop/cart"
    assert repo_of(str(checkout(tmp_path / "b", fork)), {}) == "github.com/me/cart"
    assert repo_of(str(checkout(tmp_path / "c", '[branch "x"]\n\turl = h:a/b\n')), {}) == ""
    assert repo_of(str(tmp_path / "none"), {}) == ""


@pytest.mark.parametrize("name", ["HOME", "GIT_CONFIG_GLOBAL"])
def test_abbreviated_remotes(tmp_path, name):
    """Abbreviations of git's configuration are resolved, the longest first; the checkout's own count."""
    (tmp_path / "rules").write_text(
        '[url "git@github.com:"]\n\tinsteadOf = gh:\n[url "https://h.example/"]\n\tinsteadOf = "gh:s"\n'
    )
    (tmp_path / ".gitconfig").symlink_to("rules")
    env = {name: str(tmp_path / ".gitconfig" if name != "HOME" else tmp_path)}
    remote = '[remote "origin"]\n\turl = gh:{}\n'
    assert (
        repo_of(str(checkout(tmp_path / "a", remote.format("cart/x"))), env) == "github.com/cart/x"
    )
    assert repo_of(str(checkout(tmp_path / "b", remote.format("shop/x"))), env) == "h.example/hop/x"
    own = remote.format("cart/x") + '[URL "https://own.example/"]\n\tInsteadOf = gh:\n'
    assert repo_of(str(checkout(tmp_path / "c", own)), env) == "own.example/cart/x"


def test_a_bare_repository(tmp_path):
    """The worktrees of a bare repository have its remote; another directory's file does not count."""
    config = '[remote "origin"]\n\turl = git@github.com:shop/cart\n'
    (tmp_path / "config").write_text(config)
    assert repo_of(str(tmp_path), {}) == ""
    (tmp_path / "HEAD").write_text("ref: refs/heads/main\n")
    assert repo_of(str(tmp_path), {}) == "github.com/shop/cart"


def test_a_repository_is_remembered(tmp_path):
    """The name stays known after the checkout is gone; before it is first stored it is None."""
    journal = tmp_path / "shop-00000001"
    journal.mkdir()
    assert stored_repo(str(journal)) is None
    root = checkout(tmp_path / "shop", '[remote "origin"]\nurl = git@github.com:shop/cart\n')
    assert remember_repo(str(journal), str(root), {}) == "github.com/shop/cart"
    assert stat.S_IMODE((journal / "repo").stat().st_mode) == 0o600
    root.rename(tmp_path / "gone")
    remember_repo(str(journal), str(root), {})
    assert stored_repo(str(journal)) == "github.com/shop/cart"


def test_an_identity_is_made_once(tmp_path):
    """Reading creates no identity; once made it stays, is random, names no host and is private."""
    home = str(tmp_path)
    assert identity_of(home).origin == ""
    made = make_identity(home)
    assert make_identity(home) == identity_of(home) == made
    assert len({made.origin, made.person, os.uname().nodename}) == 3
    assert (len(made.origin), len(made.person)) == (16, 16)
    assert stat.S_IMODE((tmp_path / "identity.json").stat().st_mode) == 0o600
    assert sorted(os.listdir(home)) == ["identity.json"]


def test_epochs_are_kept_by_project(tmp_path):
    """Each project begins with epoch 1, and saving one project's epoch leaves the others."""
    save_epochs(str(tmp_path), {"shop": 2})
    save_epochs(str(tmp_path), {"till": 3})
    found = identity_of(str(tmp_path))
    assert found.epochs == {"shop": 2, "till": 3}


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", json.dumps({"origin": "a"})])
def test_another_file_is_an_error(tmp_path, text):
    """A file that is not an identity is an error and is not overwritten."""
    (tmp_path / "identity.json").write_text(text)
    with pytest.raises(JournalError, match="is not the identity"):
        make_identity(str(tmp_path))
    assert (tmp_path / "identity.json").read_text() == text
