"""Extract facts from one text: instructions, refusals, reasons, identifiers.

The words of instructions are English, Japanese and Korean; in other languages every sentence of a
prompt counts. Pure. Invariant: every result is an excerpt of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from journal.events.hook_input import TEXT
from journal.text import excerpt
from projections.demands import is_rule, is_terse
from projections.pasted import MARK, without_note, without_pasted
from projections.prose import (
    COLONS,
    ENDS,
    EXCERPT,
    QUESTION_MARKS,
    beginning,
    is_announcement,
    is_concrete,
    is_substantial,
    sentences,
)

_FAILED = "API Error:"  # what Claude Code writes in Claude's place
_REPORTED = 3  # sentences of a subagent's report
_ASKED = 160  # characters of a question


# -- what the user wants ---------------------------------------------------------------------

_DIRECTIVE = re.compile(
    r"\b(?:don'?t|do not|never|always|must|should(?:n'?t)?|only|instead|no need|without|make sure"
    r"|ensure|prefer|keep|avoid|please|w/o|let'?s not|want|need to|rather|remember|use|stop|leave"
    r"|deadline|due|everywhere|at (?:most|least)|no more than|as soon as|when (?:it|you)'?(?:s|re)?"
    r"|(?:by|before|until|on) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight))\b"
    r"|しない|するな|てはいけ|ないで|してください|して下さい|すること|べき|必ず|絶対|禁止|だけ|のみ|常に"
    r"|代わりに|使って|お願い|してほしい|したい|優先|守って|避けて|不要"
    r"|하지\s?마|말고|말아|마세요|해야|반드시|절대|항상|만\s|금지|해\s?주세요|해줘|하세요|대신|사용"
    r"|원합니다|싶|우선|피해|필요\s?없",
    re.IGNORECASE,
)
_REFUSAL = re.compile(
    r"\s*(?:(?:hm+|oh|ah|uh|um|well|sorry)[,.! ]+)?"
    r"(?:no\b(?! (?:idea|problem|worries|rush|hurry)\b)|nope|nah\b"
    r"|(?:please )?(?:don'?t|do not)(?! (?:ever|forget)\b)|revert|undo|actually"
    r"|stop(?=[,.!:]| \w+ing\b| that\b| it\b)|wait(?=[,.!: ]+(?:no|don|that|not|i)\b)"
    r"|not (?:quite|like|so|what|the)\b|wrong|that'?s (?:not|wrong)|instead|roll ?back|let'?s not"
    r"|never ?mind|i (?:said|meant)\b|you misunderstood|as i said"
    r"|(?:nein|non|não|nee|nej|hayır|vazgeçtim)\b|(?:nie|нет|ні|không|لا|नहीं)[,.!،]|रहने दो"
    r"|(?:не надо|не треба|не так|nie tak|niet (?:zo|met|de|het)|non così|não é|öyle değil"
    r"|khoan|thôi|laat maar|lascia perdere|deixa|zostaw|отмена)\b"
    r"|nicht (?:so|mit|das|die|den)\b|halt[,!]|falsch\b|doch nicht"
    r"|pas (?:comme|ça|le|la|les|avec)\b|arrête|mauvais|así no|eso no|para,|ese no"
    r"|不对|不要|不用|不行|不是|别(?![的人])"
    r"|いや|いいえ|違う|違います|ちがう|だめ|ダメ|それは(?:だめ|ダメ|違)|やめて|待って|戻して"
    r"|そうではな|そうじゃな|やり直"
    r"|아니|아뇨|안 ?돼|안 ?됩|하지 ?마|그만|되돌|잠깐|틀렸|그게 아니|그거 (?:아니|말고)|취소)",
    re.IGNORECASE,
)
# Answers to a question: a number of a list, yes, no.
_ANSWERS = re.compile(
    r"\s*(?:\d{1,2}\b|[a-d][.):,]|(?:yes|yep|yeah|no|nope|ja|nee|nein|oui|non|sí|si|sim|não|tak|nie"
    r"|да|нет|так|ні|evet|hayır|có|không|نعم|لا|हाँ|नहीं|はい|いいえ|네|아니요?)(?:[\s.,;:!、。،]|$))",
    re.IGNORECASE,
)
# Questions that also say what not to do: "can you look without touching prod?"
_LIMITS = re.compile(
    r"\b(?:without|w/o) \w+ing\b|\bbut (?:don'?t|do not|not|never)\b|\bohne \b.+ zu \w+"
    r"|\bzonder \b.+ te \w+|\bsans \w+(?:er|ir|re)\b|\b(?:sin|sem) \w+[aei]r\b"
    r"|\bsenza \w+r(?:e|l[aeio])\b"
    r"|\bbez \w+[nc]ia\b|\bне \w+(?:ючи|ячи|ая|яя)\b|ずに|ないで",
    re.IGNORECASE,
)
# Japanese and Korean have scripts of their own; an English text of some length has one of these.
_KANA_OR_HANGUL = re.compile("[\u3041-\u30ff\uac00-\ud7a3]")
_HAN = re.compile("[\u4e00-\u9fff]")
_ENGLISH = frozenset("and for from is it of that the this to with you".split())
_WORDS = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"[{}|]|=>|;\s*$|\bfunc\b|^\W*at\b|</?\w+>")

# -- why something is so -----------------------------------------------------------------------

# Phrases that give up an assumed cause.
_REFUTES = (
    r"\b(?:(?:turned|ruled) out|not the (?:cause|reason|culprit|problem)|nicht die ursache"
    r"|stellte sich heraus|lag nicht)\b"
    r"|^(?:it|that|this)(?: was| is|['\u2019]s)(?: not|n['\u2019]t) (?:the|because)\b"
    r"|\b(?:descartad|écarté|ausgeschlossen|исключ[её]н|не в этом)|排除|ではなかった|아니었"
)
# Words of causes and of what is done instead, of languages whose forms are alike in both below.
_CAUSES = (
    "omdat|doordat|oorzaak|perché|ponieważ|zamiast|çünkü|yüzünden|nedeniyle|bởi vì|nguyên nhân"
    "|thay vì|тому що|оскільки|замість"
)
_CAUSES_ANYWHERE = "kaynaklan|لأن|بسبب|السبب|क्योंकि|की वजह|के बजाय"
_BECAUSE = re.compile(
    r"\b(?:because|instead of|rather than|so that|the reason|root cause|since the|since it"
    r"|which means|to avoid|caused by|due to|turns out)\b"
    r"|\b(?:porque|debido a|en (?:lugar|vez) de|por eso|para evitar|causa|así que)\b"
    r"|\b(?:parce que|au lieu d|plutôt que|pour éviter|à cause d|cause|donc)\b"
    r"|\b(?:weil|statt|anstatt|ursache|damit|deshalb|um zu vermeiden|denn)\b"
    rf"|\b(?:{_CAUSES}|daarom|in plaats van|siccome|quindi|invece di|devido a|por isso|em vez de"
    r"|dlatego|przyczyną?|bu yüzden|do đó|через те|щоб)\b"
    rf"|{_CAUSES_ANYWHERE}|لذلك|इसलिए"
    r"|ため|ので|なぜなら|理由|原因|代わりに|ではなく|より|避ける|せいで|따라서|때문|이유|원인|대신"
    r"|\b(?:потому что|так как|поскольку|из-за|поэтому|причин|вместо|чтобы)"
    rf"|위해|아니라|피하|因为|由于|因此|所以|而不是|{_REFUTES}",
    re.IGNORECASE,
)
# Phrases that say that one thing follows from another or limits it.
_LINKS = re.compile(
    _BECAUSE.pattern + r"|[,;] (?:so|but|while|before|until|unless|otherwise|hence|therefore)\b"
    r"|^but\b|\b(?:instead|even though|although|only if|as long as|cannot|must not|in order to)\b"
    r"|[,;] (?:pero|sino|mientras|aunque|mais|tandis que|alors que|sauf|aber|sondern|während)\b"
    r"|しかし|ただし|一方|한편|하지만|그러나",
    re.IGNORECASE,
)
_CHOOSE = re.compile(
    r"\b(?:decid|chose|choose|go with|went with|will use|we use|should use|fix is|the fix|solution"
    r"|approach|root cause|the issue|the problem|caus|because|should be|instead of|rather than"
    r"|turns out|reject|prefer|trade-?off)\w*"
    r"|\b(?:decid|eleg|porque|problema|en (?:lugar|vez) de|descart|causa|solución|usar)\w*"
    r"|\b(?:décid|choisi|retenu|parce que|problème|au lieu|plutôt que|écart|solution)\w*"
    r"|\b(?:entschied|gewählt|weil|lösung|problem|statt|ursache|verworfen|nehme)\w*"
    rf"|\b(?:{_CAUSES}|gekozen|in plaats|scelt|invece|devido|escolh|przyczyn|wybra|seç|обра"
    rf"|вибра)\w*|{_CAUSES_ANYWHERE}"
    r"|决定|采用|改用|使用|解决|问题|決め|採用|選|方針|修正|原因|問題|代わりに|ではなく|却下|見送|결정|채택|선택|방침|수정|원인|문제"
    r"|\b(?:потому|так как|причин|вместо|реши|выбра|использ|замен|отказ)"
    rf"|대신|아니라|기각|보류|{_REFUTES}",
    re.IGNORECASE,
)
# Announcements of a look find nothing, even with a reason: "Let me verify rather than guess."
_LOOKS = re.compile(
    r"(?:now,? )?let me (?:\w+ly )?(?:also |first )?(?:check|verify|look|see|read|run|search|find"
    r"|examine|explore|investigate|understand|review|test|try)\b",
    re.IGNORECASE,
)
# "Perfect! Now I have a comprehensive understanding of it."
_DONE = re.compile(
    r"(?:(?:perfect|great|excellent|ok|okay)\b[,.!]? *)?(?:now )?i(?: now)?(?: have|['\u2019]ve)\b"
    r"(?:.*\b(?:information|understanding|overview|picture|everything|context)\b"
    r"| (?:now )?(?:read|explored|analy[sz]ed|reviewed|examined|looked|searched)\b)",
    re.IGNORECASE,
)
# How Claude asks at the end of a line or sentence.
_ASKS = re.compile(r"[?？؟][*_\"')」]*(?:\s|$)|(?:か|까요?|吗|呢)[。.]?$", re.MULTILINE)
_LEADING = re.compile(r"^(?:\d{1,2}[.)]\s+)?[*\s]*")

# -- names -------------------------------------------------------------------------------------

_UUID = r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
_ID = re.compile(
    rf"https?://[^\s)\"'<>\]`、。]+|{_UUID}"
    # A particle of Japanese or Korean may follow without a space.
    r"|(?a:(?<![\w-])(?=[0-9a-f]*[a-f])(?=[0-9a-f]*[0-9])[0-9a-f]{7,40}(?![\w-]))"
    r"|(?a:(?<![\w/&])#\d{2,6}(?!\w)|(?<![\w/-])[A-Z][A-Z0-9]{1,9}-\d{1,6}(?![\w-]))"
)
_HASH = re.compile("[0-9a-f]{7,40}")
# Hashes of examples: letters and digits in sequence, or always in turn.
_INVENTED = re.compile(
    "(?:abc[def]*|def|0?123[4-9]*0?|456[7-9]*|567[89]*|789|dead|beef|cafe|babe)+"
    "|(?=.{10})[a-f]?(?:[0-9][a-f])+[0-9]?"
)
# Names of standards, which look like tickets.
_STANDARDS = ("UTF-", "ISO-", "SHA-", "RFC-", "MD-", "AES-", "CVE-", "GPT-", "HTTP-", "ES-")

# git says "[main 4be91c7] Subject"; forges print the new page's link alone or after "remote:".
_MADE = re.compile(
    r"^\[[^\s\]]+(?: \([^)]*\))? [0-9a-f]{7,40}\] |^(?:remote:)?\s*https?://\S+\s*$",
    re.MULTILINE,
)


def is_refusal(text: str) -> bool:
    """Return whether a prompt refuses or corrects what Claude did."""
    return len(text) <= 600 and _REFUSAL.match(text) is not None and is_substantial(text)


def is_answer(text: str) -> bool:
    """Return whether a prompt says little without the question that it may answer."""
    return not is_substantial(text) or (len(text) <= _ASKED and _ANSWERS.match(text) is not None)


def is_question(text: str) -> bool:
    """Return whether a prompt is nothing but a short question."""
    return len(text) <= 100 and text.rstrip().endswith(QUESTION_MARKS)


def question_at_end(text: str) -> str:
    """Return the last paragraph of a text and the list before it if they ask, else ""."""
    *before, asked = text.strip().split("\n\n")
    while before and len(before[-1]) + len(asked) < _ASKED:
        if "\n" not in (before[-1] if _ASKS.search(asked) else asked):
            break  # no list
        asked = f"{before.pop()}\n{asked}"
    if not _ASKS.search(asked[-_ASKED:]):
        return ""
    asked = " ".join(asked.replace("**", "").replace("`", "").split())
    end = asked[2 - _ASKED :]
    return asked if len(asked) <= _ASKED else f"… {end.partition(' ')[2] or end}"


def first_sentence(text: str) -> str:
    """Return the first substantial sentence of a text as one line, else the text's beginning."""
    found = next((sentence for sentence in sentences(text) if is_substantial(sentence)), "")
    return excerpt(found, EXCERPT) if found else beginning(text)


