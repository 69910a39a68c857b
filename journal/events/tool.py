"""Events of tool calls."""

from journal.events.base import Event


class ToolFinished(Event, frozen=True, kw_only=True, tag="tool.finished"):
    """A tool call ended (hook PostToolUse).

    tool: name of the tool; use: the client's tool_use_id; target: path, or beginning of the
    command; subject: of a skill, agent or task call; ok: the call succeeded; ms: duration, as
    the client reports it; input_size, output_size: characters; digest: of an output of more than
    400 characters; changed: the call changed its file; tests: passed or failed, if the command ran
    tests and its output or status tells; status: of a task or agent, or "background" or
    "interrupted" for a command without a result; items: of the client's task tools, as [id, text,
    status]; error: lines about failed tests, or about a command whose failure a pipe or `; true`
    hid; choices: the user's answers, as [question, answer, options…]; plan: title and steps of a
    plan that the user approved, whose file is the target; short: the session's hooks were over
    `capture.budget`, so sizes, digest, error, and the target of calls that changed no file, are
    left out.
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
    items: tuple[list[str], ...] = ()
    error: str = ""
    choices: tuple[list[str], ...] = ()
    plan: tuple[str, ...] = ()
    short: bool = False


class FilesChanged(Event, frozen=True, kw_only=True, tag="files.changed"):
    """Files that a turn's shell commands wrote, found by git.

    paths: the files; count: their number, including those not in paths; restored: files that the
    session had changed and that have their committed content again (`git checkout FILE`, a stash).
    """

    paths: list[str] = []
    count: int = 0
    restored: list[str] = []


class ToolFailed(Event, frozen=True, kw_only=True, tag="tool.failed"):
    """A tool call failed (hook PostToolUseFailure).

    tool: name of the tool; use: the client's tool_use_id; target: path, or beginning of the
    command; subject: of a skill, agent or task call; ok: always false; ms: duration, as the
    client reports it; input_size, output_size: characters; digest: of an output of more than 400
    characters; error: the whole text if short, else its most relevant lines; tests: as for
    `tool.finished`; interrupted: the user interrupted the call; short: as for `tool.finished`.
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
