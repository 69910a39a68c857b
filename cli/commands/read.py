"""Commands that read the journal and change nothing."""

from typing import Annotated

import typer

from cli import options
from cli.options import argument, flag, option, scope_of
from cli.stats import NAMES as REPORTS
from cli.view import NAMES
from journal.history.usage import BY

_PANEL = "Read"
MarkdownOption = Annotated[bool, flag("--markdown", "Print a Markdown table.")]

app = typer.Typer()


@app.command(rich_help_panel=_PANEL)
def status(
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
    no_import: options.NoImport = False,
) -> int:
    """Show context left, unsaved work, compactions and sessions."""
    from cli.status import status as show

    return show(scope_of(project, json, session, no_import=no_import))


@app.command(rich_help_panel=_PANEL)
def view(
    name: Annotated[
        str, argument("NAME", f"One of {', '.join(NAMES)}.", autocompletion=lambda: NAMES)
    ],
    project: options.Project = "",
    json: options.Json = False,
    session: options.Session = "",
    until: options.Until = "",
    write: Annotated[
        bool,
        flag(
            "--write",
            "Write the stage view to the two files that scripts read: "
            ".claude/dev-cycle.state.json and .claude/.context-budget.json.",
        ),
    ] = False,
    no_import: options.NoImport = False,
) -> int:
    """Print one view as a JSON object.

    `complete` is false if a line of the journal could not be read; `seq` is the last event that the
    view contains. With --until it contains no imported sessions.
    """
    from cli.view.context import view as show

    scope = scope_of(project, json, session, no_import=no_import)
    return show(scope, name=name, until=until, write=write)


@app.command(rich_help_panel=_PANEL)
def events(
    types: Annotated[
        list[str] | None,
        option(
            "--type",
            "T",
            "Only this event type; a name that ends in a dot means all that begin with it. "
            "Repeatable.",
        ),
    ] = None,
    since: options.EventSince = "",
    until: options.Until = "",
    session: options.Session = "",
    limit: Annotated[
        int | None, options.number("--limit", "Only the last N of them.", least=0)
    ] = None,
    follow: options.Follow = False,
    project: options.Project = "",
    json: options.Json = False,
    no_import: options.NoImport = False,
) -> int:
    """Print the events, oldest first."""
    from cli.events import events as show

    scope = scope_of(project, json, session, no_import=no_import)
    return show(scope, types=types, since=since, until=until, limit=limit, follow=follow)


QueryArgument = Annotated[str, argument("QUERY", "The query; - reads it from stdin.")]
QueryFileOption = Annotated[str, option("--file", "FILE", "Read the query from a file.")]
ParamOption = Annotated[
    list[str] | None, option("--param", "NAME=VALUE", "Value of $NAME in the query. Repeatable.")
]
ParquetOption = Annotated[str, option("--parquet", "FILE", "Write the rows to a Parquet file.")]
UnsafeOption = Annotated[
    bool,
    flag("--unsafe", "Let the query read and write files, change settings and load extensions."),
]


@app.command(rich_help_panel=_PANEL)
def sql(
    query: QueryArgument = "",
    file: QueryFileOption = "",
    param: ParamOption = None,
    csv: Annotated[bool, flag("--csv", "Print CSV.")] = False,
    markdown: MarkdownOption = False,
    parquet: ParquetOption = "",
    unsafe: UnsafeOption = False,
    project: options.OneProject = "",
    json: options.Json = False,
    no_import: options.NoImport = False,
) -> int:
    """Query the journals of all projects with SQL.

    Tables: events, sessions, turns, tools, pressure, compactions, advice, stages, usage, hooks;
    `journal schema` describes them. Without a query it opens a prompt.
    """
    from cli.sql.command import sql as run

    return run(
        scope_of(project, json, no_import=no_import, every=not project),
        query=query,
        file=file,
        param=param,
        csv=csv,
        markdown=markdown,
        parquet=parquet,
        unsafe=unsafe,
    )


