"""Find and import msgspec for the answer path, under `-I -S` and without the cost of `site`.

Hooks run without `site`, so no .pth file is executed. This module searches the interpreter's
package directories itself, and imports msgspec without the optional modules it probes for.
"""

from __future__ import annotations

import os
import sys

try:
    import _datetime as dt  # type: ignore[import-not-found]
except ImportError:  # an interpreter without the C module
    import datetime as dt

from journal.home import journal_home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def ready() -> bool:
    """Import msgspec; return False if this interpreter has none."""
    if "msgspec" in sys.modules:
        return True
    for directory in package_directories():
        if os.path.isdir(os.path.join(directory, "msgspec")):
            # Last, so nothing there shadows the standard library or this package.
            sys.path.append(directory)
            break
    try:
        _import()
    except ImportError:
        return False
    return True


def package_directories() -> list[str]:
    """Return the package directories of this interpreter, a virtual environment's own first.

    The environments made for this code follow: `.venv` beside it, and those in the journal home
    that `journal setup` or the plugin's `bin/journal` made.
    """
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    found = []
    # Without `site`, sys.prefix in a virtual environment is the base interpreter's.
    environment = os.path.dirname(os.path.dirname(os.path.abspath(sys.executable)))
    shared = True
    try:
        with open(os.path.join(environment, "pyvenv.cfg"), encoding="utf-8") as file:
            shared = "include-system-site-packages = true" in file.read()
        found.append(os.path.join(environment, "lib", version, "site-packages"))
    except OSError:
        pass
    if shared:
        home = os.path.expanduser("~")
        found += [
            os.path.join(home, ".local", "lib", version, "site-packages"),
            os.path.join(sys.base_prefix, "local", "lib", version, "dist-packages"),
            os.path.join(sys.base_prefix, "lib", version, "site-packages"),
            os.path.join("/usr/local/lib", version, "dist-packages"),
            os.path.join(sys.base_prefix, "lib", "python3", "dist-packages"),
        ]
    # A plugin installed by Claude Code runs with the user's python3, which may lack packages.
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    home = journal_home(os.environ)
    environments = [os.path.join(root, ".venv")]
    environments += filter(_is_own, (os.path.join(home, "venv"), f"{home}/plugin/../venv"))
    return found + [os.path.join(venv, "lib", version, "site-packages") for venv in environments]


def _is_own(directory: str) -> bool:
    """Return whether this user owns a directory: others can create one in an open home."""
    try:
        return os.stat(directory).st_uid == os.geteuid()
    except OSError:
        return False


def _import() -> None:
    """Import msgspec at half its cost.

    msgspec probes for typing_extensions (8 ms if installed, unused from 3.11 on), imports uuid,
    decimal and enum for types that no event has (5 ms), and its other formats and schema generator,
    which no hook uses (3 ms). It and typing import re and contextlib for two type names each
    (3 ms), warnings for calls that no hook makes, and the Python half of datetime although the C
    half suffices (1 ms). Stand-ins replace these modules during the import; if that fails, msgspec
    is imported again without them. Only hook processes and the warm child do this.
    """
    previous = {name: sys.modules[name] for name in _STAND_INS if name in sys.modules}
    for name, stand_in in _STAND_INS.items():
        sys.modules.setdefault(name, stand_in)  # type: ignore[arg-type]
    try:
        import msgspec
        import msgspec.json
    except (ImportError, AttributeError):
        for name in [name for name in sys.modules if name.split(".")[0] == "msgspec"]:
            del sys.modules[name]
        _put_back(previous)
        import msgspec  # noqa: F401
    finally:
        _put_back(previous)


def _put_back(previous: Mapping[str, object]) -> None:
    for name in _STAND_INS:
        if name in previous:
            sys.modules[name] = previous[name]  # type: ignore[assignment]
        else:
            sys.modules.pop(name, None)


def _stand_in(*classes: str, **members: object) -> type:
    """Return a stand-in for a module; no event has a value of one of these classes."""
    return type("StandIn", (), {**{name: type(name, (), {}) for name in classes}, **members})


_TYPES = _stand_in("UUID", "Decimal", SafeUUID=_stand_in(unknown=None))
_UNUSED = _stand_in(schema=None, schema_components=None)  # for msgspec's other formats, warnings
_STAND_INS: dict[str, object] = {
    "typing_extensions": None,
    "warnings": _UNUSED,
    "contextlib": _stand_in("AbstractContextManager", "AbstractAsyncContextManager"),
    "datetime": dt,
    "re": _stand_in("Pattern", "Match", compile=None),
    "uuid": _TYPES,
    "decimal": _TYPES,
    "msgspec._json_schema": _UNUSED,
    "msgspec.inspect": _UNUSED,
    "msgspec.msgpack": _UNUSED,
    "msgspec.toml": _UNUSED,
    "msgspec.yaml": _UNUSED,
}
if sys.version_info < (3, 14):  # from then on msgspec reads annotations by a module built on enum
    _STAND_INS["enum"] = _stand_in(EnumMeta=type("EnumMeta", (type,), {}))
