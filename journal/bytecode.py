"""Remove compiled modules that a full disk cut short.

Python before 3.12.8 and 3.13.1 stores what the disk took of a module, and cannot import it again.
"""

import marshal
import os

_CODE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_HEADER = 16  # bytes before the code


def remove_cut(error: BaseException | None) -> bool:
    """Remove our compiled modules that are cut short; return whether `error` came of one."""
    if not isinstance(error, EOFError):
        return False
    found = False
    for package in ("cli", "hooks", "journal", "projections"):
        for folder, _, names in os.walk(os.path.join(_CODE, package)):
            if os.path.basename(folder) == "__pycache__":
                for name in names:
                    found = _remove_if_cut(os.path.join(folder, name)) or found
    return found


def _remove_if_cut(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            file.seek(_HEADER)
            marshal.load(file)  # noqa: S302 (our own code, which Python loads as well)
    except EOFError:
        os.unlink(path)
        return True
    except (OSError, ValueError, TypeError):  # of another process, or not Python's
        pass
    return False
