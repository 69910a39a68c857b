"""Commands about past sessions: find them, bring them back, export parts, summarize, serve."""

from typing import Annotated, Literal

import typer

from cli import options
from cli.options import CommandGroup, argument, flag, option, scope_of

_PANEL = "Past sessions"

StatusOption = Annotated[
    Literal["completed", "open"] | None,
    option("--status", "completed|open", "Only ended sessions, or only open ones."),
]

app = typer.Typer()
pack = typer.Typer(
    cls=CommandGroup,
    help="Combine past sessions into a pack, and send it to a session.",
    no_args_is_help=True,
)
app.add_typer(pack, name="pack", rich_help_panel=_PANEL)


@app.command(rich_help_panel=_PANEL)
def sessions(
    since: options.Since = "",
    status: StatusOption = None,
    limit: Annotated[int | None, options.number("--limit", "Only the newest N.")] = None,
    all_projects: options.AllProjects = False,
    project: options.Project = "",
    json: options.Json = False,
    no_import: options.NoImport = False,
) -> int:
    """List sessions, newest first.

    In a wide terminal TROUBLE counts calls and tests that failed again and again, files edited
    again and again, and discarded changes; `journal get ID` names them.
    """
    from cli.past.get import sessions as show

    scope = scope_of(project, json, no_import=no_import, every=all_projects)
    return show(scope, since=since, status=status or "", limit=limit)


@app.command(rich_help_panel=_PANEL)
def search(
    query: Annotated[list[str] | None, argument("QUERY", "Words to search for.")] = None,
    since: options.Since = "",
    status: StatusOption = None,
    limit: Annotated[
        int, options.number("--limit", "At most N results (default: 10).", most=1000)
    ] = 10,
    fetch_model: Annotated[
        bool, flag("--fetch-model", "Download the model for search by meaning; do not search.")
    ] = False,
    project: options.OneProject = "",
    json: options.Json = False,
    no_import: options.NoImport = False,
) -> int:
    """Search past sessions, best match first.

    Searches titles, prompts, summaries, decisions, files and errors of all projects by words, and
    with the extra `semantic` by meaning. `journal get ID` prints a session that was found.
    """
    from cli.past.search import fetch_model as fetch
    from cli.past.search import search as run

    scope = scope_of(project, json, no_import=no_import, every=not project)
    if fetch_model:
        return fetch(scope)
    return run(scope, query or [], since=since, status=status or "", limit=limit)


@app.command(rich_help_panel=_PANEL)
def get(
    selector: Annotated[list[str] | None, argument("SELECTOR", "Which sessions.")] = None,
    limit: Annotated[int | None, options.number("--limit", "List or find at most N.")] = None,
    all_projects: options.AllProjects = False,
    project: options.Project = "",
    json: options.Json = False,
    no_import: options.NoImport = False,
) -> int:
    """Print summaries, decisions and files of past sessions.

    SELECTOR is last, last N, numbers of the list (1,3 or 1-3), all, session IDs or their
    beginnings, or words to search for. Without it you get the numbered list of ended sessions,
    newest first.
    """
    from cli.past.get import get as show

    scope = scope_of(project, json, no_import=no_import, every=all_projects)
    return show(scope, selector=selector, limit=limit)


@app.command(rich_help_panel=_PANEL)
def show(
    selector: Annotated[
        list[str] | None, argument("SELECTOR", "Which session: last (default), a number, an ID.")
    ] = None,
    tools: Annotated[bool, flag("--tools", "Show the input and output of each tool call.")] = False,
    markdown: Annotated[bool, flag("--markdown", "Print Markdown.")] = False,
    html: options.Html = "",
    force: options.Force = False,
    all_projects: options.AllProjects = False,
    project: options.Project = "",
    json: options.Json = False,
    no_import: options.NoImport = False,
) -> int:
    """Read a session: prompts, answers, tool calls, compactions, decisions.

    SELECTOR is last, a number of the list that `journal get` prints, or a session ID or the
    beginning of one. The text comes from Claude Code's transcript if it still exists, otherwise
    from the journal; the output says which. In a terminal it opens in your pager (PAGER, else
    less). Secrets are redacted and <private> text is left out in every format.
    """
    from cli.show.command import show as run

    return run(
        scope_of(project, json, no_import=no_import, every=all_projects),
        selector=selector or ["last"],
        tools=tools,
        as_markdown=markdown,
        html_file=html,
        force=force,
    )


