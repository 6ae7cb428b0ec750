"""A real crawl of the whole zoo: it ends, nobody is harmed, and the honest hosts are searchable."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import cache
from pathlib import Path

import pytest

from engine.search.search import SearchService
from tests.zoo.behaviour import Behaviour
from tests.zoo.honest import HONEST, ORIGINAL, PAGES, PATHS
from tests.zoo.server import opened_zoo
from tests.zoo.table import ALL, QUICK
from tests.zoo.visit import Visited, configure, crawled

pytestmark = pytest.mark.timeout(1800)  # a crawl of all may take so long on a busy machine
LONG = ("own", "brisk")  # the whole zoo, as the operator's own hosts and as those of strangers
PROFILES = ("quick", *(pytest.param(profile, marks=pytest.mark.long) for profile in LONG))
ROWS = [
    *(pytest.param("quick", one, id=f"quick, {one.name}") for one in QUICK),
    *(
        pytest.param(profile, one, marks=pytest.mark.long, id=f"{profile}, {one.name}")
        for profile in LONG
        for one in ALL
    ),
]


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Visited]]:
    """The zoo after a crawl of it with a profile: one for each, in whatever order tests ask."""
    with ExitStack() as stack:

        @cache
        def of(profile: str) -> Visited:
            data: Path = tmp_path_factory.mktemp("zoo")
            zoo = stack.enter_context(opened_zoo(QUICK if profile == "quick" else ALL))
            configure(data, zoo, own=profile != "brisk")
            return crawled(data, zoo, beside=profile != "quick")

        yield of


@pytest.fixture(params=PROFILES)
def visited(request: pytest.FixtureRequest, crawl: Callable[[str], Visited]) -> Visited:
    return crawl(str(request.param))


@pytest.mark.requirement(18, 262, 276)
def test_the_crawl_ends_well(visited: Visited) -> None:
    """Whatever strangers send, it is counted."""
    assert visited.code == 0, visited.said[-2000:]
    assert "Traceback" not in visited.said, visited.said[visited.said.index("Traceback") - 500 :][:3000]
    assert "Unhandled" not in visited.said


def test_the_search_page_answers_beside_it(visited: Visited) -> None:
    """Whoever searches meanwhile waits for nobody: each answer came, and came with 200."""
    assert visited.unanswered == []


@pytest.mark.requirement(282)
def test_nobody_else_is_asked(visited: Visited) -> None:
    """No connection to an address that nobody named; no button of a neighbour is pressed."""
    assert visited.zoo.strays == []
    for name in HONEST:
        own = {*PATHS, "/robots.txt", "/sitemap.xml"}
        odd = [path for path in visited.zoo.asked[name] if path not in own and "lycosa-" not in path]
        assert odd == [], name


@pytest.mark.requirement(15)
def test_the_honest_are_stored_and_found(visited: Visited) -> None:
    with closing(SearchService(visited.data)) as search:
        for name in HONEST:
            if name == ORIGINAL:
                continue
            urls = {visited.zoo.url(name, path) for path in PATHS}
            assert {visited.states.get(url, ("unknown", ""))[0] for url in urls} == {"stored"}, name
            found = {hit.url for hit in search.search(f"{name}word", size=PAGES + 9).hits}
            assert found == urls, name


@pytest.mark.long
@pytest.mark.parametrize("visited", LONG, indirect=True)
def test_a_mirror_takes_nothing_from_its_original(visited: Visited) -> None:
    """The copy may have been there first: the original has its own sitemap and its name on other hosts."""
    urls = [visited.zoo.url(ORIGINAL, path) for path in PATHS]
    assert {url: visited.states[url] for url in urls if visited.states[url][0] != "stored"} == {}


@pytest.mark.requirement(48)
def test_memory_is_bounded(visited: Visited) -> None:
    """The crawl, a reader, the process that writes the index, the search page."""
    assert set(visited.peaks.highest) >= {"crawl", "reader", "follower"}
    assert visited.peaks.beyond == {}, str(visited.peaks)


@pytest.mark.requirement(21, 45, 86)
@pytest.mark.parametrize(("visited", "one"), ROWS, indirect=["visited"])
def test_behaviour(visited: Visited, one: Behaviour) -> None:
    """A state, no more pages and no more requests than it may cost."""
    begin = visited.zoo.url(one.name)
    state, reason = visited.states[begin]
    pages = (url for url, (what, _) in visited.states.items() if what == "stored")
    kept = [url for url in pages if url.startswith(begin) and "/sitemap.xml" not in url]
    assert state in one.ends, (one.why, state, reason)
    assert reason or state not in ("failed", "skipped"), one.why
    assert len(kept) <= one.stored + (one.at != "page" and state == "stored"), (one.why, kept)
    asked = max(len(visited.zoo.asked[one.name]), visited.zoo.connections[one.name])
    assert asked <= one.most, (one.why, visited.zoo.asked[one.name][-5:])


@pytest.mark.parametrize("word", ["smuggledword", "hiddenword"])
def test_what_was_smuggled_in_is_not_found(visited: Visited, word: str) -> None:
    with closing(SearchService(visited.data)) as search:
        assert search.search(word).total == 0
