"""A DuckDB connection that checks statements before it runs them, and translates errors.

Only this module imports DuckDB. Invariant: after `lock` no statement opens any other file, uses
the network, loads an extension or writes a file. DuckDB's settings do not prevent writing to a
file that may be read, so statements that could write are refused before they run.
"""

from __future__ import annotations

import errno
import json
import os
import re
from typing import TYPE_CHECKING, Any

from journal.errors import JournalError, UsageError
from journal.history.tables.columns import identifier, literal, literals
from journal.history.tables.schema import TABLES, types_of
from journal.text import suggestion

if TYPE_CHECKING:
    import duckdb
else:
    import _duckdb as duckdb  # the compiled part: the rest takes 0.1 s to load and is not needed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_CONFIG: dict[str, Any] = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_persistent_secrets": False,
    "allow_unsigned_extensions": False,
    "python_enable_replacements": False,
}
_READS = ("SELECT", "EXPLAIN", "MULTI")
_CREATES = re.compile(
    r"create\s+(or\s+replace\s+)?(temp(orary)?\s+)?(table|view|macro|function|type)\b"
)
_PLAN = "explain (format json) "
_REMEDY = "queries only read; --unsafe lets them do anything"
_ZONED = "TIMESTAMP WITH TIME ZONE"
_OUTSIDE = (duckdb.IOException, duckdb.PermissionException, duckdb.OutOfMemoryException)


