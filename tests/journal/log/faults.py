"""System calls that fail: the library that makes them fail, and work done under it."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from .book import NOW, Book

HERE = Path(__file__).parent
ROOT = HERE.parent.parent.parent
SHORT = 0

# What the children do; they print each acknowledged seq as "told N", or how the call failed.
WORK = """
import json, os, sys, traceback
sys.path.insert(0, sys.argv[1])
from journal.log.append import Writer, Busy
from journal.log import spool
from journal.log.repair import repair
from journal.log.seal import seal
from journal.log.rewrite import begin, finish, rewrite
from journal.history.forget.replace import Secret
from journal.errors import JournalError
from journal.log import maintenance
maintenance.PATIENCE = 0.2

def do(directory, work, now):
    event = {"type": "compact.started", "v": 1, "sid": "s", "text": "during"}
    try:
        if work == "spool":
            spool.put(directory, now, (event,))
        elif work == "repair":
            repair(directory, now)
        elif work == "seal":
            seal(directory, now)
        elif work == "rewrite":
            begin(directory)
            rewrite(directory, now, Secret("a-secret-1"))
            finish(directory, now, {"type": "journal.redacted", "v": 1, "sid": ""})
        else:
            with Writer(directory, now, deadline=0.2) as writer:
                if work == "roll":
                    writer.roll()
                for seq in writer.append(event):
                    print("told", seq)
    except Busy:
        print("busy")
    except (JournalError, OSError) as error:
        if getattr(error, "recorded", False):
            print("unsure")
        else:
            print("error", getattr(error, "remedy", ""))
"""


# A process with the library reads one request per line and does each in a child of its own: all is
# imported once, and the library counts the calls of each child from zero.
SERVE = f"""{WORK}
for line in sys.stdin:
    fault, *request = json.loads(line)
    pipes = os.pipe(), os.pipe()
    child = os.fork()
    if not child:
        for number, (_, end) in enumerate(pipes, 1):
            os.dup2(end, number)
        os.environ.update(FAULT=fault, FAULT_HOME=request[0])
        try:
            do(*request)
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(child, 0)
    texts = []
    for ours, end in pipes:
        os.close(end)
        with open(ours) as file:
            texts.append(file.read())
    print(json.dumps(texts), flush=True)
"""


@pytest.fixture(scope="session")
def shim(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile the library that makes system calls fail; return its path."""
    compiler = shutil.which("cc")
    if not compiler or sys.platform != "linux":
        pytest.skip("no C compiler: faults cannot be injected")
    library = tmp_path_factory.mktemp("shim") / "shim.so"
    command = [compiler, "-shared", "-fPIC", "-O1", "-D_LARGEFILE64_SOURCE", "-o", str(library),
               str(HERE / "shim.c"), "-ldl"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return library


Run = Callable[[Book, str, str], tuple[list[str], bool]]


@pytest.fixture(scope="module")
def run(shim: Path) -> Iterator[Run]:
    """Return how to do work with a fault: the lines the child printed, and whether it struck."""
    argv = [sys.executable, "-I", "-S", "-c", SERVE, str(ROOT)]
    env = {"PATH": os.environ["PATH"], "LD_PRELOAD": str(shim)}
    with subprocess.Popen(
        argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:

        def call(book: Book, work: str, fault: str) -> tuple[list[str], bool]:
            assert process.stdin
            assert process.stdout
            process.stdin.write(json.dumps([fault, book.directory, work, NOW]) + "\n")
            process.stdin.flush()
            out, err = json.loads(process.stdout.readline())
            assert err in ("", "struck\n")
            return out.split("\n"), bool(err)

        yield call


FAULTS = [
    (call, code)
    for call, codes in {
        "open": [errno.EIO, errno.ENOSPC, errno.EINTR, errno.EMFILE],
        "flock": [errno.EIO, errno.EINTR, errno.ENOLCK],
        "pread": [errno.EIO, errno.EINTR],
        "write": [errno.EIO, errno.ENOSPC, errno.EDQUOT, errno.EINTR, SHORT],
        "fdatasync": [errno.EIO, errno.ENOSPC],
        "fsync": [errno.EIO],
        "rename": [errno.EIO, errno.ENOSPC],
        "unlink": [errno.EIO],
        "ftruncate": [errno.EIO],
    }.items()
    for code in codes
]
TIMES = 40  # more calls of one kind than any work makes
