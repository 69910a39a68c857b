"""Copy the packages we run with from this interpreter's environment into another one.

No package index is used: the copy gets the packages that this process runs with. Invariant: only
files that the packages' own records list are copied, and only into site-packages.
"""

import os
import re
import shutil
from collections.abc import Iterable, Mapping
from importlib import metadata

from journal.errors import JournalError

Found = dict[str, metadata.Distribution]
_REQUIREMENT = re.compile(r"([\w.-]+)\s*(?:\[([^]]*)\])?")
_EXTRA = re.compile(r"extra\s*==\s*['\"]([\w.-]+)['\"]")


def closure(
    wanted: Iterable[str], optional: Mapping[str, list[str]], other: str = ""
) -> tuple[Found, list[str]]:
    """Find the installed packages that `wanted` and the installed extras need.

    Args:
        wanted: requirements as in pyproject.toml.
        optional: name of an extra → its requirements; extras that are not installed are left out.
        other: a second site-packages directory that may have packages of extras.

    Returns:
        Name → distribution, and the names of the extras among them.

    """
    found: Found = {}
    for requirement in wanted:
        if not _add(requirement, found):
            raise JournalError(requirement, "is not installed here", "install it, then try again")
    extras = []
    for extra, requirements in optional.items():
        more: Found = {}
        if all(_add(requirement, more, other) for requirement in requirements):
            extras.append(extra)
            found.update(more)
    return dict(sorted(found.items())), extras


def copy(found: Found, site: str) -> None:
    """Copy the files of these packages into the site-packages directory `site`."""
    for name, distribution in found.items():
        files = distribution.files
        if not files:
            what = f"the files of {name} are not listed: the system's packages cannot be copied"
            raise JournalError(name, what, "install the journal with uv, pipx or pip")
        for file in files:
            source = str(distribution.locate_file(file))
            if ".." in file.parts or not os.path.isfile(source):
                continue  # a program in bin/, or a compiled file that no longer exists
            target = os.path.join(site, *file.parts)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            try:  # a link costs neither time nor space
                os.link(source, target)
            except OSError:  # another file system
                shutil.copy2(source, target)


def _add(requirement: str, found: Found, other: str = "") -> bool:
    """Add a requirement's package and its dependencies; return False if it is not installed."""
    parts = _REQUIREMENT.match(requirement)
    assert parts, requirement
    name = re.sub(r"[-_.]+", "-", parts[1]).lower()
    extras = {extra.strip() for extra in (parts[2] or "").split(",")} - {""}
    if name in found and not extras:
        return True
    try:
        found[name] = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        there = next(iter(metadata.distributions(name=name, path=[other])), None) if other else None
        if not there:
            return False
        found[name] = there
    for needed in found[name].requires or []:
        extra = _EXTRA.search(needed)
        if not extra or extra[1] in extras:
            _add(needed, found, other)  # not installed: this platform does not need it
    return True
