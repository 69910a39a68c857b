"""Secrets, and the forms in which programs write them."""

from __future__ import annotations

import html
import json
import re
import shlex
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

from hypothesis import strategies as st

from journal.history.forget.replace import TAG

if TYPE_CHECKING:
    from collections.abc import Callable

_AMBIGUOUS = re.compile(r"\\[\\\s]|\s\\")  # an escaped space, or a backslash and a space?
_OTHERS = st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])
secrets = st.text(
    st.one_of(st.sampled_from('ab1"\\/\n\té한😀%@$ '), _OTHERS), min_size=6, max_size=20
).filter(lambda text: len(text.strip()) >= 6 and text not in TAG and not _AMBIGUOUS.search(text))
FORMS = {
    "as it is": lambda text: text,
    "JSON": lambda text: json.dumps(text, ensure_ascii=False)[1:-1],
    "JSON in ASCII": lambda text: json.dumps(text)[1:-1],
    "JSON in JSON": lambda text: json.dumps(json.dumps(text, ensure_ascii=False)[1:-1])[1:-1],
    "a part of a URL": lambda text: quote(text, safe=""),
    "JSON with slashes escaped": lambda text: json.dumps(text)[1:-1].replace("/", "\\/"),
    "a part of a form": lambda text: quote_plus(text, safe=""),
    "hex": lambda text: text.encode().hex(),
    "hex of a shell": lambda text: "".join(f"\\x{byte:02X}" for byte in text.encode()),
    "hex in URL": lambda text: "".join(f"%{byte:02X}" for byte in text.encode()),
    "hex with spaces": lambda text: text.encode().hex(" "),
    "hex with colons": lambda text: text.encode().hex(":").upper(),
    "hex of C": lambda text: ", ".join(f"0x{byte:02x}" for byte in text.encode()),
}


def _each(escape: Callable[[str], str]) -> Callable[[str], str]:
    """Return a function that escapes all but letters and digits of ASCII."""
    return lambda text: "".join(c if c.isascii() and c.isalnum() else escape(c) for c in text)


SPELLED = {
    **FORMS,
    "a URL in a URL": lambda text: quote(quote(text, safe=""), safe=""),
    "HTML": html.escape,
    "HTML in numbers": _each(lambda char: f"&#{ord(char)};"),
    "HTML in numbers of four digits": _each(lambda char: f"&#{ord(char):04d};"),
    "HTML in hexadecimal": _each(lambda char: f"&#x{ord(char):x};"),
    "a shell's quotes": lambda text: shlex.quote(f"{text}'")[1:].removesuffix("'\"'\"''"),
    "bytes of a string": _each(lambda char: "".join(f"\\x{b:02x}" for b in char.encode())),
    "octal": _each(lambda char: "".join(f"\\{b:03o}" for b in char.encode())),
    "code points": _each(lambda char: f"\\u{{{ord(char):x}}}"),
    "long code points": _each(lambda char: f"\\U{ord(char):08x}"),
}
KEY = "-----BEGIN KEY-----\nMIIEqzWx9kTabcdefghijk+mn/op\n\nQRST  uvw xyz\n-----END KEY-----"
