"""What a hook is called with and what it answers."""

from __future__ import annotations

import os

from hipocampus.core.byte_code import drop_if_damaged
from hipocampus.core.record import record
from hipocampus.hooks.deadline import DeadlineError
from hipocampus.store.files import log_failure
from hipocampus.store.home import Home

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from hipocampus.hosts.events import Event
    from hipocampus.store.home import NoHome
    from hipocampus.store.layout import Layout


@record
class Call:
    """One hook call.

    `start` is the directory the session was started in, "" when nobody knows it. `cap` is how much one output may hold.
    `shell_file` is where the host takes lines for the agent's shell from, "" where it has no such thing.
    `shell_answer`: it takes variables for the agent's shell from the answer instead.
    """

    event: Event
    start: str
    place: Home | NoHome | None
    env: Mapping[str, str]
    now: datetime
    cap: int
    shell_file: str = ""
    shell_answer: bool = False

    @property
    def layout(self) -> Layout | None:
        """The memory this call may read and write: none where there is no home, or one the user has not trusted."""
        return self.place.layout if isinstance(self.place, Home) and self.place.trusted else None

    def attempt(self, where: str, step: Callable[[], object]) -> None:
        """Run a step that the rest does not depend on; its failure is logged for the next session start."""
        try:
            step()
        except (Exception, DeadlineError) as error:
            # On a busy machine the time may run out here; what comes next is quick, and worth more.
            self.problem(where, error)

    def leave_sign(self, layout: Layout) -> None:
        """Leave a sign that this event of this host arrived: an empty file, whose time says when it last did."""
        path = layout.sign(self.event.host, self.event.kind)
        at = self.now.timestamp()
        try:
            os.utime(path, (at, at), follow_symlinks=False)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW, 0o600))
            os.utime(path, (at, at), follow_symlinks=False)

    def problem(self, where: str, error: BaseException | str) -> None:
        """Log what went wrong for the next session start."""
        if not isinstance(error, str):
            drop_if_damaged(error)
        log_failure(self.layout, self.env, self.now, where, error)


@record
class Answer:
    """`context` goes to the model, `line` to the user, `shell` (variables by name) to the agent's shell; empty means
    nothing."""

    context: str = ""
    line: str = ""
    shell: Mapping[str, str] | None = None


NOTHING = Answer()
