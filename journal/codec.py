"""JSON and digests at a third of the import cost of `json` and `hashlib`.

`json` imports `re` and `enum`: 34 M instructions, more than the rest of a hook call. This module
uses CPython's C accelerators directly. If they are missing or behave differently (another
implementation, a later version), it uses the public modules, with the same results.
Invariant: what `loads` and `dumps` return equals what the public `json` module returns.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_SPACE = " \t\n\r"


def _constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _unknown(value: object) -> object:
    raise TypeError(f"{type(value).__name__} is not JSON")


def _accelerated() -> tuple[Callable[[str], object], Callable[[object], str]]:
    from _json import encode_basestring, make_encoder, make_scanner

    # What the scanner reads from a decoder, in a SimpleNamespace without importing `types`; a class
    # of our own costs 0.1 M instructions.
    namespace: Any = type(sys.implementation)
    scan = make_scanner(
        namespace(
            strict=False,
            object_hook=None,
            object_pairs_hook=None,
            parse_float=float,
            parse_int=int,
            parse_constant=_constant,
        )
    )
    encoder = make_encoder(None, _unknown, encode_basestring, None, ":", ",", False, False, False)

    def load(source: str) -> object:
        start = len(source) - len(source.lstrip(_SPACE))
        try:
            value, end = scan(source, start)
        except (StopIteration, SystemError):
            # SystemError: CPython 3.11 expects json.decoder's exception, which is not imported.
            raise ValueError("not a JSON value") from None
        except RecursionError:
            raise ValueError("nested too deeply") from None
        if source[end:].strip(_SPACE):
            raise ValueError("more than one JSON value")
        return value

    def dump(value: object) -> str:
        try:
            return "".join(encoder(value, 0))
        except RecursionError:
            raise ValueError("nested too deeply") from None

    probe = '{"a":[1,2.5,null,true,"\\u00e9\\n"]}'
    if dump(load(f" {probe} ")) != '{"a":[1,2.5,null,true,"é\\n"]}':
        raise ImportError("the accelerator behaves differently")
    return load, dump


def _public() -> tuple[Callable[[str], object], Callable[[object], str]]:
    import json

    decoder = json.JSONDecoder(strict=False, parse_constant=_constant)
    encoder = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))

    def load(source: str) -> object:
        try:
            return decoder.decode(source)
        except RecursionError:
            raise ValueError("nested too deeply") from None

    def dump(value: object) -> str:
        try:
            return encoder.encode(value)
        except RecursionError:
            raise ValueError("nested too deeply") from None

    return load, dump


try:
    _load, _dump = _accelerated()
except Exception:  # noqa: BLE001 (any change of a private interface means: use the public one)
    _load, _dump = _public()

try:
    from _blake2 import blake2b as _blake2b
except ImportError:  # pragma: no cover (CPython has it)
    from hashlib import blake2b as _blake2b


def loads(source: bytes | str) -> object:
    """Parse one JSON value. Raises ValueError (UnicodeDecodeError included)."""
    if isinstance(source, bytes):
        source = source.decode("utf-8")
    return _load(source)


def dumps(value: object) -> bytes:
    """Serialize without spaces, as UTF-8; a lone surrogate becomes U+FFFD.

    Raises:
        TypeError: JSON cannot express a value.
        ValueError: NaN, an infinity, or too many levels.

    """
    return text(_dump(value)).encode("utf-8")


def text(value: str) -> str:
    """Replace lone surrogates by U+FFFD, so the text can be encoded as UTF-8."""
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return value


def digest(source: bytes | str, size: int = 8) -> str:
    """Return the Blake2b digest of `size` bytes as lower-case hex."""
    if isinstance(source, str):
        source = source.encode("utf-8", "surrogatepass")
    return _blake2b(source, digest_size=size).hexdigest()