def own_words(text: str) -> str:
    """Return the user's own words in a prompt, without sentences cut where its event has a gap."""
    text = without_note(text)
    shown = without_pasted(text)
    if text[TEXT - 1 : TEXT + 1] != "… " or "…" not in shown.replace(MARK, ""):
        return shown  # uncut, or the cut is in what was pasted
    start, end = list(sentences(text[: TEXT - 1])), list(sentences(text[TEXT + 1 :]))
    return "\n\n".join([*(start[:-1] or start), *(end[1:] or end)])


def instructions(text: str) -> list[str]:
    """Return the sentences of a prompt that say how to work: wishes, rules, prohibitions.

    In a language without a word list, every substantial sentence counts.
    """
    stated = statements(text)
    is_listed = _is_listed(" ".join(stated))
    return [
        sentence
        for sentence in stated
        if not is_listed or is_rule(sentence) or _DIRECTIVE.search(sentence)
    ]


def requested(text: str) -> list[str]:
    """Return the first sentence of a prompt, unless it is like "go on", and its instructions."""
    first = first_sentence(text) if is_substantial(text) or is_terse(text) else ""
    return [*filter(None, [first]), *(found for found in instructions(text) if found not in first)]


def statements(text: str) -> list[str]:
    """Return the sentences of a prompt that say something: no headings, no code.

    Of questions only those that say what not to do.
    """
    return [
        excerpt(sentence, EXCERPT)
        for sentence in sentences(text)
        if (is_substantial(sentence) or is_rule(sentence) or is_terse(sentence))
        and len(sentence) <= 2 * EXCERPT
        and not sentence.endswith(COLONS)
        and (not sentence.endswith(QUESTION_MARKS) or _LIMITS.search(sentence))
        and not _CODE.search(sentence)
    ]


