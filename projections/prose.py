"""Shorten texts of people and models, and cut them into sentences without markup and small talk.

Pure and bounded. It works for languages that write no spaces between words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from journal.text import excerpt

EXCERPT = 300  # characters
_SEARCHED = 20_000  # characters of a text that are cut into sentences

REFUSED = "The user doesn't want to "
"""Beginning of the result of a call that the user refused or stopped with Esc."""
# Beginnings of texts that Claude Code writes in the user's place.
NOTIFIED, REMINDER, INTERRUPTED = "<task-notification>", "<system-reminder>", "[Request interrupted"
CONTINUED = "This session is being continued from a previous conversation"
SHELL_INPUT, SHELL_OUTPUT = "<bash-input>", "<bash-stdout>"  # of a `!` command
PLANNED = "Implement the following plan:"
IMAGE = "[Image #"  # begins the mark of an image in a prompt
STOPPED_BY_HOOK = "Operation stopped by hook"
CLARIFY = "wants to clarify these questions"
"""Part of Claude Code's own reason of a refusal."""
BY_CLIENT = (
    "<local-command-",
    "<bash-",
    INTERRUPTED,
    "<user-memory-input>",
    "Caveat: The messages below",
    STOPPED_BY_HOOK,
)
COMMAND = "<command-"
_MACHINE = (*BY_CLIENT, COMMAND, NOTIFIED, REMINDER, CONTINUED)

# Commands of Claude Code itself, which say nothing about the work.
_CLIENT = frozenset((
    "add-dir", "agents", "bug", "clear", "compact", "config", "context", "cost", "doctor", "effort",
    "exit", "export", "fast", "feedback", "help", "hooks", "ide", "login", "logout", "mcp",
    "memory", "model", "output-style", "permissions", "plugin", "quit", "reload-plugins", "rename",
    "resume", "rewind", "status", "statusline", "terminal-setup", "theme", "upgrade", "usage",
    "vim",
))  # fmt: skip
_OWN = "journal"  # the plugin's name

_ENDS = ".!?؟।۔"  # before white space; the last three are of Arabic, Hindi and Urdu
_WIDE_ENDS = "。！？｡…"  # of Japanese and Chinese
ENDS = _ENDS + _WIDE_ENDS  # how sentences end
QUESTION_MARKS = ("?", "？", "؟")
COLONS = (":", "\N{FULLWIDTH COLON}")
_CLOSING = "\"'”’」』）)]】》"
_MARKUP = " \t#>*-+=_|~•·"
_STRONG = "**"
_CONCRETE = frozenset("0123456789`\"'«“「")
_SIGNS = ("_", "/", ".", "()")  # within a word of a concrete sentence
_CLAUSE = 7  # characters of a Chinese clause that says what is wanted
_NUMBERED = ("sec", "fig", "eq", "tab", "ch", "art", "vol", "pp", "nr")  # with a number: "Fig. 2"
_PHRASE = 5  # characters of a Japanese, Chinese or Korean text that has more than one word
# Greetings, thanks and agreement, compared without case and punctuation.
_EMPTY = frozenset((
    "hi", "hello", "hey", "hi there", "hello there", "hi claude", "hello claude", "hey claude",
    "good morning", "good evening", "thanks", "thank you", "please", "ok", "okay", "yes", "sure",
    "done", "all done", "完了", "完了しました", "できました", "완료", "완료했습니다",
    "こんにちは", "おはよう", "おはようございます", "こんばんは", "お疲れ様です", "よろしく",
    "よろしくお願いします", "はい", "ありがとう", "ありがとうございます", "すみません",
    "안녕", "안녕하세요", "네", "감사합니다", "고마워", "부탁해", "부탁합니다", "부탁드립니다",
))  # fmt: skip

# First words of short English requests, and pronouns that do not say what they are about.
_VERBS = frozenset(
    """
    add build bump change clean convert create delete deploy document drop extract fix implement
    improve install make merge migrate move port publish refactor release remove rename replace
    revert rewrite set ship simplify split support test translate update upgrade write
""".split()
)
_PRONOUNS = frozenset(("it", "that", "this", "them", "these", "those", "sure"))

