"""A reader finds the tests of a module by its name."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LARGE = 30
"""Lines of code above which a module with a function has tests; others hold types or texts alone."""

# Module, or folder that ends in a slash → why no test file has its name.
ELSEWHERE = {
    "cli/commands/": "declares the arguments of commands: tests/cli/test_golden.py runs each of them",
    "cli/serve/page/widgets.py": "elements that a browser draws: the tests of the panes use them",
}


def modules() -> list[str]:
    """Return the modules of the product that are no package."""
    tops = ("cli", "hooks", "journal", "projections")
    paths = [path for top in tops for path in sorted((ROOT / top).rglob("*.py"))]
    return [path.relative_to(ROOT).as_posix() for path in paths if not path.stem.startswith("__")]


def size_of(source: str) -> int:
    """Return how many lines of code a module has, 0 for one without a function."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = list(ast.walk(ast.parse(source)))
    if not any(isinstance(node, functions) for node in nodes):
        return 0
    documents: set[int] = set()
    for node in nodes:
        if (
            isinstance(node, (ast.Module, ast.ClassDef, *functions))
            and ast.get_docstring(node, clean=False) is not None
        ):
            text = node.body[0]
            documents.update(range(text.lineno, (text.end_lineno or text.lineno) + 1))
    lines = enumerate(source.splitlines(), 1)
    return sum(
        at not in documents and bool(line.strip()) and not line.lstrip().startswith("#")
        for at, line in lines
    )


def expected_file(module: str) -> Path:
    """Return the file in which the tests of a module are looked for."""
    folder, _, name = module.rpartition("/")
    return ROOT / "tests" / folder / f"test_{name}"


def test_each_module_has_a_test_file_of_its_name() -> None:
    """`a/b.py` with a function, of more than thirty lines of code, is tested in `tests/a/test_b.py`."""
    found = modules()
    assert len(found) > 300
    without = [name for name in found if not expected_file(name).is_file()]
    missing = {name for name in without if size_of((ROOT / name).read_text("utf-8")) > LARGE}
    listed = {name for name in missing if name.startswith(tuple(ELSEWHERE))}
    assert missing - listed == set(), "move the tests of these modules, or say why they have none"


def test_each_exception_is_one() -> None:
    """What is listed exists and has no test file of its name: the list only gets shorter."""
    for name in ELSEWHERE:
        found = [module for module in modules() if module.startswith(name)]
        assert found, name
        assert any(not expected_file(module).is_file() for module in found), name


def test_only_code_counts() -> None:
    """Docstrings, comments and blank lines are no code; types and texts need no test file."""
    source = '"""A\nb."""\n\n# c\nx = 1\n\n\ndef f():\n    """D."""\n    return """\n\ne\n"""\n'
    assert size_of(source) == 5
    assert size_of('"""A."""\n\n\nclass B:\n    c = 1\n') == 0
