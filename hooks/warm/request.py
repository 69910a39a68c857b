"""An event that the module hands over, and what the module learns from it."""

from __future__ import annotations

from projections.prefilter import level

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from projections.prefilter import Prefilter


_UNREACHED = 10**9  # tokens


class Request:
    """One event from the module.

    claim: called under the lock; false if another process has taken this event over. None: no other
    process may. measured: the client's own context figures, see `Context`. answers: whether anyone
    waits for an answer. silence: between how many tokens no tool call of the main conversation has
    an answer; None if the next one may.
    """

    def __init__(
        self,
        claim: Callable[[], bool] | None,
        measured: Mapping[str, int] | None = None,
        *,
        answers: bool = True,
    ) -> None:
        self.claim = claim
        self.measured = measured
        self.answers = answers
        self.silence: tuple[int, int] | None = None

    def note_silence(self, call: Prefilter) -> None:
        """Set `silence` after a call that has no answer: the range of the warning level.

        Other reasons for an answer come from outside of the session or with a compaction. The next
        call notices them, and the call after that answers.
        """
        if call.hook not in ("PostToolUse", "PostToolUseFailure") or call.sample is None:
            return
        info, urgent = call.settings["pressure.info"], call.settings["pressure.urgent"]
        tokens, point = call.reading(call.sample)
        starts = (
            [0, int(info * point), int(urgent * point), _UNREACHED] if point else [0, _UNREACHED]
        )
        at = ("", "info", "urgent").index(level(tokens, point, info, urgent))
        self.silence = starts[at] + bool(at), starts[at + 1]
