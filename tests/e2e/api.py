"""A loopback stand-in for the Messages API, scripted by each test.

Invariant: every request body the client posts is stored, in order, before it is answered.
"""

from __future__ import annotations

import itertools
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from .client import wait_for
from .wire import DEFAULT_TOKENS, Reply, Server, Tool

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SUMMARY_ASKED = "create a detailed summary of the conversation so far"
"""Words in the last user message that identify the request for a compaction's summary."""


def call(
    name: str,
    /,
    *,
    tokens: int | None = None,
    once: Callable[[], object] | None = None,
    **fields: Any,
) -> Reply:
    """Make a reply that calls one tool."""
    return Reply(tools=(Tool(name, fields),), tokens=tokens, once=once)


def until_offered(tool: str) -> Reply:
    """Make a reply that runs short commands until a request offers the tool, if only by its name."""
    pause = Tool("Bash", {"command": "sleep 0.1"})
    return Reply(tools=(pause,), only_if=lambda request: tool not in request.text, again=True)


def too_long(tokens: int = 210_000, limit: int = 200_000) -> Reply:
    """Build the API's refusal of a prompt that exceeds the model's window."""
    return Reply(status=400, error=f"prompt is too long: {tokens} tokens > {limit} maximum")


@dataclass(frozen=True)
class Request:
    """One posted request body, with methods to query it."""

    index: int
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """Every string of the messages and the system prompt, one after another."""
        parts = [self.body.get("system", ""), self.body.get("messages", [])]
        return "\n".join(itertools.chain.from_iterable(strings(part) for part in parts))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages as posted (system entries among them)."""
        return list(self.body.get("messages", []))

    @property
    def last_user(self) -> str:
        """The text of the last user message."""
        users = [m for m in self.messages if m.get("role") == "user"]
        return "\n".join(strings(users[-1]["content"])) if users else ""

    @property
    def first_user(self) -> str:
        """The text of the first user message, which identifies a subagent's requests."""
        users = [m for m in self.messages if m.get("role") == "user"]
        return "\n".join(strings(users[0]["content"])) if users else ""

    @property
    def tools(self) -> list[str]:
        """Names of the tools offered with the request."""
        return [str(tool.get("name")) for tool in self.body.get("tools", [])]

    @property
    def asks_summary(self) -> bool:
        """Whether this request asks for a compaction's summary."""
        return SUMMARY_ASKED in self.last_user

    def count(self, marker: str) -> int:
        """Count the occurrences of the marker in the request."""
        return self.text.count(marker)


def strings(value: Any) -> Iterator[str]:
    """Yield every text of a decoded JSON value, in order, except ids and kinds of blocks."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key not in {"type", "role", "id", "tool_use_id"}:
                yield from strings(item)


class Api:
    """The stand-in: `with Api() as api`, `api.url`, queued replies and received requests.

    summary: of every compaction; refusals: errors for the next requests of a summary;
    before_summary: called before the reply to one, as no model writes a summary at once.
    """

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self.summary = "SUMMARY of the work so far"
        self.refusals: list[Reply] = []
        self.before_summary: Callable[[], object] = lambda: None
        self._replies: list[Reply] = []
        self._tokens: list[int] = []
        self._lock = threading.Lock()
        self._server = Server(self.take)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    @property
    def url(self) -> str:
        """Where the client must send its requests."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def script(self, *replies: Reply | str) -> None:
        """Queue replies for the conversation's next requests; if they run out it sends "Done."."""
        with self._lock:
            self._replies += [Reply(r) if isinstance(r, str) else r for r in replies]

    def tokens(self, *counts: int) -> None:
        """Queue input token counts for replies that specify none."""
        with self._lock:
            self._tokens += counts

    def unused(self) -> list[Reply]:
        """List the scripted replies that no request has asked for."""
        with self._lock:
            return [reply for reply in self._replies if not reply.again]

    @property
    def talk(self) -> list[Request]:
        """The requests of conversations, without summaries and the client's helper requests."""
        return [r for r in list(self.requests) if r.tools and not r.asks_summary]

    @property
    def summaries(self) -> list[Request]:
        """The summary requests of compactions."""
        return [r for r in list(self.requests) if r.asks_summary]

    @property
    def last(self) -> Request:
        """The last request of a conversation."""
        return self.talk[-1]

    def containing(self, marker: str) -> list[Request]:
        """List the requests that contain the marker anywhere."""
        return [r for r in list(self.requests) if marker in r.text]

    def wait_for(self, count: int) -> None:
        """Wait until at least `count` requests of conversations came, else raise AssertionError."""
        wait_for(lambda: len(self.talk) >= count, f"{count} requests")

    def take(self, body: dict[str, Any]) -> Reply:
        """Store the request and choose its reply."""
        with self._lock:
            request = Request(len(self.requests), body)
            self.requests.append(request)
        if request.asks_summary:
            self.before_summary()
        with self._lock:
            if request.asks_summary and self.refusals:
                return self.refusals.pop(0)
            if request.asks_summary:
                text = f"<analysis>x</analysis><summary>{self.summary}</summary>"
                return Reply(text, tokens=DEFAULT_TOKENS)
            if not request.tools:
                return Reply("ok", tokens=10)
            reply = self._next(request)
            if reply.tokens is None:
                count = self._tokens.pop(0) if self._tokens else DEFAULT_TOKENS
                reply = replace(reply, tokens=count)
        wait_for(reply.once or (lambda: True), "what the reply waits for")
        return reply

    def _next(self, request: Request) -> Reply:
        for at, reply in enumerate(self._replies):
            if reply.only_if is None or reply.only_if(request):
                return reply if reply.again else self._replies.pop(at)
        return Reply("Done.")
