"""Events of tool calls."""

from journal.events.base import Event


class ToolFinished(Event, frozen=True, kw_only=True, tag="tool.finished"):
    """PostToolUse. target: path or command head; subject: of a skill, agent or task call.

    ms: the client's duration; sizes in characters; digest of the output; changed: the file was
    written; tests: "passed" or "failed" where a command was seen to run tests; items: of the
    client's own task tools, as [id, text, status]. error: what tells of tests that failed though
    the call ended well. choices: what the person chose, as [question, answer, options…]; plan: the
    title and the steps of a plan that the person approved. short: hooks of the session were over
    their budget, so target (of what changed no file), sizes, digest and error are left out.
    """

    tool: str = ""
    use: str = ""
    target: str = ""
    subject: str = ""
    ok: bool = True
    ms: int | None = None
    input_size: int = 0
    output_size: int = 0
    digest: str = ""
    changed: bool = False
    tests: str = ""
    status: str = ""
    items: list[list[str]] = []
    error: str = ""
    choices: list[list[str]] = []
    plan: list[str] = []
    short: bool = False


class FilesChanged(Event, frozen=True, kw_only=True, tag="files.changed"):
    """Files that commands of a turn wrote, according to git; count: with those not listed."""

    paths: list[str] = []
    count: int = 0


class ToolFailed(Event, frozen=True, kw_only=True, tag="tool.failed"):
    """PostToolUseFailure. error: whole where it is short, else the lines of it that tell most.

    short: as for `tool.finished`.
    """

    tool: str = ""
    use: str = ""
    target: str = ""
    subject: str = ""
    ok: bool = False
    ms: int | None = None
    input_size: int = 0
    output_size: int = 0
    digest: str = ""
    error: str = ""
    tests: str = ""
    interrupted: bool = False
    short: bool = False
