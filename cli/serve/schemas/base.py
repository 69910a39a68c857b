"""The base classes of the API's models, and the responses that are not about one session."""

from typing import Annotated, Any

from pydantic import AliasPath, BaseModel, ConfigDict, Field

ID = 200  # characters of a session's id or of a project's name

Id = Annotated[str, Field(min_length=1, max_length=ID)]


def member(*path: str) -> Any:
    """Declare a member that is read from another attribute of the object."""
    return Field(validation_alias=AliasPath(*path))


class Schema(BaseModel):
    """A strict model without unknown members, built from the attributes of an object."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        from_attributes=True,
        json_schema_serialization_defaults_required=True,
    )


class Checked(Schema):
    """An answer computed from logs. damage: damaged places, which make the answer incomplete.

    losses: known losses that need no repair. Both are [] for complete logs.
    """

    damage: list[str] = []
    losses: list[str] = []


class ErrorResponse(Schema):
    """Why a request failed. hint: what to do instead."""

    error: str
    hint: str


class ViewResponse(Checked):
    """A view of a journal, folded up to event `seq`; its members are those of `journal view`.

    complete: whether every record of the journal could be read. damage, losses: as in the answer
    of /api/sessions.
    """

    model_config = ConfigDict(extra="allow", strict=False)

    view: str
    project: str
    journal: str
    seq: int
    at: str | None
    complete: bool
