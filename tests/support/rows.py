"""Tables of cases that cost next to nothing: one test for all rows, where pytest makes one of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def each(
    names: str | tuple[str, ...] | list[str], rows: Iterable[Any], ids: Iterable[str] = ()
) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Return a decorator that takes what `pytest.mark.parametrize` takes, and makes one test.

    The test runs every row, and raises the errors of all that fail, each with its ID or row.
    """
    listed = names.replace(",", " ").split() if isinstance(names, str) else names
    table = [dict(zip(listed, row if len(listed) > 1 else [row], strict=True)) for row in rows]
    named = [*ids] or table

    def decorate(case: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            errors = []
            for name, row in zip(named, table, strict=True):
                try:
                    case(**row)
                except Exception as error:  # noqa: BLE001 (of any kind: it is raised below)
                    error.add_note(f"row: {name}")
                    errors.append(error)
            if errors:
                raise ExceptionGroup(f"{len(errors)} of {len(table)} rows", errors)

        test.__name__, test.__doc__ = case.__name__, case.__doc__
        return test

    return decorate
