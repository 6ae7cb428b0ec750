"""Shows the submissions that wait for the operator, takes the decision, and queues URLs of his own."""

from collections import Counter
from contextlib import closing
from dataclasses import dataclass

from starlette.responses import Response

from engine.config import Config, require_contact
from engine.database import write_transaction
from engine.errors import EngineError
from engine.store import Store, count_waiting, load_waiting
from engine.submission import REFUSED, Admission, accept_submissions, refuse_submissions
from search_ui.admin.page import Done
from search_ui.admin.rendering import cut_page, render_admin
from search_ui.admin.request import AdminRequest

QUEUES = {"queue": False, "force": True}
DECISIONS = {"accept": accept_submissions, "refuse": refuse_submissions}


@dataclass(frozen=True, slots=True)
class SubmissionsPage:
    """What strangers submitted and no site's scope has, oldest first."""

    config: Config

    def __call__(self, asked: AdminRequest) -> Response:
        """Shows a page of them."""
        with closing(Store(self.config.database)) as store, store.engine.connect() as connection:
            waiting, following = cut_page(iter(load_waiting(connection)), asked)
            total = count_waiting(connection)
        return render_admin(
            "submissions.html", asked, waiting=waiting, following=following, total=total, start=asked.start
        )

    def act(self, asked: AdminRequest) -> Done:
        """Accepts or refuses what waits of a URL, host or prefix, or queues a URL.

        Raises EngineError where nothing waits, and for a URL that may not be visited.
        """
        decision, target = asked.fields.get("decision", ""), asked.fields.get("target", "").strip()
        if decision in QUEUES:
            return self._queue(target, by_force=QUEUES[decision])
        if decision not in DECISIONS:
            raise EngineError("choose whether to accept or to refuse")
        with closing(Store(self.config.database)) as store, write_transaction(store.engine) as connection:
            done = DECISIONS[decision](connection, self.config, [target])
        outcomes = Counter(one.outcome for one in done)
        said = ", ".join(f"{outcome} {number:,}" for outcome, number in sorted(outcomes.items()))
        return Done(f"submissions: {decision}", f"{target} ({said})")

    def _queue(self, typed: str, *, by_force: bool) -> Done:
        """Queues a URL as `scrapy submit` does; `by_force` although it is known or a rule refuses it."""
        if by_force:
            require_contact(self.config, "the owner")
        with closing(Store(self.config.database)) as store, write_transaction(store.engine) as connection:
            done = Admission(connection, self.config, by_force=by_force).submit(typed)
        if done.outcome == REFUSED:
            raise EngineError(f"{done.url} is refused: {done.why}")
        return Done("submitted", f"{done.url} is {done.outcome}{f' ({done.why})' if done.why else ''}")