@app.command("export-session", rich_help_panel=_PANEL)
def export_session(
    pick: Annotated[
        str,
        option(
            "--pick",
            "NUMBERS",
            "Groups to export: 1,3 or 1-3 or all. Without it a terminal asks you.",
        ),
    ] = "",
    plan: Annotated[
        str,
        option(
            "--plan",
            "FILE",
            "Groups of your own, from a JSON file or - for stdin: a list of "
            "{title, groups or seqs, summary}.",
        ),
    ] = "",
    title: Annotated[
        list[str] | None,
        option(
            "--title", "TEXT", "Title of a picked group, in the order of the groups. Repeatable."
        ),
    ] = None,
    dry_run: options.DryRun = False,
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
) -> int:
    """Make new sessions from parts of one session.

    The work is grouped by unit of work, stage, pause and files, and shown with counts. Each group
    you pick is summarized, and search finds it from then on. If you pick none, nothing is written.
    """
    from cli.past.export import export_session as run

    scope = scope_of(project, json, session)
    return run(scope, pick=pick, plan=plan, title=title, dry_run=dry_run)


@app.command(rich_help_panel=_PANEL)
def summarize(
    engine: Annotated[
        Literal["extractive", "claude"] | None,
        option(
            "--engine",
            "extractive|claude",
            "How to summarize (default: the setting summary.engine).",
        ),
    ] = None,
    again: Annotated[bool, flag("--again", "Also summarize sessions that have a summary.")] = False,
    all_projects: options.AllProjects = False,
    dry_run: options.DryRun = False,
    session: options.Session = "",
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Summarize ended sessions that have no current summary.

    The engine extractive works offline and costs nothing. The engine claude (an extra) sends the
    journal's facts about a session to the model, which costs tokens.
    """
    from cli.past.summarize import summarize as run

    scope = scope_of(project, json, session, every=all_projects)
    return run(scope, engine=engine or "", again=again, dry_run=dry_run)


@app.command(rich_help_panel=_PANEL)
def serve(
    port: Annotated[
        int | None,
        options.number(
            "--port",
            "Port on 127.0.0.1 (default: the setting serve.port, 3048).",
            least=0,
            most=65535,
        ),
    ] = None,
    open_page: Annotated[bool, flag("--open", "Open the page in a browser.")] = False,
    no_import: options.NoImport = False,
) -> int:
    """Serve the page of past sessions and its API on 127.0.0.1."""
    from cli.serve.command import serve as run

    return run(scope_of(no_import=no_import), port=port, open_page=open_page)


@app.command(rich_help_panel=_PANEL)
def mcp(project: options.OneProject = "") -> int:
    """Serve four tools over the Model Context Protocol (MCP).

    The tools are recall, get, note and status. Clients other than the plugin start this command and
    speak to it on stdin and stdout. The tools work on the project of the directory that the client
    starts it in.
    """
    import os

    from cli.mcp.server import serve

    return serve(os.environ, project)


@pack.command("make")
def pack_make(
    selector: Annotated[list[str], argument("SELECTOR", "Which sessions: last 2, 1,3, 1-3, IDs.")],
    title: Annotated[str, option("--title", "TEXT", "Title of the pack.")] = "",
    note: Annotated[str, option("--note", "TEXT", "A text before the sessions.")] = "",
    send_to: Annotated[str, option("--send-to", "ID", "Also send it to this session.")] = "",
    dry_run: options.DryRun = False,
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Save a pack of past sessions: their titles, summaries, decisions and files."""
    from cli.past.packs import make

    scope = scope_of(project, json)
    return make(scope, selector=selector, title=title, note=note, send_to=send_to, dry_run=dry_run)


@pack.command("list")
def pack_list(project: options.Project = "", json: options.Json = False) -> int:
    """List the saved packs of the project, newest first."""
    from cli.past.packs import listing

    return listing(scope_of(project, json))


@pack.command("send")
def pack_send(
    pack: Annotated[str, argument("PACK", "ID of a saved pack, or last.")],
    session: Annotated[str, argument("SESSION", "ID of a session.")],
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Send a saved pack to a session: it gets it once, with its next prompt or recovery."""
    from cli.past.packs import send

    return send(scope_of(project, json), pack=pack, session=session)
