"""Parameters of the API's routes, with what its OpenAPI says of each."""

from typing import Annotated, Literal

from fastapi import Path, Query

_AGE = "[0-9]{1,6}[smhdw]"
_DATE = "[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?(Z|[+-][01][0-9]:[0-5][0-9])?"
_TIME = f"{_AGE}|{_DATE}(T{_CLOCK})?"

Project = Annotated[str, Query(max_length=200, description="Name of a project's journal.")]
Since = Annotated[
    str,
    Query(pattern=f"^({_TIME})?$", description="From then on: ISO 8601, or an age such as 3d."),
]
Until = Annotated[
    str, Query(pattern=f"^({_TIME})?$", description="Up to then: ISO 8601, or an age.")
]
SeqOrTime = Annotated[
    str, Query(pattern=f"^([0-9]{{1,15}}|{_TIME})?$", description="As it was: SEQ or a time.")
]
Status = Annotated[
    Literal["completed", "open"] | None, Query(description="Only sessions that are over, or not.")
]
SessionId = Annotated[
    str,
    Query(min_length=1, max_length=200, description="Id of a session, or the beginning of it."),
]
Ref = Annotated[str, Path(max_length=400, description="Id, the beginning of one, or PROJECT/ID.")]
Words = Annotated[str, Query(min_length=1, max_length=500, description="What to look for.")]
Limit = Annotated[int, Query(ge=1, le=500, description="At most that many.")]
Offset = Annotated[int, Query(ge=0, lt=10**9, description="How many to skip.")]
TopLimit = Annotated[int, Query(ge=1, le=100, description="At most that many.")]
After = Annotated[int, Query(ge=0, lt=10**15, description="Those after this event.")]
Part = Annotated[str, Query(max_length=200, description="Part of a title or prompt.")]
Tools = Annotated[bool, Query(description="With inputs and outputs of tool calls.")]
ViewName = Annotated[str, Path(max_length=40, description="As in `journal view NAME`.")]
OnlySession = Annotated[str, Query(max_length=200, description="Only that session.")]
