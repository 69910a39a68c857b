"""Commands about the journal as files: check, repair, seal, rebuild, export."""

from typing import Annotated, Literal

import typer

from cli import options
from cli.options import CommandGroup, argument, flag, option, scope_of

_PANEL = "Maintain"

app = typer.Typer()
config = typer.Typer(
    cls=CommandGroup,
    help="Show, set or check the settings, and where each comes from.",
    invoke_without_command=True,
)
app.add_typer(config, name="config", rich_help_panel=_PANEL)


@app.command(rich_help_panel=_PANEL)
def verify(
    strict: Annotated[bool, flag("--strict", "Count every finding as an error.")] = False,
    salvage: Annotated[bool, flag("--salvage", "Count only a lost record as an error.")] = False,
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Check every line of the journal; change nothing.

    Torn records (a process died while writing), event types of a newer version, and gaps that a
    repair has recorded are not errors.
    """
    from cli.integrity import verify as run

    return run(scope_of(project, json), strict=strict, salvage=salvage)


@app.command(rich_help_panel=_PANEL)
def repair(project: options.Project = "", json: options.Json = False) -> int:
    """Remove damaged lines; the original segment stays in quarantine/."""
    from cli.integrity import repair as run

    return run(scope_of(project, json))


@app.command(rich_help_panel=_PANEL)
def seal(
    no_compress: Annotated[
        bool, flag("--no-compress", "Close the segment, but compress nothing.")
    ] = False,
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Close the active segment and compress the sealed ones."""
    from cli.integrity import seal as run

    return run(scope_of(project, json), no_compress=no_compress)


@app.command(rich_help_panel=_PANEL)
def rebuild(project: options.Project = "", json: options.Json = False) -> int:
    """Delete everything derived from the project's logs, and rebuild it."""
    from cli.integrity import rebuild as run

    return run(scope_of(project, json))


@app.command(rich_help_panel=_PANEL)
def redact(
    pattern: Annotated[str, option("--pattern", "REGEX", "Replace what REGEX matches.")] = "",
    rules: Annotated[bool, flag("--rules", "Replace what today's redaction rules find.")] = False,
    from_file: Annotated[str, option("--from", "FILE", "Read the secret from FILE.")] = "",
    yes: options.Yes = False,
    all_projects: options.AllProjects = False,
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Replace a secret everywhere; without --yes, only count it.

    The command asks for the secret without showing it, or reads it from stdin or a file, so that it
    is in no shell history. No copy of the old bytes is made.
    """
    from cli.forget import redact as run

    scope = scope_of(project, json, every=all_projects)
    return run(scope, pattern=pattern, rules=rules, from_file=from_file, yes=yes)


@app.command(rich_help_panel=_PANEL)
def gc(
    classes: Annotated[
        list[str] | None,
        option(
            "--class",
            "NAME",
            "observations, prompts, conversations or quarantine. Repeatable.",
            # As `forget.collect.CLASSES`, which loads the typed library; a test compares both.
            autocompletion=lambda: ("observations", "prompts", "conversations", "quarantine"),
        ),
    ] = None,
    older_than: Annotated[
        int | None,
        options.number(
            "--older-than", "Minimum age of these texts, in days.", unit="DAYS", most=36_500
        ),
    ] = None,
    yes: options.Yes = False,
    all_projects: options.AllProjects = False,
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Remove old texts by class; without --yes, only count them.

    It never runs by itself. Sessions, compactions and all counts stay. Without --class and
    --older-than the gc.* settings decide; their defaults remove nothing.
    """
    from cli.forget import gc as run

    scope = scope_of(project, json, every=all_projects)
    return run(scope, classes=classes or [], older_than=older_than or 0, yes=yes)


TargetOption = Annotated[
    str, option("--to", "DIR|URL", "A directory, or a URL such as s3://BUCKET/PREFIX.")
]
LevelOption = Annotated[
    Literal["full", "paths", "none"] | None,
    option(
        "--redact",
        "full|paths|none",
        "full (default): no text and no paths; paths: file names without their folders; "
        "none: as in the journal, where secrets are redacted.",
    ),
]
AuthorOption = Annotated[str, option("--author", "NAME", "Name for the column author.")]
HostOption = Annotated[str, option("--host", "NAME", "Name for the column host.")]
FormOption = Annotated[
    Literal["delta", "parquet"] | None,
    option(
        "--format",
        "delta|parquet",
        "delta: tables that a team shares (default for a URL); parquet: plain files "
        "(default for a directory).",
    ),
]
CompactOption = Annotated[
    bool, flag("--compact", "Export nothing; join the small files of a team's tables.")
]
ForgetOption = Annotated[
    str,
    option(
        "--forget",
        "KIND:NAME",
        "Export nothing; delete the rows of repo:, person:, session:, project: or "
        "origin:NAME, and check that none is left.",
    ),
]


@app.command(rich_help_panel=_PANEL)
def export(
    to: TargetOption,
    redact: LevelOption = None,
    author: AuthorOption = "",
    host: HostOption = "",
    form: FormOption = None,
    compact: CompactOption = False,
    forget: ForgetOption = "",
    dry_run: options.DryRun = False,
    project: options.OneProject = "",
    json: options.Json = False,
) -> int:
    """Write history to Parquet files, or to the tables of a team.

    DuckDB, Spark, ClickHouse and Trino read them. Writes only what is new since the last export.
    docs/export.md has examples; docs/team.md is about a team's tables.
    """
    from cli.export import ExportCall, run

    call = ExportCall(to, form or "", redact or "", author, host, dry_run, compact, forget)
    return run(scope_of(project, json, every=not project), call)


@config.callback()
def config_settings(
    context: typer.Context, project: options.Project = "", json: options.Json = False
) -> int:
    """Show, set or check the settings, and where each comes from."""
    from cli.config import show

    return 0 if context.invoked_subcommand else show(scope_of(project, json))


@config.command("show")
def show_settings(project: options.Project = "", json: options.Json = False) -> int:
    """Show the settings in effect and where each comes from.

    `journal config` alone does the same.
    """
    from cli.config import show

    return show(scope_of(project, json))


def _setting_names() -> list[str]:
    """Return the settings, for completion."""
    from journal.config.schema import DEFAULTS

    return list(DEFAULTS)


@config.command("set", context_settings={"ignore_unknown_options": True})  # -1 is a value
def set_setting(
    key: Annotated[
        str, argument("KEY", "The setting, such as pressure.info.", autocompletion=_setting_names)
    ],
    value: Annotated[str, argument("VALUE", "Its value: 0.65, on, off, a word, or a,b,c.")],
    project: options.Project = "",
    json: options.Json = False,
) -> int:
    """Set a value in your own configuration file; the rest of the file stays as it is."""
    from cli.config import set_setting

    return set_setting(scope_of(project, json), key, value)


@config.command("check")
def check_settings(project: options.Project = "", json: options.Json = False) -> int:
    """Check the configuration files; print each mistake with its line and a correction."""
    from cli.config import check

    return check(scope_of(project, json))