def _is_listed(text: str) -> bool:
    """Return whether a prompt may be in a language with a word list."""
    if _KANA_OR_HANGUL.search(text):
        return True
    words = _WORDS.findall(text[:2000].casefold())
    if len(words) < 6:
        return not _HAN.search(text)
    return sum(word in _ENGLISH for word in words) * 30 >= len(words)


def findings(text: str) -> Iterator[str]:
    """Yield the sentences that give a reason, or say how one thing follows from another.

    A sentence that ends in a colon comes with the next one: "It is hard because:" says nothing.
    Fenced code has comments and texts of programs, which are no sentences of Claude.
    """
    lines = text.splitlines()
    is_code = False
    for at, line in enumerate(lines):
        if line.lstrip().startswith(("```", "~~~")):
            is_code = not is_code
        elif not is_code and _LINKS.search(line):
            for found in sentences(line):
                is_open = found.endswith(COLONS)
                rest = next(sentences("\n".join(lines[at + 1 : at + 4])), "") if is_open else ""
                sentence = f"{found} {rest}".rstrip()
                if _LINKS.search(sentence) and _is_statement(sentence):
                    yield _plain(sentence)


def reported(text: str) -> list[str]:
    """Return sentences of a subagent's report: those that `findings` yields, else the first one."""
    said = (
        one
        for one in sentences(text)
        if is_substantial(one)
        and not (is_announcement(one) or _DONE.match(one) or _is_heading(one))
        and not one.startswith(_FAILED)
    )
    found = list(findings(text)) or [excerpt(one, EXCERPT) for one in islice(said, 1)]
    return [sentence for sentence in found if not sentence.endswith("…")][:_REPORTED]


