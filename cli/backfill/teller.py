"""What the lines of one transcript tell, as events in the form hooks give theirs.

Invariant: pure but for the keys it notes: the same lines give the same events, and an event whose
key is known is not made again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cli.backfill.known import key_of
from cli.backfill.shape import Block, Line, text_of
from hooks.gauge.count import LIMIT, count
from hooks.intake import build
from hooks.intake.call import Call
from hooks.intake.compact import finished as summary_events
from journal.clock import iso, millis
from journal.codec import digest, loads

if TYPE_CHECKING:
    from cli.backfill.known import Known
    from cli.backfill.places import Place, Places

__all__ = ["Reply", "Teller"]

_SIDECHAIN = "sidechain"
# Texts the client puts into the person's mouth.
_NOT_SAID = ("<local-command-", "<bash-", "[Request interrupted", "<user-memory-input>",
             "Caveat: The messages below")  # fmt: skip
_COMMANDS = ("<command-name>", "<command-message>")
_RESPONSES = ("TaskCreate", "TaskUpdate", "TaskList")
_SYNTHETIC = "<synthetic>"


class Reply:
    """One API response under way: lines that share its id.

    event: the record, in its place among the others; stop: why it ended ("" not told yet);
    offset: where its first line is.
    """

    __slots__ = ("event", "identity", "key", "offset", "place", "sid", "stop", "text")

    def __init__(self, identity: tuple[str, str], sid: str, offset: int, place: Place) -> None:
        self.identity = identity
        self.key = key_of("usage", *identity)
        self.sid = sid
        self.offset = offset
        self.place = place
        self.event: dict[str, Any] = {}
        self.stop = ""
        self.text: list[str] = []


class Teller:
    """One file being told.

    sid, agent: whose file it is. events: (place, event) made so far, an emptied event being none.
    held: replies that may be cut off here and be whole in another file.
    """

    def __init__(self, places: Places, known: Known, sid: str, agent: str = "", *,
                 cwd: str = "", path: str = "", ts: str = "", since: str = "") -> None:  # fmt: skip
        self.places = places
        self.known = known
        self.sid = sid
        self.agent = agent
        self.cwd = cwd
        self.path = path
        self.ts = ts
        self.since = since
        self.branch = ""
        self.titles: dict[str, str] = {}
        self.events: list[tuple[Place, dict[str, Any]]] = []
        self.held: list[Reply] = []
        self.repeated = 0
        self._about: tuple[object, ...] = ()
        self._like: dict[str, Any] = {}
        self._previous = ""
        self._told: set[str] = set()
        self._replies: dict[bool, Reply] = {}
        self._uses: dict[str, tuple[str, Any, int]] = {}
        self._boundary: tuple[Line, int] | None = None

    def tell(self, line: Line, offset: int) -> None:
        """Take one line that begins at `offset`."""
        kind = line.type
        if kind not in ("assistant", "user", "system"):
            if title := _title(line):
                self._titled(line, title, offset)
            return
        if kind == "system" and line.subtype != "compact_boundary":
            return
        if line.timestamp and (moment := _moment(line.timestamp)):
            self.ts = moment
        if line.cwd:
            self.cwd = line.cwd
        if line.gitBranch:
            self.branch = line.gitBranch
        sid = line.sessionId or self.sid
        if sid not in self._told:
            self._begun(sid, line)
        if kind == "assistant":
            self._assistant(line, sid, offset)
        elif kind == "user":
            self._user(line, sid)
        else:
            self._close(sid)
            self._compacting(line, sid, offset)

    def end(self) -> int | None:
        """End of the file; give where it has to be read from again, None for nowhere.

        A call without its result, a reply that may go on and a compaction without its summary
        are told again from there when the file has grown.
        """
        starts = [offset for _, _, offset in self._uses.values()]
        starts += [reply.offset for reply in self._replies.values() if not reply.stop]
        if self._boundary is not None:
            starts.append(self._boundary[1])
        for side in list(self._replies):
            self._flush(side, "")
        return min(starts, default=None)

    # -- sessions --------------------------------------------------------------------------------

    def _begun(self, sid: str, line: Line) -> None:
        self._told.add(sid)
        if self.agent:
            if self._new(key := key_of("agent", sid, self.agent)):
                self._put(line, sid, {}, "subagent.started", key)
            return
        if self._new(key := key_of("session", sid)):
            previous = self._previous if self._previous != sid else ""
            self._put(line, sid, {}, "session.started", key, previous=previous,
                      source="resume" if previous else "startup",
                      transcript=self.path if sid == self.sid else "")  # fmt: skip
        self._previous = sid

    def _titled(self, line: Line, title: str, offset: int) -> None:
        source = "custom" if line.customTitle else "ai"
        if self.titles.get(source) == title or self.agent:
            return
        self.titles[source] = title
        sid = line.sessionId or self.sid
        if self._new(key := key_of("title", sid, source, title, str(offset))):
            place = self.places.of(sid, self.cwd)
            call = self._call(line, sid, {"title": title}, place)
            self._keep(place, call.event("session.titled", key, source=source,
                                         title=call.text("title", 200)), key)  # fmt: skip

    # -- replies and their cost ------------------------------------------------------------------

    def _assistant(self, line: Line, sid: str, offset: int) -> None:
        message = line.message
        if message is None or line.isApiErrorMessage or message.model == _SYNTHETIC:
            return
        side = line.isSidechain is True
        self._lost_summary(line, sid)
        identity = (message.id or line.uuid or f"{self.path}:{offset}",
                    line.requestId or line.requestRef or "")  # fmt: skip
        reply = self._replies.get(side)
        if reply is None or reply.identity != identity:
            self._flush(side, sid)
            reply = self._replies[side] = Reply(identity, sid, offset,
                                                self.places.of(sid, self.cwd))  # fmt: skip
        tokens = _tokens(line)
        if tokens is not None:
            self._counted(reply, line, tokens)
        reply.stop = message.stop_reason or reply.stop
        if isinstance(message.content, list):
            for block in message.content:
                if block.type == "tool_use" and block.id:
                    self._uses[block.id] = (block.name or "", bytes(block.input), offset)
                elif block.type == "text" and block.text:
                    reply.text.append(block.text)

    def _counted(self, reply: Reply, line: Line, tokens: dict[str, int]) -> None:
        """Set the reply's figures to those of this line: the last one counts."""
        if not reply.event:
            assert line.message is not None
            reply.event = {
                **self._envelope(line, reply.sid, reply.place), "key": reply.key,
                "message": _identity(line.message.id), "request": _identity(line.requestId),
                "model": _identity(line.message.model), **tokens, "source": "transcript",
            }  # fmt: skip
            self._keep(reply.place, reply.event, "")
        else:
            reply.event.update(tokens)
            reply.event["ts"] = self.ts

    def _flush(self, side: bool, sid: str) -> None:
        """Settle a reply: keep its record in place, drop it as known, or hold it back."""
        reply = self._replies.pop(side, None)
        if reply is None:
            return
        if reply.event:
            if not reply.stop and sid != reply.sid:
                self.held.append(_copy(reply))
                reply.event.clear()
            elif not self._newer(reply):
                reply.event.clear()
        if reply.stop == "end_turn" and not side and not self.agent:
            self._turn(reply)

    def settled(self) -> list[tuple[Place, dict[str, Any]]]:
        """Take the events before the first reply that is still under way."""
        waiting = [id(reply.event) for reply in self._replies.values() if reply.event]
        end = next(
            (at for at, item in enumerate(self.events) if id(item[1]) in waiting), len(self.events)
        )
        taken, self.events = self.events[:end], self.events[end:]
        return taken

    def _newer(self, reply: Reply) -> bool:
        if self.since and reply.event["ts"] < self.since:
            return False
        number, tokens = int(reply.key, 16), reply.event["output_tokens"]
        known = self.known.usage.get(number)
        if known is not None and known >= tokens:
            self.repeated += 1
            return False
        self.known.usage[number] = tokens
        return True

    def _turn(self, reply: Reply) -> None:
        if not self._new(key := key_of("turn", *reply.identity)):
            return
        data = {"hook_event_name": "Stop", "last_assistant_message": "\n".join(reply.text)}
        call = self._call(Line(), reply.sid, data, reply.place)
        self._keep(reply.place, build(call)[0], key)

    def _close(self, sid: str) -> None:
        """Whatever follows is no part of the main thread's reply."""
        if False in self._replies:
            self._flush(False, sid)

    # -- prompts and tools -----------------------------------------------------------------------

    def _user(self, line: Line, sid: str) -> None:
        message = line.message
        content = message.content if message is not None else None
        if line.isCompactSummary:
            self._close(sid)
            self._compacted(line, sid, _joined(content))
            return
        results = [block for block in content if block.type == "tool_result"] if isinstance(
            content, list) else []  # fmt: skip
        for block in results:
            self._result(line, sid, block)
        if results or line.isMeta or not content:
            return
        if line.isSidechain is not True:
            self._close(sid)
        self._lost_summary(line, sid)
        self._prompt(line, sid, _joined(content))

    def _prompt(self, line: Line, sid: str, text: str) -> None:
        if not text.strip() or text.startswith(_NOT_SAID):
            return
        key = key_of("prompt", line.uuid) if line.uuid else key_of("prompt", sid, self.ts, text)
        if not self._new(key):
            return
        if text.lstrip().startswith(_COMMANDS):
            text = _command(text)
        data = {"hook_event_name": "UserPromptSubmit", "prompt": text}
        event = self._built(line, sid, data)
        if event.get("agent"):
            event["origin"] = "agent"
        elif line.promptSource == "sdk" and event["origin"] == "human":
            event["origin"] = "sdk"
        self._keep(self.places.of(sid, self.cwd), event, key)

    def _result(self, line: Line, sid: str, block: Block) -> None:
        use = block.tool_use_id or ""
        name, given, _ = self._uses.pop(use, ("", b"", 0))
        if not self._new(key := key_of("tool", use, line.timestamp or "")):
            return
        text = text_of(block.content)
        failed = block.is_error is True
        data = {
            "hook_event_name": "PostToolUseFailure" if failed else "PostToolUse",
            "tool_name": name, "tool_use_id": use, "tool_input": _object(given),
            "tool_response": _object(bytes(line.toolUseResult)) if name in _RESPONSES else text,
            "error": text if failed else None,
        }  # fmt: skip
        self._keep(self.places.of(sid, self.cwd), self._built(line, sid, data), key)

    # -- compactions -----------------------------------------------------------------------------

    def _compacting(self, line: Line, sid: str, offset: int) -> None:
        self._lost_summary(line, sid)
        self._boundary = (line, offset)
        meta = line.compactMetadata
        if self._new(key := key_of("compact", line.uuid or f"{sid} {self.ts}")):
            self._put(line, sid, {}, "compact.started", key,
                      trigger=(meta.trigger or "")[:40] if meta else "",
                      tokens=count(meta.preTokens) if meta else None)  # fmt: skip

    def _compacted(self, line: Line, sid: str, summary: str) -> None:
        boundary = self._boundary[0] if self._boundary is not None else line
        self._boundary = None
        meta = boundary.compactMetadata
        if not self._new(key := key_of("compacted", boundary.uuid or f"{sid} {self.ts}")):
            return
        place = self.places.of(sid, self.cwd)
        data = {"compact_summary": summary, "trigger": meta.trigger if meta else ""}
        made = summary_events(self._call(line, sid, data, place))
        for number, event in enumerate(made):
            if number == 0 and meta and count(meta.postTokens):
                event["tokens"] = meta.postTokens
            event.pop("key", None)
            self._keep(place, event, key if number == 0 else "")

    def _lost_summary(self, line: Line, sid: str) -> None:
        """A compaction whose summary is not in the file is over once the session goes on."""
        if self._boundary is None:
            return
        boundary, _ = self._boundary
        self._boundary = None
        meta = boundary.compactMetadata
        if self._new(key := key_of("compacted", boundary.uuid or f"{sid} {self.ts}")):
            self._put(line, sid, {}, "compact.finished", key,
                      trigger=(meta.trigger or "")[:40] if meta else "",
                      tokens=count(meta.postTokens) if meta else None)  # fmt: skip

    # -- making events ---------------------------------------------------------------------------

    def _new(self, key: str) -> bool:
        if self.since and self.ts < self.since:
            return False
        if self.known.add(key):
            return True
        self.repeated += 1
        return False

    def _call(self, line: Line, sid: str, data: dict[str, Any], place: Place) -> Call:
        data["session_id"] = sid
        data["cwd"] = self.cwd
        agent = self.agent or (line.agentId or _SIDECHAIN if line.isSidechain else "")
        if agent:
            data["agent_id"] = agent
        if line.promptId:
            data["prompt_id"] = line.promptId
        return Call(data, "", place.root, place.settings, {"branch": self.branch})

    def _envelope(self, line: Line, sid: str, place: Place) -> dict[str, Any]:
        """Envelope of a reply's record: the same for many, so made once for each kind of line."""
        about = (sid, line.isSidechain, line.agentId, line.promptId, self.cwd, self.branch)
        if about != self._about:
            self._about = about
            call = self._call(line, sid, {}, place)
            self._like = call.event("usage.recorded", "")
        return self._like

    def _built(self, line: Line, sid: str, data: dict[str, Any]) -> dict[str, Any]:
        return build(self._call(line, sid, data, self.places.of(sid, self.cwd)))[0]

    def _put(self, line: Line, sid: str, data: dict[str, Any], kind: str, key: str,
             **body: Any) -> None:  # fmt: skip
        place = self.places.of(sid, self.cwd)
        self._keep(place, self._call(line, sid, data, place).event(kind, key, **body), key)

    def _keep(self, place: Place, event: dict[str, Any], key: str) -> None:
        if key:
            event["key"] = key
        event["ts"] = self.ts
        event["imported"] = True
        self.events.append((place, event))


