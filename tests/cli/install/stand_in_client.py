"""A stand-in for the client: records its arguments and edits settings.json the way the client does.

A program of its own (`Machine.with_client` writes it to PATH), or called in process by `answer`.
"""

import json
import os
import sys


def answer(arguments, env, cwd):
    """Answer one command line; return exit code, stdout and stderr."""
    with open(env["CALLS"], "a", encoding="utf-8") as file:
        file.write(json.dumps(arguments) + "\n")
    if env.get("FAIL", None) in arguments:
        return 1, "", "no such luck\n"
    if arguments == ["--version"]:
        return 0, env.get("VERSION", "2.1.330") + " (Claude Code)\n", ""
    path = env["HOME"] + "/.claude/settings.json"
    if "local" in arguments:
        path = cwd + "/.claude/settings.local.json"
    try:
        with open(path, encoding="utf-8-sig") as file:
            settings = json.load(file)
    except (FileNotFoundError, ValueError):
        settings = {}
    listed = _change(arguments[1:], settings, env)
    if listed is not None:
        return 0, json.dumps(listed) + "\n", ""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(os.path.realpath(path), "w", encoding="utf-8") as file:
        json.dump(settings, file, indent=2)  # the whole file, two spaces
    return 0, "", ""


def _change(words, settings, env):
    """Change the settings as a `plugin` command does; return what a command lists instead."""
    plugins = settings.setdefault("enabledPlugins", {})
    known = settings.setdefault("extraKnownMarketplaces", {})
    match words:
        case ["marketplace", "add", where, *_]:
            with open(where + "/.claude-plugin/marketplace.json", encoding="utf-8") as file:
                name = json.load(file)["name"]
            known[name] = {"source": {"source": "directory", "path": where}}
        case ["install", name, *_]:
            plugins[name] = True
        case ["uninstall", name, *_]:
            plugins.pop(name, None)
        case ["marketplace", "remove", name, *_]:
            known.pop(name, None)
        case ["marketplace", "list", "--json"]:
            return [{"name": name, **entry.get("source", {})} for name, entry in known.items()]
        case ["list", "--json"]:
            plugins |= dict.fromkeys(env.get("GHOST", "").split(), True)
            place = {name: entry.get("source", {}).get("path", "") for name, entry in known.items()}
            return [
                {
                    "id": name, "enabled": on, "scope": "user",
                    "readFromFolder": place.get(name.partition("@")[2], ""),
                }
                for name, on in plugins.items()
            ]  # fmt: skip
    return None


if __name__ == "__main__":
    code, out, err = answer(sys.argv[1:], os.environ, os.getcwd())
    sys.stdout.write(out)
    sys.stderr.write(err)
    sys.exit(code)
