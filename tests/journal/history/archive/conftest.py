"""The importer's fixture, for these tests."""

from tests.journal.history.importer.conftest import sandbox

__all__ = ["sandbox"]
