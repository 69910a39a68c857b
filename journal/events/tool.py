"""Events of tool calls."""

from journal.events.base import Event


class ToolFinished(Event, frozen=True, kw_only=True, tag="tool.finished"):
    """PostToolUse. target: path or command head; subject: of a skill, agent or task call.

    ms: duration by the client; sizes in characters; digest of the output; changed: whether it
    changed the file; tests: "passed" or "failed" if the command ran tests; status: of a task or
    agent, "background" or "interrupted" of a command without a result; items: of the client's task
    tools, as [id, text, status]; error: lines about failed tests, or about a command that failed
    before a pipe, although the call itself succeeded; choices: the user's answers, as [question,
    answer, options…]; plan: title and steps of a plan that the user approved, whose file is the
    target; short: the session's hooks were over `capture.budget`, so sizes, digest, error, and the
    target of calls that changed no file, are left out.
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
    """Files that a turn's shell commands wrote, by git. count: including those not in paths."""

    paths: list[str] = []
    count: int = 0


class ToolFailed(Event, frozen=True, kw_only=True, tag="tool.failed"):
    """PostToolUseFailure. error: complete if short, else its most relevant lines.

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