class QueryResult:
    """The rows of one statement. names, types: of the columns; types as DuckDB writes them."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection, names: list[str] | None = None) -> None:
        described = cursor.description or []
        self.names = names or [str(item[0]) for item in described]
        self.types = [str(item[1]) for item in described]
        self._cursor = cursor

    def rows(self, size: int = 2000) -> Iterator[list[tuple[Any, ...]]]:
        """Yield the rows in lists of at most `size`."""
        try:
            while batch := self._cursor.fetchmany(size):
                yield batch
        except duckdb.InvalidInputException as error:
            if _ZONED not in str(self.types):
                raise
            what = "a time with a zone cannot be returned from this statement"
            raise UsageError(what, "cast it: COLUMN::timestamp") from error

    def all(self) -> list[tuple[Any, ...]]:
        """Return all rows at once."""
        return self._cursor.fetchall()


class Engine:
    """One connection in memory.

    temp: directory for data that does not fit into memory, "" for none. memory: the limit, as
    DuckDB writes it. tables: names for hints. missing: called with the text of an error; creates
    what the error says is missing and returns whether it did.
    """

    def __init__(self, temp: str = "", memory: str = "") -> None:
        config = {**_CONFIG, "temp_directory": temp}
        if memory:
            config["memory_limit"] = memory
        self._connection = duckdb.connect(config=config)
        self._connection.execute("set enable_progress_bar=false")  # it would go to stdout
        self._connection.execute("set TimeZone='UTC'")  # so that now() compares with recorded times
        self._locked = False
        self.tables: Iterable[str] = ()
        self.missing: Callable[[str], bool] = lambda _message: False

    def run(self, sql: str, params: Mapping[str, str] | Sequence[Any] | None = None) -> QueryResult:
        """Run one of the journal's own statements.

        Raise JournalError if a file is not there, or if memory or disk are full.
        """
        try:
            return QueryResult(self._interruptible(sql, params))
        except _OUTSIDE as error:  # perhaps `journal rebuild` or `redact` has removed the file
            raise self._translated(error, sql) from error

    def _interruptible(self, statement: Any, params: Any) -> Any:
        """Run a statement in a thread, so that Ctrl-C ends it at once.

        In the main thread DuckDB sometimes never checks whether Ctrl-C was pressed.
        """
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(1) as pool:
            running = pool.submit(self._connection.execute, statement, params or None)
            try:
                return running.result()
            except KeyboardInterrupt:
                self._connection.interrupt()
                raise

    def for_arrow(self) -> Any:
        """Return the connection to exchange rows with other libraries: `sql`, `register`."""
        import duckdb as package  # adds relations to the connection

        assert package
        return self._connection

    def make_table(self, name: str, kinds: Mapping[str, str], rows: list[tuple[Any, ...]]) -> None:
        """Create a temporary table. kinds: name of each column → type."""
        columns = ",".join(f"{identifier(column)} {kind}" for column, kind in kinds.items())
        self._connection.execute(f"create or replace temp table {name} ({columns})")
        structure = {
            name: ["VARCHAR"] if kind.endswith("[]") else kind for name, kind in kinds.items()
        }
        listed = [dict(zip(kinds, row, strict=True)) for row in rows]
        self._connection.execute(
            f"insert into {name} select r.* from (select unnest(from_json(?, ?)) as r)",
            [json.dumps(listed), json.dumps([structure])],
        )

    def lock(self, directories: Iterable[str], paths: Iterable[str]) -> None:
        """Allow only these directories and files from now on, and no change of settings."""
        self._connection.execute(f"set allowed_directories={literals(directories)}")
        self._connection.execute(f"set allowed_paths={literals(paths)}")
        self._connection.execute("set enable_external_access=false")
        self._connection.execute("set lock_configuration=true")
        self._locked = True

    def query(self, text: str, params: Mapping[str, str]) -> Iterator[QueryResult]:
        """Run the statements of a user's query; all are checked before the first one runs.

        Raises UsageError or JournalError.
        """
        try:
            statements = self._connection.extract_statements(text)
            wanted = {name for item in statements for name in item.named_parameters}
            self._check_params(wanted, params)
            if self._locked:
                for item in statements:
                    self._refuse(item, text)
            for item in statements:
                values = {name: params[name] for name in item.named_parameters}
                yield self._execute(item, values)
        except duckdb.Error as error:
            raise self._translated(error, text) from error
        except (ValueError, IndexError) as error:  # a statement type unknown to the binding
            raise UsageError(f"not a query: {error}", _REMEDY) from error

    def write_parquet(self, text: str, params: Mapping[str, str], path: str) -> int:
        """Write the rows of one query as Parquet and return their number."""
        try:
            found = self._connection.extract_statements(text)
            if len(found) != 1 or self._kind(found[0]) != "SELECT":
                raise UsageError("--parquet takes one SELECT", "give a single query")
            self._check_params(found[0].named_parameters, params)
            if self._locked:
                self._refuse(found[0], text)
            options = "(format parquet, compression zstd, use_tmp_file false)"
            copying = f"copy ({_plain(found[0])}\n) to {literal(path)} {options}"
            ((count,),) = self._execute(found[0], params, copying).all()
            return int(count)
        except duckdb.Error as error:
            raise self._translated(error, text) from error

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    # -- which statements may run ----------------------------------------------------------------

    def _kind(self, statement: duckdb.Statement) -> str:
        return str(statement.type).rpartition(".")[2]

    def _check_params(self, wanted: Iterable[str], values: Mapping[str, str]) -> None:
        wanted = set(wanted)
        if missing := sorted(wanted - set(values)):
            raise UsageError(f"no value for ${missing[0]}", f"give it: --param {missing[0]}=VALUE")
        if extra := sorted(set(values) - wanted):
            raise UsageError(f"--param {extra[0]}: the query has no ${extra[0]}")

    def _refuse(self, statement: duckdb.Statement, text: str) -> None:
        kind = self._kind(statement)
        tokens = self._tokens(statement.query or text)
        plain = " ".join(tokens)
        # A statement without text is part of a PIVOT in DuckDB before 2.0.
        creates = kind == "CREATE" and (not statement.query or _CREATES.match(plain))
        if not (kind in _READS or creates):
            raise UsageError(f"{kind.lower()} statements are not run here", _REMEDY)
        if "copy" in tokens or (kind == "EXPLAIN" and "analyze" in tokens[:6]):
            what = "copy" if "copy" in tokens else "explain analyze"
            raise UsageError(f"{what} is not run here", _REMEDY)

    def _tokens(self, text: str) -> list[str]:
        """Return a statement's keywords and unquoted names in lower case."""
        tokens = duckdb.tokenize(text)
        raw = text.encode()
        ends = [at for at, _kind in tokens[1:]] + [len(raw)]
        return [
            raw[start:end].decode("utf-8", "replace").strip().lower()
            for (start, kind), end in zip(tokens, ends, strict=True)
            if str(kind).rpartition(".")[2] in ("keyword", "identifier")
        ]

    def _execute(
        self, statement: duckdb.Statement, values: Mapping[str, str], copying: str = ""
    ) -> QueryResult:
        """Run a checked statement; create the tables it lacks, and run it again.

        copying: SQL that writes the statement's rows, run instead of it.
        """
        while True:
            try:
                self._refuse_writing(statement, values)
                found = self._interruptible(copying or statement, values)
                return self._in_utc(QueryResult(found), statement, values)
            except duckdb.Error as error:
                if not self.missing(str(error)):
                    raise

    def _refuse_writing(self, statement: duckdb.Statement, values: Mapping[str, str]) -> None:
        """Refuse a statement whose plan writes a file."""
        explained = self._kind(statement) == "EXPLAIN"  # that is not executed
        if not self._locked or explained or not statement.query:
            return
        rows = self._connection.execute(_PLAN + statement.query, values or None).fetchall()
        if "COPY" in str(_operators(json.loads(rows[0][1]))):
            raise UsageError("a statement that writes a file is not run here", _REMEDY)

    def _in_utc(
        self, result: QueryResult, statement: duckdb.Statement, values: Mapping[str, str]
    ) -> QueryResult:
        """Convert times with a zone to UTC: to return them, DuckDB needs another package."""
        is_query = self._kind(statement) == "SELECT" and bool(statement.query)
        if _ZONED not in str(result.types) or not is_query:
            return result
        names = [f"c{at}" for at in range(len(result.types))]
        chosen = ",".join(
            f"{name}::{kind.replace(_ZONED, 'TIMESTAMP')} as {name}" if _ZONED in kind else name
            for name, kind in zip(names, result.types, strict=True)
        )
        text = f"select {chosen} from ({_plain(statement)}\n) t({','.join(names)})"
        return QueryResult(self._connection.execute(text, values or None), result.names)

    # -- errors ----------------------------------------------------------------------------------

    def _translated(self, error: duckdb.Error, text: str) -> JournalError:
        """Translate an error of DuckDB: what is wrong, where, and what to do."""
        lines = str(error).split("\n")
        what = lines[0].partition(" Error: ")[2] or lines[0]
        if isinstance(error, duckdb.PermissionException):
            return UsageError(what, "queries only read the journals; --unsafe lifts that")
        if isinstance(error, duckdb.OutOfMemoryException):
            less = "query less at once: one project, a shorter time, fewer columns"
            return JournalError("", what, f"{less}; --unsafe lifts the limit")
        if isinstance(error, duckdb.IOException):
            for full in map(os.strerror, (errno.ENOSPC, errno.EDQUOT)):
                if full in what:  # however it is wrapped
                    return JournalError("", full.lower(), "free some space, then try again")
            what = re.sub(r'"[^"]*"', "a file of the journal", what)
            return JournalError("", what, "try again, then run: journal rebuild, journal verify")
        wrong = UsageError(what, self._hint(what, lines))
        at = next((n for n, line in enumerate(lines) if line.startswith("LINE ")), -1)
        if at >= 0:
            head, _, excerpt = lines[at].partition(": ")
            caret = lines[at + 1].find("^") if at + 1 < len(lines) else -1
            column = caret - len(head) - 2 + 1
            number = head.removeprefix("LINE ")
            cut = excerpt.startswith("...")  # DuckDB shows a part of a long line
            if excerpt.startswith(_PLAN):  # planning it failed
                excerpt, column = excerpt.removeprefix(_PLAN), column - len(_PLAN)
            for at in range(len(_PLAN) - 1):
                excerpt = excerpt.removeprefix(f"...{_PLAN[at:]}")
            wrong.path = f"query:{number}" + (f":{column}" if column > 0 and not cut else "")
            wrong.excerpt = excerpt
        elif text.strip() and "syntax error" in what:
            wrong.path = "query"
        return wrong

    def _hint(self, what: str, lines: list[str]) -> str:
        missing = re.search(r"(?:Table|View) with name (\S+) does not exist", what)
        if missing:
            tables = f"tables: {', '.join(self.tables)}"
            return f"{suggestion(missing[1].lower(), self.tables)} {tables}".lstrip()
        column = re.search(r'Referenced column "(\w+)" not found', what)
        owners = [name for name in TABLES if column and column[1].lower() in types_of(name)]
        start = "Candidate bindings: "
        likely = next((line for line in lines if line.startswith(start)), "")
        likely = likely.removeprefix(start).replace('"', "")
        longer = [name for name in likely.split(", ") if column and column[1].lower() in name]
        if column and owners and not longer:
            return f"{column[1]} is a column of {' and '.join(owners)}"
        if likely:
            return "columns like it: " + (", ".join(longer) or likely)
        if "column" in what.lower():
            return "journal schema TABLE prints a table's columns"
        return "journal schema prints the tables"


def _plain(statement: duckdb.Statement) -> str:
    """Return the text of a statement up to its semicolon, to be put into another one."""
    raw = statement.query.encode()
    ends = [at for at, _kind in duckdb.tokenize(statement.query) if raw[at : at + 1] == b";"]
    return raw[: ends[0]].decode() if ends else statement.query


def _operators(plan: Any) -> list[str]:
    if isinstance(plan, list):
        return [name for item in plan for name in _operators(item)]
    if isinstance(plan, dict):
        return [str(plan.get("name", "")).upper(), *_operators(plan.get("children", []))]
    return []