# Beginnings of sentences that only announce or offer something; those of the first kind also after
# a word such as "now".
_INTENTS = ("i'll ", "i’ll ", "i will ", "i need to ", "let me ", "let's ", "let’s ")
_LEADS = frozenset("now so but first then next and ok okay good great perfect alright".split())
_PLANS = (
    *_INTENTS, "next,", "now i", "shall i", "should i", "do you",
    "would you", "want me", "if you", "ich werde", "soll ich", "je vais", "voy a", "vou ", "я ",
    "これから", "次に", "では", "接下来", "让我", "이제", "다음",
)  # fmt: skip


def line(text: str, most: int) -> str:
    """Return a text as one line of at most `most` characters."""
    return excerpt(" ".join(text[: 4 * most + 200].split()), most)


def reason_of(refusal: str) -> str:
    """Return the reason that the user gave for refusing a call, "" for none."""
    return refusal.partition("the user said:")[2].partition("\n\nNote:")[0].strip()


def beginning(text: str) -> str:
    """Return the beginning of a text as one line."""
    return excerpt(" ".join(text[: 2 * EXCERPT].split()), EXCERPT)


def without_images(text: str) -> str:
    """Return a prompt without the marks of images that it begins with, as `[Image #1]`."""
    while text.startswith(IMAGE):
        text = text.partition("]")[2].lstrip()
    return text


def without_withdrawn(texts: Iterable[str], withdrawn: Sequence[str]) -> list[str]:
    """Return the prompts or answers that no rewind took back. withdrawn: beginnings of those."""
    return [text for text in texts if beginning(text) not in withdrawn]


def command_of(text: str) -> str:
    """Return the name of a prompt's slash command without the slash, "" if it has none.

    A path, as in `/home/dev/x is broken`, is not a command.
    """
    if not text.startswith("/"):
        return ""
    name = text[1:].split(None, 1)[0] if text[1:2].strip() else ""
    return "" if "/" in name or "." in name else name


def is_command(text: str, name: str) -> bool:
    """Return whether a prompt is a command, with or without the plugin's part of its name."""
    return command_of(text) in (name.lstrip("/"), name.rpartition(":")[2])


def is_own(text: str) -> bool:
    """Return whether a prompt is a command of this plugin."""
    name = command_of(text.lstrip())
    return name == _OWN or name.startswith(_OWN + ":")


def is_client_command(text: str) -> bool:
    """Return whether a prompt is a command of Claude Code itself, for which it calls no hook."""
    return command_of(text) in _CLIENT


def is_request(text: str) -> bool:
    """Return whether a prompt asks for work.

    Blank prompts, texts written by Claude Code, and commands of its own or of this plugin do not.
    """
    text = text.strip()
    if not text or text.startswith(_MACHINE) or is_own(text):
        return False
    return not is_client_command(text)


@lru_cache(maxsize=256)  # a fold checks the same few requests at each prompt
def is_substantial(text: str) -> bool:
    """Return whether a text says what is wanted, unlike "go on" or "続けて".

    It is long enough, has another word beside a name ("fix cart.py"), or says what to do with what
    ("add dark mode").
    """
    if "pasted_content" in text:
        from projections.pasted import MARK, without_pasted

        text = without_pasted(text).replace(MARK, "")
    bare = " ".join(text[:200].split())
    spaces = bare.count(" ")
    if bare.isascii():
        is_long = (len(bare) >= 20 and spaces >= 2) or _is_order(bare)
    else:
        is_long = len(bare) >= 10 or _is_chinese(bare)
    return is_long or (spaces > 0 and _has_name(bare.lstrip("/")))


def _is_order(text: str) -> bool:
    """Return whether a text begins with a verb and what it is about: "Add x", "2. fix x y"."""
    text = text.removeprefix(item_number(text)).lstrip()
    verb, about, *_ = [*text.casefold().rstrip(ENDS).split(" ", 2), "it", "it"]
    return verb in _VERBS and about not in _PRONOUNS


