"""Values of the command line that need no conversion, without what typer loads to convert them.

Newer versions of typer convert each value with pydantic, also one that was not given; importing it
takes longer than most commands. Here a value that is absent, text, a plain number or one of the
allowed words is used as it is; typer converts any other value, and explains what is wrong with it.
The help names an argument without its Python type.
"""

from __future__ import annotations

from typing import Any, Literal, get_args, get_origin

import typer


class _PlainValue:
    """Stand-in for the conversion of one parameter.

    annotation: its type, without None; least, most: bounds of a number, None for none.
    """

    def __init__(self, annotation: Any, least: float | None, most: float | None) -> None:
        self.annotation = annotation
        self.least = least
        self.most = most

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value of a parameter, as typer's own method of this name."""
        several = bool(param.multiple or param.nargs == -1)
        if value is None:
            return () if several else None
        if several and self.annotation == list[str] and not isinstance(value, str):
            return list(value)
        if self.annotation is str and isinstance(value, str):
            return value
        if self.annotation is bool and isinstance(value, bool):
            return value
        if get_origin(self.annotation) is Literal and value in get_args(self.annotation):
            return value
        if self.annotation is int and isinstance(value, str) and self._is_number(value):
            return int(value)
        param._runtime_param = None  # noqa: SLF001
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)

    def _is_number(self, text: str) -> bool:
        """Return whether a text is a whole number within the bounds, in plain digits."""
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            return False
        number = int(text)
        return (self.least is None or number >= self.least) and (
            self.most is None or number <= self.most
        )


def _no_type(ctx: Any) -> None:
    """Stand in for the method that names the type of an argument in the help."""


def use_plain_values(command: Any, parent: Any = None) -> None:
    """Let a click command, and those below it, use plain values; older typers stay as they are."""
    context = typer.Context(command, parent=parent, **command.context_settings)
    for param in command.get_params(context):  # also --help, which a command makes for a context
        descriptor = getattr(param, "type_descriptor", None)
        if descriptor is not None and hasattr(param, "_runtime_param"):
            bounds = getattr(param, "min", None), getattr(param, "max", None)
            param._runtime_param = _PlainValue(descriptor.annotation, *bounds)  # noqa: SLF001
        if param.param_type_name == "argument":
            param.display_type_rich = _no_type
    for below in getattr(command, "commands", {}).values():
        use_plain_values(below, context)
