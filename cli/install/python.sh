# Sourced by bin/journal and bin/journal-dev with $root set: find_python KIND sets $python.
# A ready environment costs no Python start: its stamp holds the checksum of pyproject.toml.

journal_client=${CLAUDE_CONFIG_DIR:-${HOME:-/}/.claude}
journal_client=$(CDPATH='' cd -- "$journal_client" 2>/dev/null && pwd -P) ||
  journal_client=${CLAUDE_CONFIG_DIR:-${HOME:-/}/.claude}

ready() { # VENV KIND CHECKSUM
  [ -x "$1/bin/python" ] && [ -r "$1/.journal-$2" ] && read -r have <"$1/.journal-$2" &&
    [ "$have" = "$3" ]
}

find_python() { # run | dev
  sum=$(cksum <"$root/pyproject.toml") || return 3
  shared=${JOURNAL_HOME:-$journal_client/journal}/venv
  venv=$root/.venv
  # A copy the client installed is replaced at each update, so its environment lives elsewhere.
  if [ "$1" = run ]; then
    case $root/ in "$journal_client"/*) venv=$shared ;; esac
    [ -w "$root" ] || venv=$shared
  fi
  for place in "$root/.venv" "$shared"; do
    # In a home that others can write to, the directory might be theirs.
    [ "$place" != "$shared" ] || [ -O "$place" ] || continue
    if ready "$place" "$1" "$sum"; then
      python=$place/bin/python
      return 0
    fi
  done
  seen=
  for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
    command -v "$name" >/dev/null 2>&1 || continue
    if "$name" -E -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      python=$("$name" -E -P "$root/cli/install/environment.py" find "$root" "$venv" "$1" "$sum")
      return
    fi
    seen="$seen $name is $("$name" -V 2>&1 | head -n 1);"
  done
  echo "journal: error: no Python 3.11 or newer on PATH${seen:+ (${seen# })}" >&2
  echo "  install one (for example apt-get install python3, or brew install python) or add it to PATH" >&2
  return 3
}
