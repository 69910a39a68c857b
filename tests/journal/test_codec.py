"""The lean JSON codec agrees with the public `json` module, on every supported interpreter."""

from __future__ import annotations

import builtins
import glob
import importlib.util
import json
import math
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from journal import codec
from tests.support.examples import examples

if TYPE_CHECKING:
    from types import ModuleType

SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(), max_size=20)
)  # fmt: skip
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)


def _load_with(monkeypatch: pytest.MonkeyPatch, refuse: str) -> ModuleType:
    """Load the codec as it is if the import of `refuse` fails."""
    real = builtins.__import__

    def importer(name: str, *args: Any, **more: Any) -> Any:
        if name == refuse:
            raise ImportError(name)
        return real(name, *args, **more)

    spec = importlib.util.spec_from_file_location(f"codec_without_{refuse}", codec.__file__)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    with monkeypatch.context() as patch:
        patch.setattr(builtins, "__import__", importer)
        spec.loader.exec_module(module)
    return module


@pytest.fixture(params=["accelerated", "public"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the codec in use here, and the codec with its fallback forced."""
    if request.param == "accelerated":
        assert "_accelerated" in codec._load.__qualname__
        return codec
    module = _load_with(monkeypatch, "_json")
    assert "_public" in module._dump.__qualname__
    return module


def _writable(value: Any) -> str:
    """Return what the public module writes, with lone surrogates replaced."""
    return codec.text(json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


@examples(200, sample=8)
@given(VALUES)
def test_written_as_the_public_module_does(value: Any) -> None:
    """`dumps` returns the bytes of json.dumps without spaces, and `loads` reads them back."""
    raw = codec.dumps(value)
    assert raw == _writable(value).encode()
    assert codec.loads(raw) == json.loads(raw)
    assert codec.loads(raw.decode()) == json.loads(raw)


@examples(200)
@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_read_as_the_public_module_does(value: Any, indent: Any, ascii_only: bool) -> None:
    """`loads` reads any layout the public module writes, with the same types."""
    source = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    expected = json.loads(source)
    found = codec.loads(source)
    assert found == expected
    assert repr(found) == repr(expected)


@examples(300)
@given(st.text(st.sampled_from('{}[]",:0123456789.eE+-truefalsn \\u\n\ud800é'), max_size=14))
def test_refused_as_the_public_module_does(source: str) -> None:
    """Both codecs read a text to the same value, or both refuse it with ValueError."""

    def constant(name: str) -> object:
        raise ValueError(name)

    try:
        expected = json.loads(source, strict=False, parse_constant=constant)
    except ValueError:
        with pytest.raises(ValueError):  # noqa: PT011 (its kind is all that counts)
            codec.loads(source)
    else:
        assert repr(codec.loads(source)) == repr(expected)


VALID = [
    ("null", None), (" \t\r\n1 \n", 1), ("-0", 0), ("1E400", math.inf), ("1e5", 100000.0),
    ('"\\ud83d\\ude00"', "😀"), ('"\\ud83d"', "\ud83d"), ('{"a":1,"a":2}', {"a": 2}),
    ('"a\tb\nc"', "a\tb\nc"), ("[]", []), ("{}", {}), ('""', ""), ("12345678901234567890" * 5,
     int("12345678901234567890" * 5)), ('"\\/"', "/"), ('"\x7f"', "\x7f"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "value"), VALID, ids=[repr(case[0])[:20] for case in VALID])
def test_what_is_read(either: ModuleType, source: str, value: object) -> None:
    """The accelerated codec and its fallback read corner cases alike."""
    assert either.loads(source) == value
    assert repr(either.loads(source)) == repr(value)


INVALID = [
    "", " ", "{", "}", "[1,]", '{"a":}', "{'a':1}", "nul", "NaN", "Infinity", "-Infinity", "01",
    "1 2", '"', '"\\x"', '"\\u12"', "{}{}", "\ufeff{}", "[" * 100_000, '{"a":' * 100_000,
    "1" * 5000, b"\xff", b'"\xed\xa0\x80"', b"\xef\xbb\xbf{}", b"\x00", "tru\x00e",
]  # fmt: skip


@pytest.mark.parametrize("source", INVALID, ids=[repr(case)[:20] for case in INVALID])
def test_what_is_refused(either: ModuleType, source: bytes | str) -> None:
    """Everything else raises ValueError and no other exception."""
    with pytest.raises(ValueError):  # noqa: PT011 (its kind is all that counts)
        either.loads(source)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (math.nan, ValueError), (math.inf, ValueError), ([-math.inf], ValueError),
        (b"bytes", TypeError), ({1, 2}, TypeError), (object(), TypeError), ({"a": 1j}, TypeError),
        ({(1,): 2}, TypeError), ({b"a": 2}, TypeError),
    ],
    ids=lambda case: type(case).__name__ if type(case) is object else repr(case),
)  # fmt: skip
def test_what_cannot_be_written(either: ModuleType, value: object, error: type[Exception]) -> None:
    """A type without a JSON form raises TypeError; a number without one raises ValueError."""
    with pytest.raises(error):
        either.dumps(value)


def _nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def test_deep_nesting(either: ModuleType) -> None:
    """A hundred levels pass; too many raise ValueError on reading and on writing, without a crash."""
    assert either.loads(either.dumps(_nested(100))) == _nested(100)
    with pytest.raises(ValueError, match="deep"):
        either.dumps(_nested(200_000))
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(ValueError):  # noqa: PT011 (deep for one, circular for the other)
        either.dumps(circle)


@pytest.mark.parametrize(
    ("value", "raw"),
    [
        ({2: 2, 1.5: 3, None: 4, True: 5}, b'{"2":2,"1.5":3,"null":4,"true":5}'),
        ("\ud800", '"\ufffd"'.encode()), ("\ud83d\ude00", '"😀"'.encode()),
        ("\udc00\ud800x", '"\ufffd\ufffdx"'.encode()), ({"\ud800": 1}, '{"\ufffd":1}'.encode()),
        ('\x00\x1f"\\/\u2028', b'"\\u0000\\u001f\\"\\\\/\xe2\x80\xa8"'), ((1, 2), b"[1,2]"),
        (10**400, b"1" + b"0" * 400), (1e22, b"1e+22"), (-0.0, b"-0.0"), (True, b"true"),
    ],
    ids=lambda item: ascii(item)[:24],
)  # fmt: skip
def test_what_is_written(either: ModuleType, value: object, raw: bytes) -> None:
    """Non-string keys, lone and paired surrogates, control characters and big numbers are written."""
    assert either.dumps(value) == raw


def test_digest_is_blake2b_with_and_without_the_accelerator(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The digest is hashlib's, of text as UTF-8, also without the C module."""
    import hashlib

    other = _load_with(monkeypatch, "_blake2")
    for source in ("", "é", "x" * 10_000, b"\xff\x00"):
        raw = source.encode() if isinstance(source, str) else source
        for size in (4, 8, 16):
            expected = hashlib.blake2b(raw, digest_size=size).hexdigest()
            assert codec.digest(source, size) == other.digest(source, size) == expected
    assert len(codec.digest("\ud800")) == 16


def _interpreters() -> list[tuple[str, str]]:
    """Return the version of each supported CPython and its path, or "" if it is not found."""
    found = []
    pyenv = os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv"))
    for version in ("3.11", "3.12", "3.13", "3.14"):
        there = sorted(glob.glob(f"{pyenv}/versions/{version}.*/bin/python{version}"))
        found.append((version, there[-1] if there else shutil.which(f"python{version}") or ""))
    return found


SCRIPT = """
import json, sys
sys.path.insert(0, sys.argv[1])
from journal import codec
assert "_accelerated" in codec._load.__qualname__, "the fallback serves here"
assert "json" not in [name for name in sys.modules if name == "json"] or sys.argv[2] == "json"
for value, raw in json.loads(sys.stdin.read()):
    assert codec.dumps(value) == raw.encode(), (value, raw)
    assert codec.loads(raw) == value, raw
for bad in ("", "{", "[1,]", "NaN", "1 2", "[" * 200000, '{"a":' * 200000, "1" * 5000):
    try:
        codec.loads(bad)
    except ValueError:
        continue
    raise SystemExit("accepted: " + bad[:20])
deep = []
for _ in range(300000):
    deep = [deep]
try:
    codec.dumps(deep)
except ValueError:
    pass
print(codec.digest("x"))
"""


@pytest.mark.parametrize(("version", "path"), _interpreters(), ids=lambda item: str(item)[-4:])
def test_on_every_interpreter(version: str, path: str) -> None:
    """On each supported Python found here, the accelerated codec works and is in use."""
    if not path:
        pytest.skip(f"no Python {version} here")
    values = [None, 1, -1.5, "é😀\n\x01", [[], {}], {"a": [1, {"b": None}]}, 10**50, "\u2028", True]
    cases = json.dumps([[value, _writable(value)] for value in values])
    root = Path(__file__).parent.parent.parent
    done = subprocess.run(
        [path, "-I", "-S", "-c", SCRIPT, str(root), "json"],
        input=cases, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == codec.digest("x")


def test_the_import_is_lean() -> None:
    """Importing the codec loads neither json nor re nor hashlib."""
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import journal.codec; print(*sys.modules)"
    )
    root = str(Path(__file__).parent.parent.parent)
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script, root],
                          capture_output=True, text=True, check=True)  # fmt: skip
    loaded = set(done.stdout.split())
    assert "journal.codec" in loaded
    assert not loaded & {"json", "re", "enum", "hashlib", "typing"}
