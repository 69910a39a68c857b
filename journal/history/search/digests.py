"""The digest of a session as the index stores it: one of its hooks, one of its transcript.

Invariant: what hooks recorded has priority; a transcript adds only what they did not record.
"""

import zlib

import msgspec
from msgspec.structs import asdict, replace

from projections.digest import Digest
from projections.merging import merge
from projections.summary import is_over, is_waiting

# Members of hooks whose empty values have a meaning: that the session is open, or had no error.
_OF_HOOKS = frozenset(("session", "imported", "error", "of", "seqs", "trace", "away"))
_SUMMARY = frozenset(
    ("summary", "summary_seq", "summary_upto", "summary_decisions", "summary_files", "engine")
)
_OF_COMMANDS = _SUMMARY | {"decisions", "notes", "units", "work"}
_NOTHING = asdict(Digest())
_digest = msgspec.json.Decoder(Digest).decode


def unpack(blob: bytes | None) -> Digest | None:
    """Return the digest of one column of a session's row."""
    return _digest(zlib.decompress(blob)) if blob else None


def digest_of(live: bytes | None, imported: bytes | None) -> Digest:
    """Return a session's digest from both columns of its row."""
    return merged(unpack(live), unpack(imported)) or Digest()


def merged(live: Digest | None, imported: Digest | None) -> Digest | None:
    """Return the digest of a session from those of both logs; None if neither has it."""
    if live is None or imported is None:
        return live or imported
    session = merge(live.session, imported.session)
    recorded = asdict(live)
    if not live.session.seq:  # no hook recorded any of it; commands added to it later
        added = {name: recorded[name] for name in _OF_COMMANDS if recorded[name] != _NOTHING[name]}
        return replace(imported, session=session, **added)
    missing = {
        name: value
        for name, value in asdict(imported).items()
        if value and not recorded[name] and name not in _OF_HOOKS
    }
    return replace(live, **{**missing, "session": session})


def waiting_digest(live: Digest | None, imported: Digest | None) -> Digest | None:
    """Return the digest to summarize a session from; None if it does not wait for a summary.

    That is the hooks' digest, or the imported one if hooks recorded nothing.
    """
    if live is not None and live.session.seq:
        return live if is_waiting(live) else None
    if imported is None or not is_over(imported):
        return None
    return imported if live is None or live.summary_upto < imported.seq else None
