"""Which packages setup copies into its own environment."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING

import pytest

from cli.install.distributions import closure, copy
from journal.errors import JournalError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with packages: a needs b, and c with an extra; d needs what is missing."""
    needed = {"a": ["b>=1", 'c>=1; extra == "more"'], "b": [], "c": [], "d": ["missing"]}
    for name, requirements in needed.items():
        info = tmp_path / f"{name}-1.0.dist-info"
        info.mkdir()
        lines = [
            f"Name: {name}",
            "Version: 1.0",
            *(f"Requires-Dist: {one}" for one in requirements),
        ]
        (info / "METADATA").write_text("\n".join(["Metadata-Version: 2.1", *lines]) + "\n")
        (info / "RECORD").write_text(f"{name}.py,,\n../../bin/{name},,\n{name}.pyc,,\n")
        (tmp_path / f"{name}.py").write_text(f"NAME = {name!r}\n")

    def distribution(name: str) -> metadata.Distribution:
        if not (tmp_path / f"{name}-1.0.dist-info").exists():
            raise metadata.PackageNotFoundError(name)
        return metadata.PathDistribution(tmp_path / f"{name}-1.0.dist-info")

    monkeypatch.setattr(metadata, "distribution", distribution)
    return tmp_path


def test_packages_come_with_what_they_need(packages: Path) -> None:
    """A package brings its dependencies, those of an extra only where it is named."""
    assert list(closure(["a>=1,<2"], {})[0]) == ["a", "b"]
    assert list(closure(["A[more]"], {})[0]) == ["a", "b", "c"]
    assert list(closure(["d"], {})[0]) == ["d"]


def test_an_extra_counts_if_it_is_installed(packages: Path) -> None:
    """An extra of which a package is missing is left out, with all its packages."""
    found, extras = closure(["b"], {"whole": ["c"], "half": ["a", "missing"]})
    assert (list(found), extras) == (["b", "c"], ["whole"])
    with pytest.raises(JournalError, match="is not installed here"):
        closure(["missing>=1"], {})


def test_an_extra_may_be_in_a_second_directory(packages: Path, tmp_path: Path) -> None:
    """An extra that only the second directory has counts; a package of the first one is used."""
    other = tmp_path / "other"
    for name in ("b", "e"):
        info = other / f"{name}-2.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Name: {name}\nVersion: 2.0\nRequires-Dist: b\n")
    assert closure(["a"], {"more": ["e"]})[1] == []
    found, extras = closure(["a"], {"more": ["e"]}, str(other))
    assert extras == ["more"]
    assert [each.version for each in found.values()] == ["1.0", "1.0", "2.0"]
    with pytest.raises(JournalError, match="is not installed here"):
        closure(["e"], {}, str(other))


def test_only_files_of_site_packages_are_copied(packages: Path, tmp_path: Path) -> None:
    """Programs outside it and files that are gone are left out; the text is the same."""
    site = tmp_path / "site"
    copy(closure(["a"], {})[0], str(site))
    assert sorted(path.name for path in site.rglob("*")) == ["a.py", "b.py"]
    assert (site / "a.py").read_text() == "NAME = 'a'\n"


def test_a_package_without_a_list_of_files_cannot_be_copied(packages: Path, tmp_path: Path) -> None:
    """A package of the system has none: the error says what to install with."""
    (packages / "b-1.0.dist-info" / "RECORD").unlink()
    with pytest.raises(JournalError, match="files of b are not listed") as caught:
        copy(closure(["b"], {})[0], str(tmp_path / "site"))
    assert "uv, pipx or pip" in caught.value.remedy
