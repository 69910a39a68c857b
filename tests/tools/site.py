"""Write the pages of the documentation site, with adjusted links, to build/docs."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "docs"
PAGES = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "DECISIONS.md": "decisions.md",
    "SECURITY.md": "security.md",
    "journal/FORMAT.md": "format.md",
}
_LINK = re.compile(r"(\]\()(?!https?:|#)([^)#\s]+)")


def main() -> int:
    """Write the pages; a link between two of them points to the new place."""
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    sources = {
        **PAGES,
        **{f"docs/{path.name}": path.name for path in sorted((ROOT / "docs").iterdir())},
    }
    for source, target in sources.items():
        if not source.endswith(".md"):
            shutil.copy(ROOT / source, OUT / target)
            continue
        text = (ROOT / source).read_text(encoding="utf-8")
        folder = os.path.dirname(source)
        (OUT / target).write_text(
            _LINK.sub(lambda found, at=folder: found[1] + _moved(found[2], at, sources), text),
            encoding="utf-8",
        )
    return 0


def _moved(link: str, folder: str, sources: dict[str, str]) -> str:
    return sources.get(os.path.normpath(os.path.join(folder, link)), link)


if __name__ == "__main__":
    sys.exit(main())
