"""The frame of an HTML page in one file, and writing it to a file that the user names.

Invariant: a page loads nothing and runs no script, and only its owner can read the file; a file
that is not a page of ours is replaced only with --force.
"""

import os
from html import escape

from journal.errors import JournalError, UsageError
from journal.replace_file import write_atomic
from journal.text import escaped

_MARK = '<meta name="generator" content="context-journal">'
_HEAD = 2_000  # bytes in which the mark is looked for
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
_STYLE = """
:root{color-scheme:light dark;--ink:#1c2024;--dim:#60646c;--rule:#d9d9e0;--back:#fff;--bar:#3e63dd;
--mark:#ad5700;--top:#c62a2f;--soft:#f0f1f5}
@media (prefers-color-scheme:dark){:root{--ink:#edeef0;--dim:#b0b4ba;--rule:#363a3f;--back:#111113;
--bar:#849dff;--mark:#ffca16;--top:#ff9592;--soft:#1f2126}}
*{box-sizing:border-box}
body{font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--back);max-width:60rem;
margin:0 auto;padding:1.5rem 1rem 3rem}
h1{font-size:1.45rem;line-height:1.3;margin:.2rem 0 .6rem;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.2rem 0 .6rem;border-top:1px solid var(--rule);padding-top:1rem}
h3{font-size:1rem;color:var(--dim);font-weight:500;margin:1.2rem 0 .3rem}
p{margin:.3rem 0}pre{background:var(--soft);border-radius:6px;padding:.6rem .8rem;overflow-x:auto;
font:.85rem/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:.4rem 0}
code{font:.9em ui-monospace,monospace;background:var(--soft);border-radius:3px;padding:0 .2em}
.dim,footer{color:var(--dim)}footer{margin-top:2.5rem;font-size:.9rem}
"""


def document(title: str, body: str, made: str, style: str = "") -> str:
    """Return a page. title, made: texts; body: HTML, whose texts are escaped."""
    name = as_html(title)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n{_MARK}\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width,initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{_STYLE}{style}</style>\n</head>\n<body>\n"
        f"<h1>{name}</h1>\n{body}\n<footer>{as_html(made)}</footer>\n</body>\n</html>\n"
    )


def as_html(text: str) -> str:
    """Return a text as HTML, with control and direction characters escaped."""
    return escape(escaped(text))


def write_page(path: str, text: str, *, replace: bool = False) -> None:
    """Write a page to a file (0600). Raises UsageError for a file that is not a page of ours.

    replace: the user asked for a file to be replaced whatever it is.
    """
    if os.path.lexists(path):
        if not os.path.isfile(path):
            raise JournalError(path, "is not a regular file", "name another one")
        if not (replace or _is_ours(path)):
            raise UsageError(
                f"{path} already exists and is not a page of the journal",
                "name another file, or add --force to replace it",
            )
    write_atomic(path, text.encode("utf-8", "replace"))


def _is_ours(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return _MARK.encode() in file.read(_HEAD)
    except OSError:
        return False
