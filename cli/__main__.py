"""`journal`, also as `python -m cli`."""

import gc
import os
import sys

_PROGRAMS = {"hook": "run.py", "statusline": "statusline.py"}
_THRESHOLD = 100_000  # a command makes much that lives until its end, and hardly any cycle


def main() -> int:
    """Run the command line of this process and return its exit code."""
    arguments = sys.argv[1:]
    if arguments in (["hook"], ["statusline"]):  # Claude Code waits, and loading typer takes 0.1 s
        return hand_over(arguments[0])
    if arguments == ["mcp"]:  # an MCP client waits as well
        from cli.mcp.server import serve

        return serve(os.environ)
    gc.set_threshold(_THRESHOLD)
    try:
        from cli.app import run
    except EOFError as error:
        from journal.bytecode import remove_cut

        remove_cut(error)
        from cli.app import run

    code = run(arguments)
    if "_duckdb" not in sys.modules:  # DuckDB 2.0.0 reports on stderr what is then left of it
        gc.freeze()  # when it ends, Python would search all that is left for cycles
    return code


def hand_over(name: str) -> int:
    """Become a program that Claude Code runs; if it cannot be started, return 0, its exit code.

    name: "hook" or "statusline". The program reads stdin. Nothing of `hooks` is imported.
    """
    code = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    program = os.path.join(code, "hooks", _PROGRAMS[name])
    try:
        os.execv(sys.executable, [sys.executable, "-I", "-S", program])  # noqa: S606
    except OSError:
        return 0


if __name__ == "__main__":
    sys.exit(main())
