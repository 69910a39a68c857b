"""The fixture of the importer's tests."""

from tests.journal.history.importer.conftest import sandbox

__all__ = ["sandbox"]