def _is_chinese(text: str) -> bool:
    """Return whether a text has a long clause of Chinese characters alone."""
    return any(
        len(clause) >= _CLAUSE and all("\u4e00" <= char <= "\u9fff" for char in clause)
        for clause in text.strip(ENDS).split("\N{FULLWIDTH COMMA}")
    )


def is_word(text: str) -> bool:
    """Return whether a short prompt is one word: "go", "続けて"."""
    bare = text.strip()
    return " " not in bare and (bare.isascii() or len(bare) < _PHRASE)


def is_greeting(text: str) -> bool:
    """Return whether a text is nothing but a greeting, thanks or agreement."""
    return text.strip(ENDS + _CLOSING + ",、, ").casefold() in _EMPTY


def is_concrete(text: str) -> bool:
    """Return whether a sentence has a number, a file, an identifier or a quotation."""
    if not _CONCRETE.isdisjoint(text) or (not text.isascii() and any(map(str.isdigit, text))):
        return True
    return _has_name(text)


def _has_name(text: str) -> bool:
    """Return whether a word of a text is the name of a file or an identifier."""
    if not any(map(text.__contains__, _SIGNS)):
        return False
    words = " ".join([word.rstrip(".,:;") for word in text.split()])
    return any(map(words.__contains__, _SIGNS))


def is_announcement(text: str) -> bool:
    """Return whether a sentence only says what comes next: "Let me look", "It has two parts:"."""
    words = text.casefold()
    if text.endswith(COLONS) or words.startswith(_PLANS):
        return True
    while words.partition(" ")[0].rstrip(",.!") in _LEADS:
        words = words.partition(" ")[2]
    return words.startswith(_INTENTS)


