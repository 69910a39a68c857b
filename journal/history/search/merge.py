"""Merge the digests of one session from hooks and from a transcript.

Invariant: what hooks recorded has priority; a transcript adds only what they did not record.
"""

from msgspec.structs import asdict, replace

from projections.digest import Digest
from projections.merging import merge

# Empty members of these have a meaning: that the session is open, or had no error.
_OF_HOOKS = frozenset(("session", "imported", "error", "of", "seqs", "trace", "away"))


def merged(live: Digest | None, imported: Digest | None) -> Digest | None:
    """Return the digest of a session; None if neither log has it."""
    if live is None or imported is None:
        return live or imported
    if not live.first:  # hooks recorded only a summary that was made later
        summary = {
            name: value for name, value in asdict(live).items() if value and name in _SUMMARY
        }
        session = merge(live.session, imported.session)
        return replace(imported, session=session, **summary)
    session = merge(live.session, imported.session)
    return replace(_filled(live, imported), session=session)


_SUMMARY = frozenset(
    ("summary", "summary_seq", "summary_upto", "summary_decisions", "summary_files", "engine")
)


def _filled(live: Digest, imported: Digest) -> Digest:
    """Return the hooks' digest with the members that only the transcript's has."""
    recorded = asdict(live)
    missing = {
        name: value
        for name, value in asdict(imported).items()
        if value and not recorded[name] and name not in _OF_HOOKS
    }
    return replace(live, **missing)
