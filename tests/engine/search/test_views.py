"""A view answers as if pages that are not in it had never been crawled: the law of all that hides pages."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from engine.audience import EVERYBODY, OPERATOR, AudienceRule, AudienceRules, View
from engine.errors import EngineError
from engine.generations import current_generation
from engine.index.indexing.follow import Follower
from engine.index.indexing.opening import open_writer
from engine.index.indexing.rebuild import rebuild_index
from engine.index.snippets import TextCopy
from engine.linkgraph.templates import FEWEST
from engine.model.narrowing import SearchFilters
from engine.model.page import Link, Page, Section
from engine.search import SearchService, SeenIndex
from engine.segment.folder import read_contents
from tests.engine.index.source import WORDS, Memory

pytestmark = pytest.mark.folder
OPEN_WORDS, HIDDEN_WORDS = WORDS[:8], [*WORDS[4:12], "quartz", "quarry"]
HOSTS = ("open.example", "other.example", "staff.example", "board.example")
RULES = AudienceRules(
    (
        AudienceRule("staff", "host", ("https://staff.example/",)),
        AudienceRule("board", "host", ("https://board.example/",)),
        AudienceRule("staff", "pattern", ("other.example/hidden/",)),
    )
)
VIEWS = {
    "everybody": EVERYBODY,
    "staff": View(frozenset({"staff"})),
    "board": View(frozenset({"board"})),
    "both": View(frozenset({"staff", "board"})),
    "operator": OPERATOR,
}
QUERIES = [
    *(
        "amber",
        "ember fern",
        "quartz",
        "amber OR quartz",
        '"ember fern"',
        "quar*",
        "embr",
        "quarts",
        "-amber",
    ),
    *(
        "site:staff.example",
        "link:https://open.example/0",
        "link:https://staff.example/1",
        "intitle:grove",
        "inurl:hidden",
        "iris jade kelp",
    ),
]
FACETS = SearchFilters(with_facets=True)


class Crawled(NamedTuple):
    """Pages of four hosts and of a hidden folder, and URLs that are aliases or copies of them."""

    pages: Sequence[Page]
    aliases: Sequence[tuple[str, str]]
    copies: Sequence[tuple[str, str]]

    def seen_by(self, view: View) -> Memory:
        """What of it a view has, as if nothing else had ever been crawled."""
        crawled = Memory(*self._select_pages(view))
        for change, pairs in ((crawled.stand, self.aliases), (crawled.copy, self.copies)):
            for url, other in pairs:
                if view.admits(RULES.require(url)) and not RULES.are_apart(url, other):
                    change(url, other)
        return crawled

    def _select_pages(self, view: View) -> Iterator[Page]:
        """The pages of a view, without links of which it may not learn: those from hidden ones to others."""
        for one in self.pages:
            required = RULES.require(one.url)
            if view.admits(required):
                kept = [link for link in one.links if not required or RULES.require(link.url) == required]
                yield replace(one, links=kept)

    def whole(self) -> Memory:
        """All of it."""
        crawled = Memory(*self.pages)
        for url, other in self.aliases:
            crawled.stand(url, other)
        for url, other in self.copies:
            crawled.copy(url, other)
        return crawled


@st.composite
def crawls(draw: st.DrawFn) -> Crawled:
    """Pages with links among all of them; hidden ones have words of their own."""
    count = draw(st.integers(4, 14))
    urls = []
    for number in range(count):
        folder = draw(st.sampled_from(["", "hidden/"]))
        urls.append(f"https://{draw(st.sampled_from(HOSTS))}/{folder}{number}")
    made = []
    for url in urls:
        words = st.lists(st.sampled_from(HIDDEN_WORDS if RULES.require(url) else OPEN_WORDS), max_size=6)
        links = [
            Link(target, " ".join(draw(words)))
            for target in draw(st.lists(st.sampled_from(urls), max_size=5))
        ]
        text, title = " ".join(draw(words)), " ".join(draw(words))
        made.append(Page(url, title=title, language="en", sections=(Section("", "", text),), links=links))
    others = list[Sequence[tuple[str, str]]]()
    for _ in range(2):
        pairs = st.tuples(st.sampled_from(HOSTS), st.integers(50, 60), st.sampled_from(urls))
        some = draw(st.lists(pairs, max_size=3, unique_by=lambda one: one[1]))
        others.append([(f"https://{host}/{at}", url) for host, at, url in some])
    copies = [pair for pair in others[1] if pair[0] not in dict(others[0])]
    return Crawled(made, others[0], copies)


def _open(stack: ExitStack, folder: Path, view: View, rules: AudienceRules) -> SearchService:
    seen = SeenIndex(folder, replace(view, digest=rules.digest) if view != OPERATOR else view)
    return stack.enter_context(closing(SearchService(folder, index=seen)))


def _answers(service: SearchService, urls: Sequence[str]) -> Iterator[object]:
    """All that a search page is told."""
    yield service.count_documents()
    for query in QUERIES:
        found = service.search(query, size=20, choice=FACETS)
        yield query, replace(found, took_ms=0.0, hits=[replace(hit, fetched_at="") for hit in found.hits])
        yield service.complete(query)
        yield service.find_failing_clauses(query)
        for url in urls:
            copied = service.copy_text(url, query)
            timeless = replace(copied, fetched_at="") if isinstance(copied, TextCopy) else copied
            yield query, url, service.explain(url, query), timeless
    for url in urls:
        yield service.contains(url)


def _compare(some: Crawled, name: str, *, rebuilt: bool) -> None:
    """An index seen by some, and one from which all else was left out, answer alike."""
    view = VIEWS[name]
    with ExitStack() as stack:
        whole, part = (Path(stack.enter_context(TemporaryDirectory())) for _ in range(2))
        for folder, crawled, rules in (
            (whole, some.whole(), RULES),
            (part, some.seen_by(view), AudienceRules()),
        ):
            if rebuilt:
                rebuild_index(crawled, folder, audiences=rules)
            else:
                Follower(crawled, folder, audiences=rules).catch_up()
        urls = [one.url for one in some.pages]
        seen = list(_answers(_open(stack, whole, view, RULES), urls))
        assert seen == list(_answers(_open(stack, part, OPERATOR, AudienceRules()), urls))


@pytest.mark.parametrize("rebuilt", [False, True], ids=["followed", "rebuilt"])
@settings(max_examples=12, phases=[Phase.explicit, Phase.reuse, Phase.generate])  # shrinking takes minutes
@given(some=crawls(), name=st.sampled_from([*VIEWS]))
def test_a_view_answers_as_if_hidden_pages_did_not_exist(rebuilt: bool, some: Crawled, name: str) -> None:
    _compare(some, name, rebuilt=rebuilt)


@pytest.mark.parametrize("rebuilt", [False, True], ids=["followed", "rebuilt"])
def test_what_hidden_pages_of_a_host_repeat_is_no_template_of_the_others(rebuilt: bool) -> None:
    """A line that is on all of them is what the one open page says."""
    repeated = "quartz amber basil"
    hidden = [_page(f"hidden/{number}", f"ember {number}\n{repeated}") for number in range(2 * FEWEST)]
    _compare(Crawled([*hidden, _page("1", f"iris\n{repeated}")], (), ()), "everybody", rebuilt=rebuilt)


def test_segments_of_other_readers_are_never_merged(tmp_path: Path) -> None:
    """Twenty commits of a page each, which merge again and again."""
    crawled, urls = Memory(), [f"{host}{number}" for number in range(20) for host in ("hidden/", "")]
    follower = Follower(crawled, tmp_path, audiences=RULES)
    for url in urls:
        crawled.put(_page(url, "amber"))
        follower.step()
    with closing(SearchService(tmp_path, index=SeenIndex(tmp_path, View(digest=RULES.digest)))) as service:
        assert service.count_documents() == 20
    assert len(read_contents(current_generation(tmp_path).path).segments) < 20  # type: ignore[union-attr]


def test_an_index_is_made_anew_by_other_rules(tmp_path: Path) -> None:
    """By who follows the crawl; nobody else adds to it, and nobody is answered meanwhile."""
    crawled = Memory(_page("hidden/1", "amber"), _page("1", "amber"))
    Follower(crawled, tmp_path).catch_up()
    seen = SeenIndex(tmp_path, View(digest=RULES.digest))
    with closing(SearchService(tmp_path, index=seen)) as service:
        with pytest.raises(EngineError, match="hides other pages"):
            service.search("amber")
        Follower(crawled, tmp_path, audiences=RULES).catch_up()
        assert [hit.url for hit in service.search("amber").hits] == ["https://other.example/1"]
    generation = current_generation(tmp_path)
    assert generation
    with (
        closing(open_writer(generation)) as writer,
        pytest.raises(EngineError, match="hides other pages"),
    ):
        writer.write(crawled.changes(0, 10))


def _page(path: str, text: str) -> Page:
    return Page(f"https://other.example/{path}", language="en", sections=(Section("", "", text),))