def details(text: str) -> Iterator[str]:
    """Yield the other sentences that say something about a thing by its name or number."""
    for sentence in sentences(text):
        is_named = is_concrete(_LEADING.sub("", sentence))
        if is_named and not _LINKS.search(sentence) and _is_statement(sentence):
            yield _plain(sentence)


def _is_statement(sentence: str) -> bool:
    """Return whether a sentence of Claude is complete and long enough, and no announcement."""
    least = 30 if gives_reason(sentence) else 50
    if any(char > "\u3000" for char in sentence):
        least = 10
    return (
        least <= len(sentence) <= 330
        and "?" not in sentence
        and not sentence.endswith((*QUESTION_MARKS, *COLONS))
        and (not is_announcement(sentence) or _BECAUSE.search(sentence) is not None)
        and not _LOOKS.match(sentence)
        and not sentence.startswith(_FAILED)
        and not _is_heading(sentence)
    )


def _is_heading(sentence: str) -> bool:
    """Return whether all longer words are capitalized and no sentence ends: "The Root Cause"."""
    longer = [word for word in sentence.split() if len(word) > 3]
    return not sentence.endswith(tuple(ENDS)) and all(word[0].isupper() for word in longer)


def _plain(sentence: str) -> str:
    return _LEADING.sub("", sentence).replace("**", "").replace("`", "")


