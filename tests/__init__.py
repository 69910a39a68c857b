"""Tests; a package, so that they can share their helpers by name."""