def _identity(value: str | None) -> str:
    """Id of the API, or the digest of what is none."""
    if not value:
        return ""
    plain = len(value) <= 128 and value.isprintable() and '"' not in value and "\\" not in value
    return value if plain else "b2-" + digest(value)


def _copy(reply: Reply) -> Reply:
    kept = Reply(reply.identity, reply.sid, reply.offset, reply.place)
    kept.event = dict(reply.event)
    return kept


def _moment(text: str) -> str:
    """Time in the journal's own form, "" for what is none."""
    if len(text) == 24 and text[4::3][:5] + text[23] == "--T::Z" and text[19] == ".":
        digits = text[:4] + text[5:7] + text[8:10] + text[11:13] + text[14:16] + text[17:19]
        if (digits + text[20:23]).isdigit() and digits.isascii():
            return text
    value = millis(text)
    return iso(value) if value is not None else ""


def _tokens(line: Line) -> dict[str, int] | None:
    """Figures of a reply; None where they say nothing (all zero is: not known)."""
    usage = line.message.usage if line.message else None
    if usage is None or usage.input_tokens is None:
        return None
    found = {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens or 0,
        "cache_creation_input_tokens": usage.cache_creation_input_tokens or 0,
        "cache_read_input_tokens": usage.cache_read_input_tokens or 0,
    }
    if min(found.values()) < 0 or not 0 < sum(found.values()) <= LIMIT:
        return None
    return found


def _title(line: Line) -> str:
    if line.type == "custom-title":
        return line.customTitle or ""
    if line.type == "ai-title":
        return line.aiTitle or ""
    return line.summary or "" if line.type == "summary" else ""


def _joined(content: str | list[Block] | None) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block.text for block in content or () if block.type == "text" and block.text)


def _command(text: str) -> str:
    """`/name arguments` of the client's markup."""
    name, arguments = _tagged(text, "command-name"), _tagged(text, "command-args")
    return f"{name if name.startswith('/') else '/' + name} {arguments}".strip()


def _tagged(text: str, tag: str) -> str:
    _, found, rest = text.partition(f"<{tag}>")
    return rest.partition(f"</{tag}>")[0].strip() if found else ""


def _object(raw: bytes) -> dict[str, Any]:
    try:
        value = loads(raw) if raw else {}
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