def follows(sentence: str) -> bool:
    """Return whether a sentence says how one thing follows from another, or gives a reason."""
    return _LINKS.search(sentence) is not None


def gives_reason(sentence: str) -> bool:
    """Return whether a sentence has a cause and a choice, unlike most that `findings` yields."""
    return _BECAUSE.search(sentence) is not None and _CHOOSE.search(sentence) is not None


def identifiers(text: str) -> list[str]:
    """Return the commits, tickets and links of a text, each once, in order."""
    found = (match.rstrip(".,:;?!") for match in _ID.findall(text))
    names = (name for name in found if len(name) <= 160 and not name.startswith(_STANDARDS))
    return list(dict.fromkeys(names))


def without_longer(names: Sequence[str]) -> list[str]:
    """Return names; of a hash, its abbreviations and its file name in `ab/cdef…`, only one.

    Hashes of examples are left out.
    """
    hashes = [name for name in names if _HASH.fullmatch(name)]
    files = {name[2:] for name in hashes}
    return [
        name
        for name in names
        if name not in files
        and not _INVENTED.fullmatch(name)
        and not any(len(short) < len(name) and name.startswith(short) for short in hashes)
    ]


def created(output: str) -> list[str]:
    """Return the commits and links that a command says it created, in order."""
    found = (name for match in _MADE.finditer(output) for name in identifiers(match[0]))
    # Forges print a link to the form that creates a pull request, too.
    return [name for name in found if "/new" not in name]
