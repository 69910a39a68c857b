"""The scope of a tool call: its project and session."""

from collections.abc import Mapping

from journal.history.scope import ProjectScope


class ToolScope(ProjectScope):
    """The project and the session a tool is called in. stores: whether the tool may write."""

    def __init__(
        self, env: Mapping[str, str], *, cwd: str | None, session: str, stores: bool
    ) -> None:
        self.stores = stores
        self._session = session
        super().__init__(env, cwd=cwd)

    @property
    def current(self) -> str:
        """Return the session of the caller, "" for none."""
        return self._session or super().current
