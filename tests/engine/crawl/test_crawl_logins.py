"""A host whose login failed, over a web that is a dict: nothing is written of it, and the crawl goes on."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine.crawl import LOGIN_FAILED
from engine.model import Claim, Fetch, Purpose, Reading
from tests.crawling import HOST, Clock, Web, chain, crawl_of, run, states

OTHER = "http://other.example"
CRAWLS = 4  # more than a page is tried


@dataclass
class LockedWeb(Web):
    """A web of which HOST lets nobody in, from the robots.txt on or only behind it."""

    kinds: tuple[Purpose, ...] = tuple(Purpose)

    def fetch(self, claim: Claim, clock: Clock) -> tuple[Fetch, Reading | None]:
        """One exchange, or why there is none."""
        if claim.host == HOST and claim.kind in self.kinds:
            return Fetch(claim, 0, error=LOGIN_FAILED, at=clock.now), None
        return super().fetch(claim, clock)


@pytest.mark.parametrize("kinds", [tuple(Purpose), (Purpose.PAGE,)], ids=["at robots.txt", "at a page"])
def test_claims_that_are_given_back_are_no_visits(tmp_path: Path, kinds: tuple[Purpose, ...]) -> None:
    """However many crawls come to it, no page counts as tried; the next one with a login asks for all."""
    answers = {**chain("/", "/a"), f"{OTHER}/": [f"{OTHER}/b"], f"{OTHER}/b": []}
    clock, seeds = Clock(), (f"{HOST}/", f"{OTHER}/")
    for web in [*(LockedWeb(answers, kinds=kinds) for _ in range(CRAWLS)), Web(answers)]:
        crawl = crawl_of(tmp_path, clock, seeds=seeds)
        with closing(crawl.store):
            run(crawl, web, clock)
            queue = crawl.frontier.host_queues[HOST]
            assert queue.claimed == {claim.url_id for claim in queue.urls}, "nothing is under way"
        clock.now += 86_400
        found = states(tmp_path)
        assert found[f"{OTHER}/b"] == ("stored", "")
        assert found[f"{HOST}/"] == (("queued", "") if isinstance(web, LockedWeb) else ("stored", ""))
    assert found[f"{HOST}/a"] == ("stored", "")
