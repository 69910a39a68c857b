"""The fixtures of the installation's tests."""

from tests.cli.install.conftest import bare, local, machine, product, served

__all__ = ["bare", "local", "machine", "product", "served"]
