"""Commands about the journal as files, and about its settings."""

from __future__ import annotations

from cli.table import READING, Command, Param

__all__ = ["ROWS"]

ROWS = (
    Command(
        "config",
        "Look",
        "cli.config:config",
        "The settings in effect, and where each comes from.",
        READING,
    ),
    Command(
        "verify",
        "Care",
        "cli.integrity:verify",
        "Check every line of the journal; change nothing.\n\n"
        "Torn records (a writer died), types of a later version and gaps a repair has named are "
        "no fault.",
        (
            Param("strict", "flag", "Any finding at all is a fault.", ("--strict",)),
            Param("salvage", "flag", "Only a lost record is a fault.", ("--salvage",)),
            *READING,
        ),
    ),
    Command(
        "repair",
        "Care",
        "cli.integrity:repair",
        "Set bad lines aside; the segment as it was stays in quarantine/.",
        READING,
    ),
    Command(
        "seal",
        "Care",
        "cli.integrity:seal",
        "Close the active segment, and compress what is sealed.",
        (Param("no_compress", "flag", "Close it only.", ("--no-compress",)), *READING),
    ),
    Command(
        "rebuild",
        "Care",
        "cli.integrity:rebuild",
        "Drop the snapshot and fold the journal again.",
        READING,
    ),
)
