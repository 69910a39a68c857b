"""Characters that the encoding of a terminal lacks."""

import codecs

_BARS = "▏▎▍▌▋▊▉█▁▂▃▄▅▆▇"
_NAME = "journal.plain"


def use_plain_signs() -> str:
    r"""Return the name of an error handler that prints # for bars and \uNNNN for the rest."""
    codecs.register_error(_NAME, _in_plain_signs)
    return _NAME


def _in_plain_signs(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    signs = ("#" if c in _BARS else c.encode("ascii", "backslashreplace").decode() for c in lacking)
    return "".join(signs), error.end