def opening(text: str, most: int) -> str:
    """Return the first sentence of a text as one line of at most `most` characters, or "".

    A sentence of one word, such as "Help!", comes with the next one. So does one that ends in a
    colon, without a word that the next one repeats: "Implement this plan:" and "Plan: Add codes"
    become "Implement this plan: Add codes". The heading that Claude Code writes above an accepted
    plan is left out.
    """
    rest = sentences(text)
    found = next(rest, "")
    if is_word(found):
        found = f"{found} {next(rest, '')}".rstrip()
    if found.endswith(":"):
        announced, last = next(rest, ""), found.rpartition(" ")[2]
        if announced.casefold().startswith(last.casefold() + " "):
            announced = announced[len(last) + 1 :]
        found = announced if announced and found == PLANNED else f"{found} {announced}".rstrip()
    elif found.endswith("\N{FULLWIDTH COLON}"):
        found += next(rest, "")
    return excerpt(found, most)


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text in order, each as one line without markup but that of code.

    Fenced code, lines of a log, horizontal rules, greetings and lines without a letter or digit are
    skipped. A line break ends a sentence only before a new paragraph, heading or list item.
    """
    for paragraph in _paragraphs(text[:_SEARCHED]):
        for found in _cut(_without_emphasis(paragraph)):
            plain = _with_whole_code(_without_markup(found))
            if not is_greeting(plain) and any(map(str.isalnum, plain)):
                yield plain


def _without_markup(text: str) -> str:
    """Remove signs of markup around a sentence, but not those of an option or a path.

    "--stamp is on" and "~/scans is read-only" stay.
    """
    plain = text.strip(_MARKUP)
    before = text.partition(plain)[0] if plain else ""
    if before.endswith("--") or (before.endswith("~") and plain[0] == "/"):
        return before.rpartition(" ")[2] + plain
    return plain


def _without_emphasis(text: str) -> str:
    """Remove the signs around `**strong**` words, but not those of code and of paths."""
    spans = text.split("`")
    for at in range(0, len(spans), 2):  # those between are code
        plain, *rest = spans[at].split(_STRONG)
        for piece in rest:
            plain += piece if _is_emphasis(plain[-1:], piece[:1]) else _STRONG + piece
        spans[at] = plain
    return "`".join(spans)


def _is_emphasis(before: str, after: str) -> bool:
    """Return whether `**` between two characters marks words and is no path's or operator's."""
    if "/" in (before, after) or (before.isspace() and after.isspace()):
        return False
    return not ((before + after).isascii() and before.isalnum() and after.isalnum())


def _with_whole_code(text: str) -> str:
    """Remove a backtick whose partner stands in another sentence."""
    count = text.count("`")
    if count == 1:
        return text.replace("`", "")
    if count % 2 == 0:
        return text
    return text[1:] if text.startswith("`") else text.removesuffix("`")


def _paragraphs(text: str) -> Iterator[str]:
    from projections.pasted import rows_of  # few hooks cut a text into sentences

    fenced = False
    rows: list[str] = []
    for row, is_pasted in rows_of(text):
        plain = row.strip()
        if is_pasted and not fenced:
            plain = ""
        elif plain.startswith(("```", "~~~")):
            fenced = not fenced
            plain = ""
        elif fenced:
            continue
        elif plain.startswith("|") and plain.endswith("|"):
            plain = ""
        if rows and (not plain or _begins(plain) or _follows_list(rows[0], row)):
            yield " ".join(" ".join(rows).split())
            rows = []
        if plain:
            rows.append(plain)
            if plain.startswith("#"):
                yield " ".join(plain.split())
                rows = []
    if rows:
        yield " ".join(" ".join(rows).split())


def _follows_list(first: str, row: str) -> bool:
    """Return whether a line no longer belongs to the list item that begins with `first`."""
    return not (row[0].isspace() or row[0].islower()) and first[0] not in "#>|" and _begins(first)


def _begins(row: str) -> bool:
    """Return whether a line begins a heading, a list item, a table row or a quotation."""
    if row[0] in "#>|•" or row.startswith(("- ", "* ", "+ ", "---", "===")):
        return True
    return bool(item_number(row))


def item_number(text: str) -> str:
    """Return the number that a list item begins with, and its mark: "2." of "2. fix x"; else ""."""
    number = text.partition(" ")[0]
    return number if number[:-1].isdecimal() and number[-1] in ".):" else ""


def _cut(text: str) -> Iterator[str]:
    """Cut a paragraph after its sentences: an ASCII mark ends one only before white space."""
    start = at = 0
    size = len(text)
    for mark in _possible_ends(text):
        if mark < at:
            continue  # a further mark of the same end, as in "?!"
        at = mark + 1
        if text[mark] not in _WIDE_ENDS and not _ended(text, at):
            continue
        while at < size and text[at] in ENDS + _CLOSING:
            at += 1
        yield text[start:at].strip()
        start = at
    if text[start:].strip():
        yield text[start:].strip()


def _possible_ends(text: str) -> list[int]:
    """Return the positions of the characters that may end a sentence, in order."""
    found = []
    for mark in ENDS:
        at = text.find(mark)
        while at >= 0:
            found.append(at)
            at = text.find(mark, at + 1)
    return sorted(found)


def _ended(text: str, at: int) -> bool:
    """Return whether the mark before `at` ends a sentence, unlike that of "e.g. this"."""
    rest = text[at : at + 4].lstrip(_ENDS + _CLOSING)
    if rest and not rest[0].isspace():
        return False
    if text[at - 1] != ".":
        return True
    if ".." in text[at - 2 : at + 1]:  # an ellipsis, or all packages of Go and Bazel: "./..."
        return not text[at:].lstrip(_ENDS + " ")[:1].islower()
    word = text[max(0, at - 12) : at - 1].rpartition(" ")[2].lower()
    if "." in word and word.replace(".", "").isdigit():  # a date or a version
        return not text[at:].lstrip()[:1].islower()
    if word in _NUMBERED and text[at:].lstrip()[:1].isdigit():
        return False
    if word.isdigit() or word in ("e.g", "i.e", "etc", "cf", "vs", "no", "approx", "mr", "dr"):
        return not text[at:].strip()
    return len(word) > 1 or not word.isascii()