def _table_names() -> list[str]:
    """Return the tables, for completion."""
    from journal.history.tables.schema import TABLES

    return list(TABLES)


@app.command(rich_help_panel=_PANEL)
def schema(
    name: Annotated[str, argument("TABLE", "Only this table.", autocompletion=_table_names)] = "",
    markdown: MarkdownOption = False,
    json: options.Json = False,
) -> int:
    """Describe the tables and columns of `journal sql`."""
    from cli.sql.schema import schema as show

    return show(scope_of(json=json), name=name, markdown=markdown)


@app.command(rich_help_panel=_PANEL)
def stats(
    name: Annotated[
        str, argument("NAME", "Only this report.", autocompletion=lambda: REPORTS)
    ] = "",
    all_projects: options.AllProjects = False,
    since: options.Since = "",
    html: options.Html = "",
    force: options.Force = False,
    session: options.Session = "",
    project: options.Project = "",
    json: options.Json = False,
    no_import: options.NoImport = False,
) -> int:
    """Show reports: compactions, pressure, advice, stages, hooks, usage, sessions.

    NAME selects one of them. The pressure report draws one session: --session ID, else the latest
    with readings. A number that the log does not contain is shown as unknown.
    """
    from cli.stats.command import stats as show

    scope = scope_of(project, json, session, no_import=no_import, every=all_projects)
    return show(scope, name=name, since=since, html=html, force=force)


@app.command(rich_help_panel=_PANEL)
def team(
    at: Annotated[str, option("--at", "DIR|URL", "Directory or URL of the team's tables.")],
    name: Annotated[
        str,
        argument(
            "NAME",
            "compactions, pressure, advice, stages, hooks, usage or sessions.",
            autocompletion=lambda: REPORTS,
        ),
    ] = "",
    by: Annotated[
        list[str] | None,
        option(
            "--by",
            "GROUP",
            "Groups of the usage report, as in journal usage.",
            autocompletion=lambda: BY,
        ),
    ] = None,
    repo: Annotated[str, option("--repo", "HOST/OWNER/NAME", "Only this repository.")] = "",
    person: Annotated[str, option("--person", "ID", "Only this person.")] = "",
    origin: Annotated[str, option("--origin", "ID", "Only this journal home.")] = "",
    session: options.Session = "",
    since: options.Since = "",
    json: options.Json = False,
) -> int:
    """Show the reports of journal stats and usage over a team's tables.

    Here a project is a repository, whoever worked in it. The pressure report draws one session:
    --session ID, else the latest with readings. docs/team.md has queries for other engines.
    """
    from cli.team import team as show
    from journal.history.team.read import TeamFilter

    filters = TeamFilter(repo=repo, person=person, origin=origin, since=since)
    return show(scope_of("", json, session), name=name, at=at, by=by, filters=filters)


@app.command(rich_help_panel=_PANEL)
def usage(
    by: Annotated[
        list[str] | None,
        option(
            "--by",
            "GROUP",
            f"Group by {', '.join(BY[:-1])} or {BY[-1]} (default: day). "
            "Repeatable: --by day,model.",
            autocompletion=lambda: BY,
        ),
    ] = None,
    since: options.Since = "",
    until: Annotated[
        str,
        option(
            "--until",
            "TIME",
            "Only what happened until then: a date (with that day), a time, or an age.",
        ),
    ] = "",
    csv: Annotated[bool, flag("--csv", "Print CSV.")] = False,
    all_projects: options.AllProjects = False,
    session: options.Session = "",
    no_import: options.NoImport = False,
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Show tokens and cost, and how much of it compactions caused.

    Days, weeks and months are local; a block is five hours of use, as Claude's limits count them.
    Costs come from the program's own price list, not from the network. In a directory without a
    journal it shows all projects.
    """
    from cli.usage import usage as show

    scope = scope_of(project, json, session, no_import, every=all_projects)
    return show(scope, by=by, since=since, until=until, as_csv=csv)
