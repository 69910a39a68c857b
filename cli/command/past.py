"""Commands about past sessions: find them, bring them back, export parts, summarise, serve."""

from __future__ import annotations

from cli.table import JSON, PROJECT, READING, SESSION, WRITING, Command, Param

__all__ = ["ROWS"]

_STATUS = Param(
    "status",
    "word",
    "Only sessions that are over, or only those that are not.",
    ("--status",),
    words=("completed", "open"),
)
_SINCE = Param("since", "text", "Only sessions from then on.", ("--since",), "TIME")
_ALL = Param("all_projects", "flag", "All projects together.", ("--all", "--all-projects"))
_ONE = PROJECT._replace(help="Only this project: its directory, or the name of its journal.")
_DRY = Param("dry_run", "flag", "Say what would be recorded, and record nothing.", ("--dry-run",))

ROWS = (
    Command(
        "sessions",
        "Past",
        "cli.past.get:sessions",
        "List sessions, newest first.",
        (
            _SINCE,
            _STATUS,
            Param("limit", "count", "Only the newest N.", ("--limit",)),
            _ALL,
            *READING,
        ),
    ),
    Command(
        "search",
        "Past",
        "cli.past.search:search",
        "Search past sessions, best first.\n\n"
        "By words, and with the extra `semantic` by meaning: titles, prompts, summaries, "
        "decisions, files and errors of all projects. `journal get ID` prints what was found.",
        (
            Param("query", "texts", "What to look for.", metavar="QUERY", required=True),
            _SINCE,
            _STATUS,
            Param("limit", "count", "At most N hits (10).", ("--limit",)),
            _ONE,
            JSON,
        ),
    ),
    Command(
        "get",
        "Past",
        "cli.past.get:get",
        "Print summaries, decisions and files of past sessions.\n\n"
        "SELECTOR is last, last N, numbers of the list (1,3 or 1-3), all, session ids or their "
        "beginnings, or words to search for. Without it the completed sessions are listed, "
        "numbered, newest first.",
        (
            Param("selector", "texts", "Which sessions.", metavar="[SELECTOR]"),
            Param("limit", "count", "List, or find by a search, at most N.", ("--limit",)),
            _ALL,
            *READING,
        ),
    ),
    Command(
        "export-session",
        "Past",
        "cli.past.export:export_session",
        "Make sessions of their own from parts of one.\n\n"
        "What was done is grouped by unit of work, stage, pause and files, and shown with counts. "
        "What is picked is summarised and can be searched for from then on; with nothing picked, "
        "nothing is written.",
        (
            Param(
                "pick",
                "text",
                "Groups to export: 1,3 or 1-3 or all; without it a terminal is asked.",
                ("--pick",),
                "NUMBERS",
            ),
            Param(
                "plan",
                "text",
                "Other groups, from a JSON file or - for stdin: a list of "
                "{title, groups or seqs, summary}.",
                ("--plan",),
                "FILE",
            ),
            Param(
                "title",
                "texts",
                "Title of a group that is picked, in the order they are; may be given again.",
                ("--title",),
                "TEXT",
            ),
            _DRY,
            *WRITING,
        ),
    ),
    Command(
        "summarize",
        "Past",
        "cli.past.summarize:summarize",
        "Summarise sessions that are over.\n\n"
        "Those whose last state has no summary yet. The engine extractive works offline and costs "
        "nothing; claude (an extra) sends what is known of a session to the model, which costs "
        "tokens.",
        (
            Param(
                "engine",
                "word",
                "How (summary.engine).",
                ("--engine",),
                words=("extractive", "claude"),
            ),
            Param("again", "flag", "Also those that have one.", ("--again",)),
            Param("every", "flag", "All projects.", ("--all", "--all-projects")),
            _DRY,
            SESSION,
            *READING,
        ),
    ),
    Command(
        "serve",
        "Past",
        "cli.serve.command:serve",
        "Serve a page of past sessions, and its API, on 127.0.0.1.",
        (
            Param("port", "count", "Port on 127.0.0.1 (serve.port, 3048).", ("--port",)),
            Param("open_page", "flag", "Open the page in a browser.", ("--open",)),
        ),
    ),
)
